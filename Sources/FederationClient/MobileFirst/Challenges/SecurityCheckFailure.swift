import StrictJSON

/// A security check will not be satisfied: no attempts are left, or the account is blocked.
public struct SecurityCheckFailure: Sendable {
  public let securityCheck: String
  /// The check's own words, if it has any.
  public let reason: String?
  public let json: [UInt8]

  init(_ name: String, _ value: JSONValue, _ body: [UInt8]) {
    securityCheck = name
    reason = value["failure"]?.string
    json = Array(body[value.range])
  }
}
