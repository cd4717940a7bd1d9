import Octets
package import SecurityKeys
package import TokenBasics
package import XMLTree

/// An `xenc:EncryptedData` (XML Encryption 1.1, 3.4), parsed but not decrypted.
package struct EncryptedData: Sendable {
  package let element: Element
  package let cipher: ContentCipher
  let value: [UInt8]
  /// Octets of the ciphertext.
  var size: Int { value.count }
  let keys: [EncryptedKey]
  /// Where the content key itself comes from a key agreement.
  let agreement: KeyAgreement?
  /// The error of an EncryptedKey, when none can be used.
  let obstacle: TokenError?

  /// The transport of each encrypted key, in document order; nil for one that a key agreement protects.
  package var transports: [KeyTransport?] {
    keys.map { if case .transport(let transport) = $0.protection { transport } else { nil } }
  }

  /// What was encrypted.
  package enum Content: Sendable {
    /// One element, as SAML requires (SAML Core 2.3.4).
    case element
    case anything
  }

  /// Reads the content of `EncryptedAssertion`, `EncryptedID` or `EncryptedAttribute`: one
  /// EncryptedData, then the encrypted keys beside it (SAML Core 2.2.4, 2.3.4).
  ///
  /// - Throws: `encryption.*`.
  package init(inside holder: Element, _ limits: Limits) throws(TokenError) {
    var children = try ChildReader(holder)
    guard let data = children.take(XEName.encryptedData) else {
      throw TokenError(.encryptionStructure, node: holder.path, expected: "EncryptedData")
    }
    let beside = children.takeAll(XEName.encryptedKey)
    guard children.next == nil else {
      throw TokenError(
        .encryptionStructure, node: holder.path, expected: "one EncryptedData and EncryptedKeys")
    }
    try self.init(reading: data, beside: beside, holding: .element, limits)
  }

  /// - Parameter beside: Encrypted keys outside of the element that may belong to it.
  /// - Throws: `encryption.*`.
  package init(
    reading element: Element, beside: [Element] = [], holding content: Content = .element,
    _ limits: Limits
  ) throws(TokenError) {
    self.element = element
    if content == .element, let type = element.attribute(DSName.type),
      !type.hasSameBytes(as: XEName.elementType)
    {
      throw TokenError(
        .encryptionStructure, node: element.path, expected: "Type of an element",
        found: TokenError.excerpt(type))
    }
    var children = try ChildReader(element)
    let head = try EncryptionReader.Head(&children, of: element)
    try EncryptionReader.finish(children, of: element)
    cipher = try Self.cipher(head.method)
    value = try EncryptionReader.cipherValue(head.data)
    let sources = try KeySources(head.info, beside: beside, limits)
    agreement = sources.agreement
    (keys, obstacle) = try Self.read(sources.keys)
  }

  private static func cipher(_ method: Element) throws(TokenError) -> ContentCipher {
    let uri = try EncryptionReader.algorithm(of: method)
    guard let cipher = ContentCipher.allCases.first(where: { $0.uri.hasSameBytes(as: uri) }) else {
      throw EncryptionReader.unsupported(method, uri)
    }
    var children = try ChildReader(method)
    if let size = children.take(XEName.keySize) {
      let bits = cipher == .tripleDES ? 192 : cipher.keyLength * 8
      guard try size.collapsedText() == "\(bits)" else {
        throw TokenError(.encryptionAlgorithm, node: size.path, expected: "\(bits)")
      }
    }
    guard children.next == nil else { throw EncryptionReader.unsupported(method, uri) }
    return cipher
  }

  /// Keys for other recipients may use unsupported algorithms; one supported key is enough.
  private static func read(
    _ elements: [Element]
  ) throws(TokenError) -> ([EncryptedKey], TokenError?) {
    var keys: [EncryptedKey] = []
    var obstacle: TokenError?
    for element in elements {
      do {
        keys.append(try EncryptedKey(reading: element))
      } catch {
        guard error.code == .encryptionAlgorithm else { throw error }
        obstacle = obstacle ?? error
      }
    }
    return (keys, keys.isEmpty ? obstacle : nil)
  }
}

/// Where the key of an EncryptedData may be: inside its KeyInfo, or beside it.
struct KeySources {
  var keys: [Element] = []
  var agreement: KeyAgreement?

  /// - Throws: `encryption.reference`, `encryption.structure`, `encryption.too-many-keys`,
  ///   `encryption.algorithm`.
  init(_ info: Element?, beside: [Element], _ limits: Limits) throws(TokenError) {
    var isNamed = false
    // Certificates, key names and security token references may occur too; they prove nothing.
    for child in try info?.children() ?? [] {
      if child.isNamed(XEName.encryptedKey) {
        keys.append(child)
      } else if child.isNamed(XEName.retrievalMethod) {
        let key = try Self.retrieve(child, from: beside)
        if !keys.contains(where: { $0.isSameNode(as: key) }) { keys.append(key) }
      } else if child.isNamed(XEName.agreementMethod) {
        guard agreement == nil else {
          throw TokenError(.encryptionStructure, node: child.path, expected: "one AgreementMethod")
        }
        agreement = try KeyAgreement(reading: child)
      } else {
        continue
      }
      isNamed = true
    }
    if !isNamed { keys = beside }
    let count = max(keys.count, beside.count)
    guard count <= limits.encryptedKeys else {
      throw TokenError(
        .tooManyEncryptedKeys, node: info?.path ?? beside.first?.path,
        expected: "at most \(limits.encryptedKeys)", found: "\(count)")
    }
  }

  /// `#id` of an EncryptedKey beside the data, without transforms; nothing else is resolved.
  private static func retrieve(
    _ method: Element, from beside: [Element]
  ) throws(TokenError) -> Element {
    let uri = method.attribute(DSName.uri) ?? ""
    let type = method.attribute(DSName.type)
    guard !method.hasChildElements, type?.hasSameBytes(as: XEName.encryptedKeyType) ?? true,
      uri.utf8.first == UInt8(ascii: "#"),
      let key = beside.first(where: {
        $0.attributeBytes(DSName.id)?.elementsEqual(uri.utf8.dropFirst()) ?? false
      })
    else {
      throw TokenError(
        .encryptionReference, node: method.path, expected: "#id of an EncryptedKey beside the data",
        found: TokenError.excerpt(uri))
    }
    return key
  }
}
