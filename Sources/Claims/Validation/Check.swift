public import TokenErrors

/// One step of a validation.
public struct Check: Sendable, CustomStringConvertible {
  /// How the step ended.
  public enum Outcome: String, Hashable, Sendable {
    case passed
    case failed
    /// Not looked at, because an earlier step failed or nobody asked for it.
    case skipped
  }

  /// What was looked at.
  public let name: Name
  public let outcome: Outcome
  /// What a token that passes would have had.
  public let expected: String?
  /// What this one has.
  public let found: String?
  /// Where.
  public let node: String?
  /// Why the step failed.
  public let error: TokenError?

  /// The step, how it ended, and where it did not pass what was expected and found.
  public var description: String {
    var text = "\(name.rawValue): \(outcome.rawValue)"
    if let error { return text + ", \(error)" }
    if let node { text += ", at \(node)" }
    if let expected { text += ", expected \(expected)" }
    if let found { text += ", found \(found)" }
    return text
  }

  /// The steps, in the order in which they are taken.
  public enum Name: String, CaseIterable, Hashable, Sendable {
    case structure
    case issuer
    case key
    case signature
    case digest
    case decryption
    case status
    case responseIssuer = "response-issuer"
    case audience
    case time
    case subject
    case confirmation
    case destination
    case request
    case conditions
    case session
  }
}
