package import SecurityKeys
import TokenBasics

/// Text encodings of keys (RFC 7468).
package enum PEMText {
  /// A certificate.
  package static func certificate(_ certificate: Certificate) -> String {
    block("CERTIFICATE", certificate.der)
  }

  /// A private key in PKCS #8, without a passphrase.
  package static func privateKey(_ key: PrivateKey) -> String {
    block("PRIVATE KEY", key.exportedDER)
  }

  private static func block(_ label: String, _ octets: [UInt8]) -> String {
    var text = "-----BEGIN \(label)-----\n"
    var rest = Substring(Base64.encode(octets))
    while !rest.isEmpty {
      text += rest.prefix(64) + "\n"
      rest = rest.dropFirst(64)
    }
    return text + "-----END \(label)-----\n"
  }
}
