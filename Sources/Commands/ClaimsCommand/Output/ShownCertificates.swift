import Federation
import SecurityKeys

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
    let own = verifier.trust.decryptionKeys.map(\.publicKey)
    var lines = ["  encrypted to the keys of these certificates:"]
    lines += token.shownRecipients.map { "    \($0)" }
    if lines.count == 1 {
      lines = ["  the token does not show to which certificate it is encrypted"]
    }
    lines.append("  decryption keys that are configured:")
    lines += own.map(VerificationKey.publicKey).map { "    \($0.kindName), \($0.fingerprint)" }
    if own.isEmpty { lines.append("    none") }
    return lines
  }
}
