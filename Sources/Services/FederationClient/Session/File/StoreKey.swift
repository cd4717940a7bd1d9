#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
public import HTTPExchange
import LocalFiles
import Octets
import SecurityKeys
import TokenBasics

/// The source of the key that encrypts a credential file.
public enum StoreKey: Sendable {
  /// The path of a file with 32 random bytes, raw or in base64, that only its owner can read.
  case file(String)
  /// The name of an environment variable with 32 random bytes in base64.
  case environment(String)
  /// A passphrase. The key is derived from it with scrypt (RFC 7914), whose parameters and salt are stored in
  /// the credential file.
  case passphrase(Secret)

  /// The key itself; nil if it is derived from a passphrase.
  /// - Throws: `session.store-key-source`.
  func sealingKey() throws(TokenError) -> SealingKey? {
    switch self {
    case .file(let path):
      return try Self.key(of: Self.octets(ofFile: path), path)
    case .environment(let name):
      guard let value = unsafe getenv(name) else {
        // What is no variable's name may be the key.
        throw TokenError(
          .sessionStoreKeySource, expected: "the name of a variable of the environment",
          found: SecretMark.of(name))
      }
      return try Self.key(of: Array(unsafe String(cString: value).utf8), "$\(name)")
    case .passphrase(let text):
      guard !text.revealed.isEmpty else {
        throw TokenError(
          .sessionStoreKeySource, node: "passphrase", expected: "some text", found: "nothing")
      }
      return nil
    }
  }

  private static func octets(ofFile path: String) throws(TokenError) -> [UInt8] {
    do throws(FileFailure) {
      let file = try OpenFile(readingAtOnce: path)
      if let status = file.status, status.mode & 0o077 == 0 { return try file.readAll(limit: 4096) }
    } catch {
      throw error.error(.sessionStoreKeySource, path)
    }
    throw TokenError(
      .sessionStoreKeySource, node: ShownPath.of(path), expected: "a file of mode 0600 or 0400")
  }

  private static func key(of octets: [UInt8], _ node: String) throws(TokenError) -> SealingKey {
    if let key = SealingKey(octets) { return key }
    let text = octets.last == ASCII.lineFeed ? Array(octets.dropLast()) : octets
    guard let decoded = try? Base64.decode(text.span), let key = SealingKey(decoded) else {
      throw TokenError(.sessionStoreKeySource, node: node, expected: "32 bytes, raw or in base64")
    }
    return key
  }
}
