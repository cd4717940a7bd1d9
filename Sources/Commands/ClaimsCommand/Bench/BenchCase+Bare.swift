import Federation
import Octets
import SecurityKeys
import XMLTree

/// The bare cost, operation by operation.
extension BenchCase {
  static func bare(
    _ rsa: PrivateKey, _ ec: PrivateKey, _ secret: SymmetricKey, _ document: [UInt8]
  ) -> [BenchCase] {
    let digestLength = DigestAlgorithm.sha256.length
    let message = Array(document.prefix(450))
    return [
      BenchCase(
        name: "bare RSA-2048 verify", bytes: digestLength, run: bareKey(rsa, .rsaSHA256)),
      BenchCase(
        name: "bare ECDSA P-256 verify", bytes: digestLength, run: bareKey(ec, .ecdsaSHA256)),
      BenchCase(
        name: "bare HMAC-SHA256", bytes: message.count, run: bareMAC(secret, over: message)),
      BenchCase(name: "bare SHA-256", bytes: document.count) {
        _ = DigestAlgorithm.sha256.value(of: document.span)
      },
      BenchCase(name: "bare XML parse", bytes: document.count) {
        _ = try? Document(parsing: document)
      },
    ]
  }
}
