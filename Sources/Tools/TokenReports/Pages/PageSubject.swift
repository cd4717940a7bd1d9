package import Claims
package import Federation
package import TokenBasics

/// A token and what was found out about it: all that its part of a page shows.
package struct PageSubject: Sendable {
  /// The token as it was received.
  package let octets: [UInt8]
  /// The format that was asked for.
  package let pinned: PinnedFormat?
  package let trust: Trust
  package let now: Instant
  /// The token, or why it cannot be read.
  package let token: Result<AnyToken, TokenError>
  /// The verdict; of a token that cannot be read, that.
  package let verdict: Verdict
  package let checks: [Check]
  package let warnings: [String]
  /// What else is known about a failure, as lines for a person.
  package let remarks: [String]
  /// The name of the file that it came from, as a person may read it; nil for standard input.
  package var file: String?

  /// - Parameter verdict: The verdict of a `TokenValidator`, with details, on the token that was read.
  package init(
    _ octets: [UInt8], pinned: PinnedFormat?, trust: Trust, at now: Instant, token: AnyToken,
    verdict: Verdict, notes: Verdict.Notes, remarks: [String] = []
  ) {
    self.octets = octets
    self.pinned = pinned
    self.trust = trust
    self.now = now
    self.token = .success(token)
    self.verdict = verdict
    checks = notes.checks
    warnings = notes.warnings
    self.remarks = remarks
  }

  /// A token that cannot be read.
  package init(
    _ octets: [UInt8], pinned: PinnedFormat?, trust: Trust, at now: Instant,
    unreadable error: TokenError, remarks: [String] = []
  ) {
    self.octets = octets
    self.pinned = pinned
    self.trust = trust
    self.now = now
    token = .failure(error)
    verdict = .rejected(error)
    checks = [
      Check(
        name: .structure, outcome: .failed, expected: error.expected, found: error.found,
        node: error.node, error: error)
    ]
    warnings = []
    self.remarks = remarks
  }

  var error: TokenError? { if case .rejected(let error) = verdict { error } else { nil } }

  var samlToken: SAMLToken? {
    if case .success(.saml(let token)) = token { token } else { nil }
  }

  /// Whether the checks proved who wrote what is read: nothing before it has failed, and a signature is valid. Only
  /// then does the page show plaintext, so that it never reveals what the verdict conceals.
  var hasProvenOrigin: Bool {
    let origin: [Check.Name] = [
      .structure, .issuer, .key, .signature, .digest, .decryption, .responseIssuer,
    ]
    let isProven = checks.contains { $0.name == .signature && $0.outcome == .passed }
    return isProven && !checks.contains { origin.contains($0.name) && $0.outcome == .failed }
  }
}
