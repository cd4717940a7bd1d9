import Octets
import SecurityKeys

/// The texts of a public key that a confused verifier may use as an HMAC secret.
enum PublicKeyText {
  static func spellings(of key: PublicKey) -> [(name: String, octets: [UInt8])] {
    let pem = pem(key.der, "PUBLIC KEY")
    return [("der", key.der), ("pem", pem), ("pem-without-line-end", pem.dropLast())]
  }

  static func pem(_ der: [UInt8], _ label: String) -> [UInt8] {
    var lines = ["-----BEGIN \(label)-----"]
    var rest = Base64.encode(der)[...]
    while !rest.isEmpty {
      lines.append(String(rest.prefix(64)))
      rest = rest.dropFirst(64)
    }
    return Array((lines + ["-----END \(label)-----", ""]).joined(separator: "\n").utf8)
  }
}
