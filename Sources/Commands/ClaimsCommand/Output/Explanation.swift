import Federation
import LocalFiles
import SecurityKeys
import TokenReports
import XMLSecurity

/// A validation report for a person.
struct Explanation {
  let isAccepted: Bool
  let text: String
  /// What was digested, when a digest does not fit.
  let digestedOctets: [UInt8]?
  /// The same for a page.
  let subject: PageSubject

  /// - Parameter file: The name of the file, as it is shown; nil for standard input.
  init(
    _ verifier: TokenVerifier, _ octets: [UInt8], at now: Instant, file: String? = nil
  ) {
    var lines: [String] = []
    var isAccepted = false
    var digested: [UInt8]?
    var subject: PageSubject
    if let file { lines.append("file      \(file)") }
    lines.append("token     \(octets.count) bytes, \(SecretMark.digest(octets))")
    var octets = octets
    do throws(TokenError) {
      let token: AnyToken
      do throws(TokenError) {
        token = try verifier.read(octets[...])
      } catch {
        let pasted = PastedToken.all(
          in: octets, as: verifier.pinned, limits: verifier.trust.limits, after: error)
        guard pasted.count == 1, let only = pasted.first else {
          lines += PastedText.lines(pasted)
          throw error
        }
        octets = only.octets
        lines.append("found in  \(only.place): \(octets.count) bytes, \(SecretMark.digest(octets))")
        token = try verifier.read(octets[...])
      }
      let (verdict, notes) = verifier.verdict(on: token, at: now, isDetailed: true)
      lines.append("format    \(token.format)")
      lines.append("clock     \(now.withMilliseconds), skew \(verifier.trust.skew) s")
      lines.append("")
      lines += notes.checks.flatMap(Self.lines)
      lines.append("")
      var remarks: [String] = []
      switch verdict {
      case .accepted(let content):
        isAccepted = true
        lines.append("accepted: \(content.claims.count) claims by \(content.facts.issuer)")
        lines += content.claims.map {
          "  \(ShownText.line($0.type.name)): \(ShownText.line($0.value))"
        }
        lines += notes.warnings.map { "warning: \(HintOptions.added(to: $0))" }
      case .rejected(let error):
        lines += Self.lines(error)
        (remarks, digested) = Self.remarks(on: error, token, verifier, at: now)
        lines += remarks
      }
      subject = PageSubject(
        octets, pinned: verifier.pinned, trust: verifier.trust, at: now, token: token,
        verdict: verdict, notes: notes, remarks: remarks)
    } catch {
      lines.append("")
      lines += Self.lines(error)
      subject = PageSubject(
        octets, pinned: verifier.pinned, trust: verifier.trust, at: now, unreadable: error)
    }
    subject.file = file
    text = ShownText.of(lines.joined(separator: "\n") + "\n")
    self.isAccepted = isAccepted
    self.subject = subject
    digestedOctets = digested
  }

  /// What else is known about a failure, and what was digested where a digest does not fit.
  private static func remarks(
    on error: TokenError, _ token: AnyToken, _ verifier: TokenVerifier, at now: Instant
  ) -> (lines: [String], digested: [UInt8]?) {
    var lines: [String] = []
    var digested: [UInt8]?
    if error.code == .digestMismatch, let diagnosis = token.digestDiagnosis {
      digested = diagnosis.octets
      lines += Self.lines(diagnosis)
    }
    if error.code == .signatureInvalid {
      let keys = verifier.trust.issuers.flatMap(\.keys)
      lines += token.signatureSuspects(keys, at: now, node: error.node).map { "  suspect  \($0)" }
    }
    if ["key", "algorithm", "issuer"].contains(error.code.family)
      || [.signatureInvalid, .macMismatch].contains(error.code)
    {
      lines += KeyCandidates(verifier, token, at: now).lines
      lines += ShownCertificates.ofSigners(verifier, token)
    }
    if error.code.family == "audience" { lines += audiences(of: token) }
    if error.code.family == "encryption" {
      lines += ShownCertificates.ofRecipients(verifier, token)
    }
    return (lines + NearMiss.lines(error), digested)
  }

  /// The audiences that the token names, and the option to type for one that is ours.
  private static func audiences(of token: AnyToken) -> [String] {
    let named = token.unverifiedFacts.audiences.prefix(8)
    guard !named.isEmpty else { return [] }
    return ["  audiences of the token:"] + named.map { "    \(ShownText.line($0))" }
      + ["  next     where one of them is you: --audience '\(ShownText.line(named[0]))'"]
  }

  private static func lines(_ check: Check) -> [String] {
    let mark =
      switch check.outcome {
      case .passed: "ok       "
      case .failed: "FAILED   "
      case .skipped: "skipped  "
      }
    var lines = ["\(mark) \(check.name.rawValue)"]
    if let error = check.error { lines[0] += ": \(error.message) [\(error.code)]" }
    if let node = check.node { lines.append("            at       \(node)") }
    if let expected = check.expected { lines.append("            expected \(expected)") }
    if let found = check.found { lines.append("            found    \(found)") }
    return lines
  }

