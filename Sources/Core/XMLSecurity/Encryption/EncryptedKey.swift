import Octets
import SecurityKeys
import TokenBasics
import XMLTree

/// An `xenc:EncryptedKey` (XML Encryption 1.1, 3.5.1), parsed but not decrypted.
struct EncryptedKey: Sendable {
  let element: Element
  let protection: KeyProtection
  /// Where the wrapping key comes from a key agreement.
  let agreement: KeyAgreement?
  let value: [UInt8]
  private let hints: [Element]

  /// - Throws: `encryption.*`.
  init(reading element: Element) throws(TokenError) {
    self.element = element
    var children = try ChildReader(element)
    let head = try EncryptionReader.Head(&children, of: element)
    _ = children.take(XEName.referenceList)
    _ = children.take(XEName.carriedKeyName)
    try EncryptionReader.finish(children, of: element)
    value = try EncryptionReader.cipherValue(head.data)
    protection = try KeyProtection(reading: head.method)
    hints = try head.info?.children() ?? []
    let agreement = hints.first { $0.isNamed(XEName.agreementMethod) }
    if let agreement, case .transport = protection {
      throw TokenError(
        .encryptionAlgorithm, node: agreement.path, expected: "a key wrap beside AgreementMethod")
    }
    self.agreement = try agreement.map { (found) throws(TokenError) in
      try KeyAgreement(reading: found)
    }
  }

  /// SHA-256 of the public key in the certificate in KeyInfo. It only determines which private key is
  /// tried first, and reading a certificate takes a quarter of the time of a decryption.
  func recipient() -> [UInt8]? {
    // Only the first: this is only a hint.
    guard let hint = hints.first(where: { $0.isNamed(XEName.x509Data) }),
      let shown = try? hint.children().first(where: { $0.isNamed(XEName.x509Certificate) }),
      let der = try? EncryptionReader.base64(shown)
    else { return nil }
    return (try? Certificate(der: der))?.publicKey.digest
  }
}

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
