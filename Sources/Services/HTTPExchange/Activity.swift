/// An operation or event of the network code, named for logs, metrics and traces.
///
/// Names and attributes contain no secret: hosts, codes, counts; never a query, a token or a claim.
public struct Activity: Sendable {
  /// The name in dotted form, such as `registry.refresh` or `session.renew`.
  public let name: StaticString
  /// Names and values, such as `server`, `source` and `code`.
  public let attributes: [(name: StaticString, value: String)]

  /// An activity with that name and these attributes.
  public init(_ name: StaticString, _ attributes: [(name: StaticString, value: String)] = []) {
    self.name = name
    self.attributes = attributes
  }
}
