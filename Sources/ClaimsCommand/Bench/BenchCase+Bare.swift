import Federation
import Octets
import SecurityKeys
import XMLTree

/// What nobody can skip, each by itself.
extension BenchCase {
  static func bare(
    _ rsa: PrivateKey, _ ec: PrivateKey, _ secret: SymmetricKey, _ document: [UInt8]
  ) throws(TokenError) -> [BenchCase] {
    let digest = DigestAlgorithm.sha256.value(of: document.span)
    var cases: [BenchCase] = []
    for (name, key, algorithm) in [
      ("bare RSA-2048 verify", rsa, SignatureAlgorithm.rsaSHA256),
      ("bare ECDSA P-256 verify", ec, .ecdsaSHA256),
    ] {
      let signature = key.sign(digest: digest?.bytes ?? [], algorithm) ?? []
      let publicKey = key.publicKey
      cases.append(
        BenchCase(name: name, bytes: digest?.count ?? 0) {
          guard let digest else { return }
          _ = publicKey.isValid(signature.span, forDigest: digest, algorithm)
        })
    }
    let message = Array(document.prefix(450))
    let mac = [UInt8](repeating: 0, count: DigestAlgorithm.sha256.length)
    return cases + [
      BenchCase(name: "bare HMAC-SHA256", bytes: message.count) {
        _ = secret.isMAC(mac.span, of: message.span, with: .sha256)
      },
      BenchCase(name: "bare SHA-256", bytes: document.count) {
        _ = DigestAlgorithm.sha256.value(of: document.span)
      },
      BenchCase(name: "bare XML parse", bytes: document.count) {
        _ = try? Document(parsing: document)
      },
    ]
  }
}
