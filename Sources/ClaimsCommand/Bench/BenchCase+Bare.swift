import Federation
import Octets
import SecurityKeys
import XMLTree

/// What nobody can skip, each by itself.
extension BenchCase {
  static func bare(
    _ rsa: PrivateKey, _ ec: PrivateKey, _ secret: SymmetricKey, _ document: [UInt8]
  ) -> [BenchCase] {
    let digestLength = DigestAlgorithm.sha256.length
    let cases = [
      BenchCase(
        name: "bare RSA-2048 verify", bytes: digestLength, run: bareKey(rsa, .rsaSHA256)),
      BenchCase(
        name: "bare ECDSA P-256 verify", bytes: digestLength, run: bareKey(ec, .ecdsaSHA256)),
    ]
    let message = Array(document.prefix(450))
    let mac = [UInt8](repeating: 0, count: digestLength)
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
