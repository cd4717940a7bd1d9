import Octets
import SecurityKeys

/// The keys of a namespace: each has the same length, and none shows what it stands for.
struct StoreKey: Sendable {
  private let namespace: [UInt8]
  /// The service whose keys they are, with its length before it, so that service and octets have one reading.
  private let service: [UInt8]

  /// - Parameters:
  ///   - namespace: What the keys begin with.
  ///   - service: Parts the keys of services that share a namespace; empty for keys that they share.
  init(_ namespace: String, service: String = "") {
    self.namespace = Array(namespace.utf8)
    self.service = service.isEmpty ? [] : Array("\(service.utf8.count):\(service)".utf8)
  }

  /// The pattern of all keys of a kind, as `SCAN` takes it: characters of the namespace stand for themselves.
  func pattern(_ kind: StaticString) -> [UInt8] {
    namespace.flatMap { "*?[]\\^-".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
      + Array(":\(kind):*".utf8)
  }

  /// - Parameters:
  ///   - kind: One letter for what the key holds.
  ///   - octets: What it stands for, hashed here.
  func key(_ kind: StaticString, of octets: [UInt8]) -> [UInt8] {
    let text = service + octets
    let digest = DigestAlgorithm.sha256.digest(of: text) ?? text
    return namespace + Array(":\(kind):".utf8) + Array(Base64.encode(digest, .url).utf8)
  }
}
