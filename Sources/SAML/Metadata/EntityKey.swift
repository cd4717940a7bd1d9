import Octets
public import SecurityKeys
public import TokenErrors

/// A certificate of a `KeyDescriptor` (SAML Metadata 2.4.1.1), not decoded before somebody asks.
public struct EntityKey: Sendable {
  /// What the key is for.
  public enum Use: String, Hashable, Sendable {
    case signing
    case encryption
    /// No `use` was named: the key is for both.
    case both
  }

  public let use: Use
  /// The text of the `X509Certificate`; nil when the KeyInfo has none.
  private let text: String?

  package init(use: Use, certificate text: String?) {
    self.use = use
    self.text = text
  }

  /// The key.
  ///
  /// - Throws: `key.unreadable` also for a KeyInfo without a certificate, `key.unsupported`,
  ///   `key.weak`.
  public func key() throws(TokenError) -> VerificationKey {
    guard let text else {
      throw TokenError(.unreadableKey, expected: "an X509Certificate", found: "none")
    }
    let der: [UInt8]
    do throws(TokenError) {
      der = try Base64.decode(Array(text.utf8).span, whiteSpace: .skipped)
    } catch {
      throw TokenError(.unreadableKey, expected: "a certificate in base64")
    }
    return .certificate(try Certificate(der: der))
  }
}
