import Octets
import SecurityKeys

/// The keys of a namespace: each has the same length, and none shows what it stands for.
struct StoreKey: Sendable {
  private let namespace: [UInt8]

  init(_ namespace: String) { self.namespace = Array(namespace.utf8) }

  /// The pattern of all keys of a kind, as `SCAN` takes it: characters of the namespace stand for themselves.
  func pattern(_ kind: StaticString) -> [UInt8] {
    namespace.flatMap { "*?[]\\^-".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
      + Array(":\(kind):*".utf8)
  }

  /// - Parameters:
  ///   - kind: One letter for what the key holds.
  ///   - octets: What it stands for, hashed here.
  func key(_ kind: StaticString, of octets: [UInt8]) -> [UInt8] {
    let digest = DigestAlgorithm.sha256.digest(of: octets) ?? octets
    return namespace + Array(":\(kind):".utf8) + Array(Base64.encode(digest, .url).utf8)
  }
}
