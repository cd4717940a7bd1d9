import Octets
import TokenErrors
import XMLTree

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
