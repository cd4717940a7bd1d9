package import SecurityKeys
import TokenBasics

/// Text encodings of keys (RFC 7468).
package enum PEMText {
  /// A certificate.
  package static func certificate(_ certificate: Certificate) -> String {
    var text = "-----BEGIN CERTIFICATE-----\n"
    var rest = Substring(Base64.encode(certificate.der))
    while !rest.isEmpty {
      text += rest.prefix(64) + "\n"
      rest = rest.dropFirst(64)
    }
    return text + "-----END CERTIFICATE-----\n"
  }
}
