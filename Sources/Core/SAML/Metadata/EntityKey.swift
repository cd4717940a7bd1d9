public import SecurityKeys
import Synchronization
public import TokenBasics
package import XMLTree

/// A certificate of a `KeyDescriptor` (SAML Metadata 2.4.1.1), decoded on access.
public struct EntityKey: Sendable {
  /// What the key is for.
  public enum Use: String, Hashable, Sendable {
    /// The entity signs with the key.
    case signing
    /// Others encrypt for the entity with the key.
    case encryption
    /// No `use` was named: the key is for both.
    case both
  }

  /// What the key is for.
  public let use: Use
  /// Nil when the KeyInfo has none.
  private let certificate: EntityCertificate?

  package init(use: Use, _ certificate: EntityCertificate?) {
    self.use = use
    self.certificate = certificate
  }

  /// The key.
  ///
  /// - Throws: `key.unreadable` also for a KeyInfo without a certificate, `key.unsupported`,
  ///   `key.weak`.
  public func key() throws(TokenError) -> VerificationKey {
    guard let certificate else {
      throw TokenError(.unreadableKey, expected: "an X509Certificate", found: "none")
    }
    return try certificate.key()
  }
}

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

  /// The text of an `X509Certificate`; empty where anything but text is inside, even a comment.
  static func text(of element: Element) -> [UInt8] {
    element.plainTextRange.map { Array(element.bytes($0)) } ?? []
  }

  /// The octets in an `X509Certificate`; nil where they are not in base64.
  static func der(of element: Element) -> [UInt8]? {
    try? Base64.decode(text(of: element).span, whiteSpace: .skipped)
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

/// The certificates of one entity by their texts. Most are listed more than once: for signing and for
/// encryption, and in every role.
package struct EntityCertificates {
  private var known: [EntityCertificate] = []

  package init() {}

  /// The certificate of an `X509Certificate`: unreadable where anything but text is inside, even a
  /// comment. Other keys stay usable.
  package mutating func certificate(of element: Element) -> EntityCertificate {
    certificate(EntityCertificate.text(of: element))
  }

  /// The certificate with this text.
  package mutating func certificate(_ text: String) -> EntityCertificate {
    certificate(Array(text.utf8))
  }

  /// Searches only the latest, so that an entity with thousands takes linear time.
  private mutating func certificate(_ octets: [UInt8]) -> EntityCertificate {
    if let same = known.suffix(16).last(where: { $0.text == octets }) { return same }
    let certificate = EntityCertificate(octets)
    known.append(certificate)
    return certificate
  }
}
