public import TokenErrors

/// One step of a validation.
public struct Check: Sendable, CustomStringConvertible {
  /// How the step ended.
  public enum Outcome: String, Hashable, Sendable {
    /// The token meets the rule.
    case passed
    /// The token breaks the rule and is refused.
    case failed
    /// Not made: nothing is expected, or the trust allows any value.
    case skipped
  }

  /// The step.
  public let name: Name
  /// How it ended.
  public let outcome: Outcome
  /// What a token that passes has here.
  public let expected: String?
  /// What this token has.
  public let found: String?
  /// The place: a path such as `/Response/Assertion[1]`, a byte offset, or a member's name.
  public let node: String?
  /// Why the step failed.
  public let error: TokenError?

  package init(
    name: Name, outcome: Outcome, expected: String?, found: String?, node: String?,
    error: TokenError?
  ) {
    self.name = name
    self.outcome = outcome
    self.expected = expected
    self.found = found
    self.node = node
    self.error = error
  }

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
    /// The token can be read.
    case structure
    /// The issuer is trusted.
    case issuer
    /// The trust has one entry with keys for the issuer and format.
    case key
    /// The signature or MAC is valid.
    case signature
    /// The digest of the signed element matches (XML Signature 3.2.1).
    case digest
    /// The assertion is decrypted (XML Encryption 4.4).
    case decryption
    /// The response reports success (SAML Core 3.2.2.2).
    case status
    /// The response names the issuer of the assertion.
    case responseIssuer = "response-issuer"
    /// Every audience restriction names an audience of ours.
    case audience
    /// The validity window and the moment of issue.
    case time
    /// The assertion has a subject that is meant for us.
    case subject
    /// The subject is confirmed by bearer (SAML Profiles 3.3).
    case confirmation
    /// The token was sent to the expected recipient.
    case destination
    /// The token responds to the expected request.
    case request
    /// Every condition is understood (SAML Core 2.5.1.1).
    case conditions
    /// The authentication statement lies in the past, and its session has not ended.
    case session
  }
}
