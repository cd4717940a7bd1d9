import TokenErrors
import XMLSecurity
import XMLTree

/// Decrypts the elements of one token, with one bound for all of its readers.
struct Decryption {
  private var decryptor: Decryptor
  let limits: Limits

  init(_ decryptor: Decryptor, _ limits: Limits) {
    self.decryptor = decryptor
    self.limits = limits
  }

  var hasKeys: Bool { decryptor.hasKeys }

  /// The encrypted data of `EncryptedAssertion` and its like, or of a bare `EncryptedData`.
  ///
  /// - Throws: `encryption.*`.
  static func data(of element: Element, _ limits: Limits) throws(TokenError) -> EncryptedData {
    element.isNamed(XEName.encryptedData)
      ? try EncryptedData(reading: element, limits) : try EncryptedData(inside: element, limits)
  }

  /// - Throws: `encryption.*`, `algorithm.legacy`.
  mutating func plaintext(of data: EncryptedData) throws(TokenError) -> Decryptor.Plaintext {
    try decryptor.decrypt(data)
  }

  /// The element with this name that `data` holds, as a document of its own.
  ///
  /// - Throws: `encryption.*`, `algorithm.legacy`, `xml.*`.
  mutating func element(
    of data: EncryptedData, insideOf parent: Element, named name: ExpandedName
  ) throws(TokenError) -> (element: Element, plaintext: Decryptor.Plaintext) {
    let plaintext = try decryptor.decrypt(data)
    return (try element(in: plaintext, insideOf: parent, named: name), plaintext)
  }

  /// The element with this name that `plaintext` is.
  ///
  /// - Throws: `encryption.structure`, `xml.*`.
  func element(
    in plaintext: Decryptor.Plaintext, insideOf parent: Element, named name: ExpandedName
  ) throws(TokenError) -> Element {
    let element = try DecryptedDocument.element(
      plaintext.octets, insideOf: parent, limits: limits)
    guard element.isNamed(name) else {
      throw TokenError(
        .encryptionStructure, node: parent.path, expected: "\(name) inside",
        found: TokenError.excerpt(element.localName))
    }
    return element
  }
}
