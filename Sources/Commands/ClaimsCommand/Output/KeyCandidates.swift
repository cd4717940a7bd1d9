import Federation
import SecurityKeys

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
