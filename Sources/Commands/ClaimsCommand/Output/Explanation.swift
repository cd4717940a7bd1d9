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

  init(_ verifier: TokenVerifier, _ octets: [UInt8], at now: Instant) {
    var lines: [String] = []
    var isAccepted = false
    var digested: [UInt8]?
    let subject: PageSubject
    lines.append("token     \(octets.count) bytes, \(SecretMark.digest(octets))")
    do throws(TokenError) {
      let token = try verifier.read(octets[...])
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
        lines += notes.warnings.map { "warning: \($0)" }
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
    if error.code.family == "encryption" {
      lines += ShownCertificates.ofRecipients(verifier, token)
    }
    return (lines + NearMiss.lines(error), digested)
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
    lines.append("  to do    \(error.hint)")
    return lines
  }

  private static func lines(_ diagnosis: DigestDiagnosis) -> [String] {
    if diagnosis.suspects.isEmpty {
      return [
        "  suspect  none of the usual ones (indentation, line ends, prefix list, method) fits: the",
        "           content itself was changed; --dump-canonical FILE writes what was digested",
      ]
    }
    return diagnosis.suspects.map { "  suspect  \($0)" }
  }
}
