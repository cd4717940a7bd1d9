public import TokenBasics

/// The checks of one token in order, and the result.
public struct ValidationReport<Token: SecurityToken>: Sendable {
  /// The checks that were made.
  public let checks: [Check]
  /// The exceptions that were made, as texts.
  public let warnings: [String]
  /// The verified token, or the first failure.
  public let result: Result<Verified<Token>, TokenError>

  @inlinable
  package init(
    checks: [Check], warnings: [String], result: Result<Verified<Token>, TokenError>
  ) {
    self.checks = checks
    self.warnings = warnings
    self.result = result
  }

  /// The verified token.
  ///
  /// - Throws: the error of the first failed check.
  @inlinable
  public func get() throws(TokenError) -> Verified<Token> { try result.get() }
}

/// The result of the checks of one token, in any format. A ``ValidationReport`` adds the token.
///
/// Not a `Result`, whose generic metadata would be looked up for each token.
@usableFromInline
package enum Verdict: Sendable {
  /// What the token proves.
  case accepted(VerifiedContent)
  /// The first failure.
  case rejected(TokenError)

  /// The checks and warnings that led to it.
  @usableFromInline
  package struct Notes: Sendable {
    /// The checks that were made; of a run without details the failed ones alone.
    @usableFromInline package let checks: [Check]
    /// The exceptions that were made, as texts.
    @usableFromInline package let warnings: [String]

    @usableFromInline
    init(checks: [Check], warnings: [String]) {
      self.checks = checks
      self.warnings = warnings
    }
  }
}

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
    /// The holder proved to have the key to which the token is bound (RFC 9901, 4.3).
    case binding
    /// Every condition is understood (SAML Core 2.5.1.1).
    case conditions
    /// The authentication statement lies in the past, and its session has not ended.
    case session
  }
}

/// The record of one validation: its checks in order, its warnings and its first failure.
@usableFromInline
package struct CheckJournal: Sendable {
  @usableFromInline package private(set) var checks: [Check] = []
  @usableFromInline package private(set) var warnings: [String] = []
  @usableFromInline package private(set) var firstFailure: TokenError?
  /// Whether passed and skipped checks are recorded too. Failures and warnings always are.
  package let isDetailed: Bool

  init(isDetailed: Bool) { self.isDetailed = isDetailed }

  package mutating func pass(
    _ name: Check.Name, node: @autoclosure () -> String? = nil,
    expected: @autoclosure () -> String? = nil, found: @autoclosure () -> String? = nil
  ) {
    guard isDetailed else { return }
    checks.append(
      Check(
        name: name, outcome: .passed, expected: expected(), found: found(), node: node(), error: nil
      ))
  }

  package mutating func skip(_ name: Check.Name, because reason: @autoclosure () -> String) {
    guard isDetailed else { return }
    checks.append(
      Check(
        name: name, outcome: .skipped, expected: nil, found: reason(), node: nil, error: nil))
  }

  @usableFromInline
  package mutating func fail(_ name: Check.Name, _ error: TokenError) {
    if firstFailure == nil { firstFailure = error }
    checks.append(
      Check(
        name: name, outcome: .failed, expected: error.expected, found: error.found,
        node: error.node, error: error))
  }

  package mutating func warn(_ texts: [String]) {
    guard !texts.isEmpty else { return }
    // Mostly they are the first, and the array is passed on.
    if warnings.isEmpty { warnings = texts } else { warnings += texts }
  }

  /// The parts of a report, without a copy.
  @usableFromInline
  consuming func notes() -> Verdict.Notes { Verdict.Notes(checks: checks, warnings: warnings) }
}
