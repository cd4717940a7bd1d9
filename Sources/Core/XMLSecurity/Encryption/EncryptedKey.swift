import Octets
import SecurityKeys
import TokenErrors
import XMLTree

/// An `xenc:EncryptedKey` (XML Encryption 1.1, 3.5.1), parsed but not decrypted.
struct EncryptedKey: Sendable {
  let element: Element
  let protection: KeyProtection
  /// Where the wrapping key comes from a key agreement.
  let agreement: KeyAgreement?
  let value: [UInt8]
  /// SHA-256 of the public key in the certificate in KeyInfo. It only determines which private key is
  /// tried first.
  let recipient: [UInt8]?

  /// - Throws: `encryption.*`.
  init(reading element: Element) throws(TokenError) {
    self.element = element
    var children = try ChildReader(element)
    guard let method = children.take(XEName.encryptionMethod) else {
      throw TokenError(.encryptionAlgorithm, node: element.path, expected: "EncryptionMethod")
    }
    let info = children.take(DSName.keyInfo)
    guard let data = children.take(XEName.cipherData) else {
      throw TokenError(.encryptionStructure, node: element.path, expected: "CipherData")
    }
    _ = children.take(XEName.encryptionProperties)
    _ = children.take(XEName.referenceList)
    _ = children.take(XEName.carriedKeyName)
    guard children.next == nil else {
      throw TokenError(
        .encryptionStructure, node: element.path,
        expected: "each part once, in the order of the schema")
    }
    value = try EncryptionReader.cipherValue(data)
    protection = try KeyProtection(reading: method)
    let hints = try info?.children() ?? []
    let agreement = hints.first { $0.isNamed(XEName.agreementMethod) }
    if let agreement, case .transport = protection {
      throw TokenError(
        .encryptionAlgorithm, node: agreement.path, expected: "a key wrap beside AgreementMethod")
    }
    self.agreement = try agreement.map { (found) throws(TokenError) in
      try KeyAgreement(reading: found)
    }
    recipient = Self.recipient(hints)
  }

  private static func recipient(_ hints: [Element]) -> [UInt8]? {
    // Only the first: parsing certificates takes time, and this is only a hint.
    guard let hint = hints.first(where: { $0.isNamed(XEName.x509Data) }),
      let shown = try? hint.children().first(where: { $0.isNamed(XEName.x509Certificate) }),
      let der = try? EncryptionReader.base64(shown)
    else { return nil }
    return (try? Certificate(der: der))?.publicKey.digest
  }
}
