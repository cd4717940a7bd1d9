import Federation
import TestSupport

/// The vectors' keys and metadata, read once; other paths do not exist.
struct MemoryFiles: FileSource {
  private let contents: [String: [UInt8]]

  init() {
    let paths = [
      "keys/idp-rsa.crt", "keys/idp-ec256.crt", "keys/acs.key", "keys/hmac-64.key",
      "keys/rp-rsa.key",
      "keys/jwks.json", "keys/weak-rsa1024.crt", "keys/expired.crt", "metadata/group.xml",
      "metadata/doctype.xml",
    ]
    contents = Dictionary(uniqueKeysWithValues: paths.map { ($0, TestVector.bytes($0)) })
  }

  func read(_ path: String) throws(TokenError) -> [UInt8] {
    guard let bytes = contents[path] else { throw TokenError(.unreadableKey, node: path) }
    return bytes
  }
}
