import StrictJSON

/// A security check is satisfied.
public struct SecurityCheckSuccess: Sendable {
  public let securityCheck: String
  /// Who the person is, for checks that know.
  public let user: AuthenticatedUser?
  /// The check's whole success.
  public let json: [UInt8]

  init(_ name: String, _ value: JSONValue, _ body: [UInt8]) {
    securityCheck = name
    user = value["user"].flatMap(AuthenticatedUser.init)
    json = Array(body[value.range])
  }
}
