import Federation
import Octets

/// A validation report for a person.
struct Explanation {
  let isAccepted: Bool
  let text: String

  init(_ verifier: TokenVerifier, _ octets: [UInt8]) {
    var lines: [String] = []
    let digest = DigestAlgorithm.sha256.digest(of: octets) ?? []
    lines.append("token: \(octets.count) bytes, sha256 \(Hex.encode(digest.prefix(4)))…")
    do throws(TokenError) {
      let (report, format) = try verifier.report(on: octets, isDetailed: true)
      lines.append("format: \(format)")
      lines.append("clock: \(verifier.now.rfc3339), skew \(verifier.trust.skew) s")
      lines.append("")
      lines += report.checks.flatMap(Self.lines)
      lines.append("")
      switch report.result {
      case .success(let verified):
        isAccepted = true
        lines.append("accepted: \(verified.claims.count) claims by \(verified.facts.issuer)")
        lines += verified.warnings.map { "warning: \($0)" }
      case .failure(let error):
        isAccepted = false
        lines += Self.lines(error)
      }
    } catch {
      isAccepted = false
      lines.append("")
      lines += Self.lines(error)
    }
    text = lines.joined(separator: "\n") + "\n"
  }

  private static func lines(_ check: Check) -> [String] {
    let mark =
      switch check.outcome {
      case .passed: "ok     "
      case .failed: "FAILED "
      case .skipped: "skipped"
      }
    var lines = ["\(mark) \(check.name.rawValue)"]
    if let error = check.error { lines[0] += ": \(error.message) [\(error.code)]" }
    if let node = check.node { lines.append("          at       \(node)") }
    if let expected = check.expected { lines.append("          expected \(expected)") }
    if let found = check.found { lines.append("          found    \(found)") }
    return lines
  }

  private static func lines(_ error: TokenError) -> [String] {
    var lines = ["rejected: \(error.message) [\(error.code)]"]
    if let node = error.node { lines.append("  at       \(node)") }
    if let expected = error.expected { lines.append("  expected \(expected)") }
    if let found = error.found { lines.append("  found    \(found)") }
    lines.append("  to do    \(error.hint)")
    return lines
  }
}
