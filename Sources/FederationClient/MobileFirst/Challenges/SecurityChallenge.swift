import StrictJSON

/// A security check asks the person for something.
public struct SecurityChallenge: Sendable {
  /// The name of the check, such as `UserLogin`.
  public let securityCheck: String
  /// Why it asks again, such as `Wrong Credentials`. The check's own text.
  public let errorMessage: String?
  /// How many answers are left before the check blocks, if it says so.
  public let remainingAttempts: Int?
  /// The whole challenge, which may be any JSON, `null` too.
  public let json: [UInt8]

  init(_ name: String, _ value: JSONValue, _ body: [UInt8]) {
    securityCheck = name
    errorMessage = value["errorMsg"]?.string
    remainingAttempts = value["remainingAttempts"]?.integer
    json = Array(body[value.range])
  }
}
