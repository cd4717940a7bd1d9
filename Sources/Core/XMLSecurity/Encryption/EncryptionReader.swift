import Octets
import SecurityKeys
import TokenBasics
import XMLTree

/// Parts that encrypted data and encrypted keys have in common.
enum EncryptionReader {
  /// The first children of encrypted data and encrypted keys.
  struct Head {
    let method: Element
    let info: Element?
    let data: Element

    /// - Throws: `encryption.algorithm`, `encryption.structure`.
    init(_ children: inout ChildReader, of element: Element) throws(TokenError) {
      guard let method = children.take(XEName.encryptionMethod) else {
        throw TokenError(.encryptionAlgorithm, node: element.path, expected: "EncryptionMethod")
      }
      info = children.take(DSName.keyInfo)
      guard let data = children.take(XEName.cipherData) else {
        throw TokenError(.encryptionStructure, node: element.path, expected: "CipherData")
      }
      _ = children.take(XEName.encryptionProperties)
      self.method = method
      self.data = data
    }
  }

  /// - Throws: `encryption.structure` for a child that is left.
  static func finish(_ children: ChildReader, of element: Element) throws(TokenError) {
    guard children.next == nil else {
      throw TokenError(
        .encryptionStructure, node: element.path,
        expected: "each part once, in the order of the schema")
    }
  }

  /// The `Algorithm` of an element.
  ///
  /// - Throws: `encryption.algorithm` when there is none; there is no default.
  static func algorithm(of element: Element) throws(TokenError) -> String {
    guard let uri = element.attribute(DSName.algorithm) else {
      throw TokenError(.encryptionAlgorithm, node: element.path, expected: "@Algorithm")
    }
    return uri
  }

  /// The octets of `xenc:CipherData` (XML Encryption 1.1, 3.3).
  ///
  /// - Throws: `encryption.reference` for a CipherReference, `encryption.structure`.
  static func cipherValue(_ data: Element) throws(TokenError) -> [UInt8] {
    let children = try data.children()
    if let reference = children.first(where: { $0.isNamed(XEName.cipherReference) }) {
      throw TokenError(
        .encryptionReference, node: reference.path, expected: "CipherValue",
        found: "CipherReference")
    }
    guard children.count == 1, children[0].isNamed(XEName.cipherValue) else {
      throw TokenError(.encryptionStructure, node: data.path, expected: "one CipherValue")
    }
    return try base64(children[0])
  }

  /// The base64 text of an element, white space removed. It may be empty: the cipher checks its length.
  ///
  /// - Throws: `encryption.structure`.
  static func base64(_ element: Element) throws(TokenError) -> [UInt8] {
    do {
      return try Base64.decode(element.plainTextBytes(), whiteSpace: .skipped)
    } catch {
      throw TokenError(
        .encryptionStructure, node: element.path, expected: "base64 text and nothing else")
    }
  }

  /// The digest algorithm that `ds:DigestMethod` names.
  ///
  /// - Throws: `encryption.algorithm`.
  static func digest(_ method: Element) throws(TokenError) -> DigestAlgorithm {
    let uri = try algorithm(of: method)
    guard let digest = DigestAlgorithm.allCases.first(where: { $0.uri.hasSameBytes(as: uri) })
    else { throw unsupported(method, uri) }
    return digest
  }

  static func unsupported(_ element: Element, _ uri: String) -> TokenError {
    TokenError(.encryptionAlgorithm, node: element.path, found: TokenError.excerpt(uri))
  }
}
