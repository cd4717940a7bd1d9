import StrictJSON

/// A request of a security check for credentials.
public struct SecurityChallenge: Sendable {
  /// The name of the check, such as `UserLogin`.
  public let securityCheck: String
  /// Why the last answer was rejected, such as `Wrong Credentials`. The check's own text.
  public let errorMessage: String?
  /// The number of attempts left before the check blocks, if the challenge has it.
  public let remainingAttempts: Int?
  /// The whole challenge as JSON text; any value, also `null`.
  public let json: [UInt8]

  init(_ name: String, _ value: JSONValue, _ body: [UInt8]) {
    securityCheck = name
    errorMessage = value["errorMsg"]?.string
    remainingAttempts = value["remainingAttempts"]?.integer
    json = Array(body[value.range])
  }
}
