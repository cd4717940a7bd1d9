import SecurityKeys
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

  /// Decrypts the data.
  ///
  /// - Throws: `encryption.*`, `algorithm.legacy`.
  mutating func plaintext(of data: EncryptedData) throws(TokenError) -> Decryptor.Plaintext {
    try decryptor.decrypt(data)
  }

  /// Reads the element with this name that is encrypted inside `holder`, as a document of its own.
  ///
  /// With an unauthenticated cipher, every fault of the plaintext is the one error of all failures to
  /// decrypt: a signature around the ciphertext does not prove who wrote it.
  ///
  /// - Throws: `encryption.*`, `algorithm.legacy`, `xml.*`, and what `body` throws.
  mutating func read<Value>(
    inside holder: Element, named name: ExpandedName,
    _ body: (Element, Decryptor.Plaintext, _ concealment: TokenError?) throws(TokenError) -> Value
  ) throws(TokenError) -> Value {
    let data = try Self.data(of: holder, limits)
    let plaintext = try decryptor.decrypt(data)
    let concealment = plaintext.cipher.isAuthenticated ? nil : Decryptor.failure(data)
    do {
      return try body(
        element(in: plaintext, insideOf: holder, named: name), plaintext, concealment)
    } catch {
      throw concealment ?? error
    }
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
