import Octets
package import SecurityKeys
import Synchronization
package import TokenErrors

/// A certificate of an entity, decoded once, when its key is first asked for: that takes longer than
/// anything else about metadata.
package final class EntityCertificate: Sendable {
  /// The text of the `X509Certificate`, in UTF-8.
  let text: [UInt8]
  private let decoded = Mutex<Result<VerificationKey, TokenError>?>(nil)

  init(_ text: [UInt8]) { self.text = text }

  /// The key.
  ///
  /// - Throws: `key.unreadable`, `key.unsupported`, `key.weak`.
  package func key() throws(TokenError) -> VerificationKey {
    let result = decoded.withLock { decoded in
      let result = decoded ?? Self.key(text)
      decoded = result
      return result
    }
    return try result.get()
  }

  private static func key(_ text: [UInt8]) -> Result<VerificationKey, TokenError> {
    do throws(TokenError) {
      let der = try Base64.decode(text.span, whiteSpace: .skipped)
      return .success(.certificate(try Certificate(der: der)))
    } catch {
      guard error.code == .malformedBase64 else { return .failure(error) }
      return .failure(TokenError(.unreadableKey, expected: "a certificate in base64"))
    }
  }
}
