import Octets
import SecurityKeys
import TokenErrors
import XMLTree

/// How the key inside an EncryptedKey is protected.
enum KeyProtection: Sendable {
  case transport(KeyTransport)
  case wrap(KeyWrap)

  /// Reads the `xenc:EncryptionMethod` of an EncryptedKey.
  ///
  /// - Throws: `encryption.algorithm`, `encryption.structure`.
  init(reading method: Element) throws(TokenError) {
    let uri = try EncryptionReader.algorithm(of: method)
    if let wrap = KeyWrap.allCases.first(where: { $0.uri.hasSameBytes(as: uri) }) {
      guard !method.hasChildElements else { throw EncryptionReader.unsupported(method, uri) }
      self = .wrap(wrap)
    } else if uri.hasSameBytes(as: XEName.pkcs1) {
      guard !method.hasChildElements else { throw EncryptionReader.unsupported(method, uri) }
      self = .transport(.pkcs1)
    } else if uri.hasSameBytes(as: XEName.oaep) || uri.hasSameBytes(as: XEName.oaepMGF1SHA1) {
      self = .transport(try Self.oaep(method, uri))
    } else {
      throw EncryptionReader.unsupported(method, uri)
    }
  }

  /// XML Encryption 1.1, 5.5.2: SHA-1 where no digest is named, and MGF1 with SHA-1 where no mask is;
  /// the older name implies MGF1 with SHA-1 whatever the digest.
  private static func oaep(_ method: Element, _ uri: String) throws(TokenError) -> KeyTransport {
    var digest = DigestAlgorithm.sha1
    var mask = DigestAlgorithm.sha1
    var label: [UInt8] = []
    var seen: Set<String> = []
    // The schema leaves the order open.
    for child in try method.children() {
      guard seen.insert(child.localName).inserted else {
        throw TokenError(.encryptionStructure, node: child.path, expected: "each parameter once")
      }
      if child.isNamed(DSName.digestMethod) {
        digest = try EncryptionReader.digest(child)
      } else if child.isNamed(XEName.mask) {
        let name = try EncryptionReader.algorithm(of: child)
        guard
          let named = DigestAlgorithm.allCases.first(where: {
            name.hasSameBytes(as: XEName.maskPrefix + $0.name)
          }), named == .sha1 || uri.hasSameBytes(as: XEName.oaep)
        else { throw EncryptionReader.unsupported(child, name) }
        mask = named
      } else if child.isNamed(XEName.oaepParameters) {
        label = try EncryptionReader.base64(child)
        guard label.count <= labelLimit else {
          throw TokenError(
            .encryptionAlgorithm, node: child.path, expected: "at most \(labelLimit) bytes",
            found: "\(label.count) bytes")
        }
      } else {
        throw EncryptionReader.unsupported(child, child.localName)
      }
    }
    return .oaep(digest: digest, mask: mask, label: label)
  }

  /// Longer labels are rejected; senders in practice use none.
  private static let labelLimit = 256
}
