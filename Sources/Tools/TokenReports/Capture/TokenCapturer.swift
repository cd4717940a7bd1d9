package import Claims
package import Federation
package import TokenBasics

/// Turns a token into one that is safe to attach to a report: its values are replaced by others of the
/// same shape, and test keys sign and encrypt it again.
package struct TokenCapturer: Sendable {
  private let trust: Trust
  private let expectations: Expectations
  private let now: Instant
  private let pinned: PinnedFormat?

  /// - Parameters:
  ///   - trust: What the token is verified with.
  ///   - now: The clock of the verdict; times in the token stay.
  package init(
    _ trust: Trust, expectations: Expectations = Expectations(), at now: Instant,
    as pinned: PinnedFormat? = nil
  ) {
    self.trust = trust
    self.expectations = expectations
    self.now = now
    self.pinned = pinned
  }

  /// The capture, verified with the files that come with it.
  ///
  /// - Throws: `policy.capture-verdict` where the capture gets another code than the token,
  ///   `policy.capture-survivor` where it contains a value of the token, `key.*` where OpenSSL makes no
  ///   test key.
  package func capture(_ token: [UInt8]) throws(TokenError) -> Capture {
    let verdict = TokenVerdict(at: now, as: pinned)
    let code = verdict.code(of: token, trust, expectations)
    var failure: TokenError?
    var avoided: Set<[UInt8]> = []
    // A short word may occur by chance, or mean something: another seed gives other words.
    for _ in 0..<4 {
      let session = try CaptureSession(
        trust, relevantEntries(of: token), avoiding: avoided)
      let octets = try WireCapture(session, pinned).capture(token)
      let written = try CapturedTrust(
        session, relevantEntries(of: token), expectations, at: now, as: pinned)
      avoided = session.replacer.originals
      let search = SurvivorSearch(session)
      if let length = search.survivor(in: [octets] + session.surfaces + written.texts) {
        failure = TokenError(.captureSurvivor, found: "a value of \(length) octets")
        continue
      }
      let again = verdict.code(of: octets, try written.read(), written.expectations)
      guard again == code else {
        failure = TokenError(
          .captureVerdict, expected: code?.description ?? "accepted",
          found: again?.description ?? "accepted")
        continue
      }
      return Capture(
        token: octets, files: written.files, arguments: written.arguments, code: code,
        counts: session.replacer.counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
        notes: session.notes + ["times stay as they are, so that their checks end as before"])
    }
    throw failure ?? TokenError(.captureSurvivor)
  }

  /// The entries that matter for the token: those of its issuer, and a few that are not.
  private func relevantEntries(of token: [UInt8]) -> [TrustedIssuer] {
    let read = try? AnyToken(reading: token, as: pinned, limits: trust.limits)
    let issuer = (try? read?.unverifiedContent(trust))?.facts.issuer
    let own = trust.issuers.filter { entry in issuer.map(entry.isIssuer) ?? false }
    let others = trust.issuers.filter { entry in !(issuer.map(entry.isIssuer) ?? false) }
    return own + others.prefix(own.isEmpty ? 4 : 2)
  }
}

/// A token with its values replaced, and what is needed to verify it.
package struct Capture: Sendable {
  /// One file beside the token.
  package struct File: Sendable {
    package let name: String
    package let octets: [UInt8]
  }

  package let token: [UInt8]
  /// The trust and its keys. Private keys and secrets among them were made for this capture.
  package let files: [File]
  /// The arguments of `claims verify`, with the names of the files.
  package let arguments: [String]
  /// The code with which the token and its capture are rejected; nil for accepted.
  package let code: TokenError.Code?
  /// How many values were replaced, by their place.
  package let counts: [(place: String, count: Int)]
  /// What is not as it was, as sentences.
  package let notes: [String]
}

/// The verdict on a token, as its code.
struct TokenVerdict {
  private let now: Instant
  private let pinned: PinnedFormat?

  init(at now: Instant, as pinned: PinnedFormat?) {
    self.now = now
    self.pinned = pinned
  }

  /// The code with which the token is rejected; nil for accepted.
  func code(of token: [UInt8], _ trust: Trust, _ expectations: Expectations) -> TokenError.Code? {
    do throws(TokenError) {
      let read = try AnyToken(reading: token, as: pinned, limits: trust.limits)
      _ = try TokenValidator(trust).validate(read, at: now, expecting: expectations)
      return nil
    } catch {
      return error.code
    }
  }
}
