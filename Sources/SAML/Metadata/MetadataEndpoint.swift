/// An endpoint of a role (SAML Metadata 2.2.2; WS-Federation 1.2, 3.1.2).
public struct MetadataEndpoint: Sendable {
  /// The element's name, such as `SingleSignOnService` or `PassiveRequestorEndpoint`.
  public let name: String
  /// The SAML binding; nil for WS-Federation.
  public let binding: String?
  /// The address, as written.
  public let location: String
  /// The address for responses, if not ``location``.
  public let responseLocation: String?
  /// The index of an indexed endpoint, as written.
  public let index: String?
  /// Whether it is the default among indexed endpoints.
  public let isDefault: Bool

  /// Why the endpoint is not used; nil when both addresses are sound.
  public var problem: EndpointProblem? {
    EndpointProblem(of: location) ?? responseLocation.flatMap(EndpointProblem.init(of:))
  }
}
