import SecurityKeys
import TokenBasics
import XMLSecurity
import XMLTree

/// Decrypts the elements of one token, with one bound for all of its readers.
struct Decryption {
  private var decryptor: Decryptor
  let limits: Limits
  /// What is covered of the namespaces around ciphertext; nil where nothing is relied on, for display.
  var coverage: NamespaceCoverage?

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
    let concealment = data.cipher.isAuthenticated ? nil : Decryptor.failure(data)
    var work = ConcealedWork(of: data)
    do {
      let plaintext = try decryptor.decrypt(data)
      let element = try element(
        in: plaintext, insideOf: holder, named: name, parsedCount: &work.parsedCount)
      if let coverage {
        try PlaintextNamespaces(at: holder, coverage).check(element, nil)
      }
      return try body(element, plaintext, concealment)
    } catch {
      guard let concealment, !Self.isKnownBefore(error) else { throw error }
      work.settle()
      throw concealment
    }
  }

  /// Whether the error tells of what is in cleartext.
  private static func isKnownBefore(_ error: TokenError) -> Bool {
    [.noDecryptionKey, .encryptionAlgorithm, .legacyAlgorithm].contains(error.code)
  }

  /// The element with this name that `plaintext` is.
  ///
  /// - Parameter parsedCount: Grows by the octets that were parsed.
  /// - Throws: `encryption.structure`, `xml.*`.
  func element(
    in plaintext: Decryptor.Plaintext, insideOf parent: Element, named name: ExpandedName,
    parsedCount: inout Int
  ) throws(TokenError) -> Element {
    let element = try PlaintextDocument.element(
      plaintext.octets, insideOf: parent, limits: limits, parsedCount: &parsedCount)
    guard element.isNamed(name) else {
      throw TokenError(
        .encryptionStructure, node: parent.path, expected: "\(name) inside",
        found: TokenError.excerpt(element.localName))
    }
    return element
  }
}
