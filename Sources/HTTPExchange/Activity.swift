/// One thing that the network code does, named for logs, metrics and traces.
///
/// Names and attributes hold no secret by construction: hosts, codes, counts; never a query, a token
/// or a claim.
public struct Activity: Sendable {
  /// Dotted, such as `registry.refresh` or `session.renew`.
  public let name: StaticString
  /// Its attributes, which never hold a secret.
  public let attributes: [(name: StaticString, value: String)]

  /// An activity with these attributes.
  public init(_ name: StaticString, _ attributes: [(name: StaticString, value: String)] = []) {
    self.name = name
    self.attributes = attributes
  }
}
