/// Where a role is reached (SAML Metadata 2.2.2; WS-Federation 1.2, 3.1.2).
public struct MetadataEndpoint: Sendable {
  /// The element's name, such as `SingleSignOnService` or `PassiveRequestorEndpoint`.
  public let name: String
  /// The SAML binding; nil for WS-Federation.
  public let binding: String?
  public let location: String
  /// Where answers go, if not to ``location``.
  public let responseLocation: String?
  public let index: String?
  public let isDefault: Bool

  /// Why nothing may be sent there; nil when both addresses are sound.
  public var problem: EndpointProblem? {
    EndpointProblem(of: location) ?? responseLocation.flatMap(EndpointProblem.init(of:))
  }
}