  static func lines(_ error: TokenError) -> [String] {
    var lines = ["rejected: \(error.message) [\(error.code)]"]
    if let node = error.node { lines.append("  at       \(node)") }
    if let expected = error.expected { lines.append("  expected \(expected)") }
    if let found = error.found { lines.append("  found    \(found)") }
    lines.append("  to do    \(HintOptions.added(to: error.hint))")
    return lines
  }

  private static func lines(_ diagnosis: DigestDiagnosis) -> [String] {
    if diagnosis.suspects.isEmpty {
      return [
        "  suspect  none that was tried fits (indentation, line ends, prefix list, method): probably the",
        "           content itself was changed; --dump-canonical FILE writes what was digested",
      ]
    }
    return diagnosis.suspects.map { "  suspect  \($0)" }
  }
}

/// Every configured key, and why it was skipped or tried.
struct KeyCandidates {
  let lines: [String]

  init(_ verifier: TokenVerifier, _ token: AnyToken, at now: Instant) {
    let issuer = token.unverifiedFacts.issuer
    let algorithms = token.signatureAlgorithms
    let speaking = verifier.trust.entries(for: Array(issuer.utf8)[...]).first
    var lines = ["  keys that are configured:"]
    for trusted in verifier.trust.issuers {
      for key in trusted.keys {
        lines.append("    \(key.key.kindName), \(key.key.fingerprint)")
        if let keyID = key.keyID { lines.append("      kid      \(TokenError.excerpt(keyID))") }
        if let validity = key.validity {
          lines.append("      dates    \(validity.from.rfc3339) to \(validity.to.rfc3339)")
        }
        lines.append(
          "      verdict  "
            + Self.verdict(key, trusted, issuer, speaking, algorithms, token, now))
      }
    }
    if lines.count == 1 { lines.append("    none") }
    self.lines = lines
  }

  private static func verdict(
    _ key: TrustedKey, _ trusted: TrustedIssuer, _ issuer: String, _ speaking: TrustedIssuer?,
    _ algorithms: [(SignatureAlgorithm, [DigestAlgorithm])], _ token: AnyToken,
    _ now: Instant
  ) -> String {
    if case .exactly(let name) = trusted.name, !trusted.isIssuer(issuer) {
      return "passed over: it is trusted for \(name)"
    }
    guard speaking?.source == trusted.source, speaking?.name == trusted.name else {
      return "passed over: the issuer has an entry of its own, which decides alone"
    }
    guard trusted.formats.contains(token.format) else {
      let formats = trusted.formats.map(\.name).sorted().joined(separator: ", ")
      return "passed over: it vouches for \(formats)"
    }
    for (algorithm, digests) in algorithms {
      let obstacle = KeyRing.obstacle(
        key, for: algorithm, reliesOnSHA1: digests.contains(.sha1), at: now)
      if let error = obstacle {
        let found = error.found.map { ": \($0)" } ?? ""
        return "passed over: \(error.message) [\(error.code)]\(found)"
      }
    }
    return algorithms.isEmpty
      ? "never tried: there is no signature that can be read"
      : "tried: it did not make the signature"
  }
}

/// Names that differ in bytes and look alike to a person.
enum NearMiss {
  static func lines(_ error: TokenError) -> [String] {
    guard let expected = error.expected.map(TokenError.unquoted),
      let found = error.found.map(TokenError.unquoted),
      [.audienceMismatch, .recipientMismatch, .destinationMismatch, .issuerUntrusted].contains(
        error.code), expected != found
    else { return [] }
    if trimmed(expected) == trimmed(found) {
      return ["  suspect  the two differ in a / at the end alone"]
    }
    if expected.lowercased() == found.lowercased() {
      return ["  suspect  the two differ in upper and lower case alone"]
    }
    return []
  }

  private static func trimmed(_ text: String) -> Substring {
    text.hasSuffix("/") ? text.dropLast() : text[...]
  }
}

/// The certificates in a token, beside the configured keys.
enum ShownCertificates {
  static func ofSigners(_ verifier: TokenVerifier, _ token: AnyToken) -> [String] {
    let configured = verifier.trust.issuers.flatMap(\.keys).map(\.key.fingerprint)
    let others = token.shownBySigners.filter { !configured.contains($0) }
    guard !others.isEmpty else { return [] }
    return others.map { "  the token shows the certificate of another key:\n    \($0)" } + [
      "    Anybody can show any certificate. Ask the issuer, or see its metadata, whether this is its",
      "    current one; if so, configure it. If not, the token is forged.",
    ]
  }

  static func ofRecipients(_ verifier: TokenVerifier, _ token: AnyToken) -> [String] {
    let own = verifier.trust.decryptionKeys
    var lines = ["  encrypted to the keys of these certificates:"]
    lines += token.shownRecipients.map { "    \($0)" }
    if case .encryptedJWT(let token) = token {
      let names = token.encryptedWith
      lines = ["  encrypted with \(names.algorithm) and \(names.encryption)"]
      lines.append(
        token.keyID.map { "  to the key that it calls (kid) \(TokenError.excerpt($0))" }
          ?? "  the token does not name the key")
    } else if lines.count == 1 {
      lines = ["  the token does not show to which certificate it is encrypted"]
    }
    lines.append("  decryption keys that are configured:")
    lines += own.map { "    \($0.description)" }
    if own.isEmpty { lines.append("    none") }
    return lines
  }
}
