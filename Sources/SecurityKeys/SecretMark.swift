import Octets

/// What messages say of a text that may be a secret: enough to tell which one it was, not to use it.
package enum SecretMark {
  /// `a text of 595 octets, sha256 1a2b3c4d`
  package static func of(_ text: String) -> String {
    let octets = Array(text.utf8)
    return "a text of \(octets.count) octet\(octets.count == 1 ? "" : "s"), \(digest(octets))"
  }

  /// `sha256` and the first 8 hexadecimal digits of the digest.
  package static func digest(_ octets: [UInt8]) -> String {
    let digest = DigestAlgorithm.sha256.digest(of: octets) ?? []
    return "sha256 \(Hex.encode(digest.prefix(4)))"
  }
}
