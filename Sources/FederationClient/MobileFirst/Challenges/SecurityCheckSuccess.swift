import StrictJSON

/// A security check is satisfied.
public struct SecurityCheckSuccess: Sendable {
  /// The name of the check, such as `UserLogin`.
  public let securityCheck: String
  /// The authenticated user, if the check identifies users.
  public let user: AuthenticatedUser?
  /// The check's whole success as JSON text.
  public let json: [UInt8]

  init(_ name: String, _ value: JSONValue, _ body: [UInt8]) {
    securityCheck = name
    user = value["user"].flatMap(AuthenticatedUser.init)
    json = Array(body[value.range])
  }
}
