import StrictJSON

/// A security check will not be satisfied: no attempts are left, or the account is blocked.
public struct SecurityCheckFailure: Sendable {
  /// The name of the check, such as `UserLogin`.
  public let securityCheck: String
  /// The check's own text, if it sent any.
  public let reason: String?
  /// The check's whole failure as JSON text.
  public let json: [UInt8]

  init(_ name: String, _ value: JSONValue, _ body: [UInt8]) {
    securityCheck = name
    reason = value["failure"]?.string
    json = Array(body[value.range])
  }
}
