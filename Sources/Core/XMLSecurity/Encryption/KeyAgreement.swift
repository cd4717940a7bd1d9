import Octets
import SecurityKeys
import TokenBasics
import XMLTree

/// An `xenc:AgreementMethod`: ECDH-ES or X25519 with ConcatKDF (XML Encryption 1.1, 5.6.4 and 5.4.1; RFC 9231, 2.8).
struct KeyAgreement: Sendable {
  /// The sender's ephemeral key.
  let originator: PublicKey
  let derivation: ConcatKDF

  /// - Throws: `encryption.algorithm`, `encryption.structure`.
  init(reading element: Element) throws(TokenError) {
    let uri = try EncryptionReader.algorithm(of: element)
    let isX25519 = uri.hasSameBytes(as: XEName.x25519Agreement)
    guard isX25519 || uri.hasSameBytes(as: XEName.ellipticAgreement) else {
      throw EncryptionReader.unsupported(element, uri)
    }
    var children = try ChildReader(element)
    guard let method = children.take(XEName.keyDerivationMethod),
      let originator = children.take(XEName.originatorKeyInfo)
    else { throw Self.structureError(element) }
    _ = children.take(XEName.recipientKeyInfo)
    guard children.next == nil else { throw Self.structureError(element) }
    derivation = try Self.derivation(method)
    self.originator = try Self.publicKey(originator, isX25519: isX25519)
  }

  private static func derivation(_ method: Element) throws(TokenError) -> ConcatKDF {
    let uri = try EncryptionReader.algorithm(of: method)
    guard uri.hasSameBytes(as: XEName.concatKDF) else {
      throw EncryptionReader.unsupported(method, uri)
    }
    var children = try ChildReader(method)
    guard let parameters = children.take(XEName.concatParameters), children.next == nil else {
      throw structureError(method)
    }
    var parts = try ChildReader(parameters)
    guard let digest = parts.take(DSName.digestMethod), parts.next == nil else {
      throw structureError(parameters)
    }
    var info: [UInt8] = []
    for name in XEName.otherInfo {
      guard let text = parameters.attributeBytes(name) else { continue }
      info += try bits(text, parameters)
    }
    return ConcatKDF(digest: try EncryptionReader.digest(digest), otherInfo: info)
  }

  /// A bit string in hexadecimal: its first byte is the number of padding bits, 0 for whole bytes
  /// (XML Encryption 1.1, 5.4.1).
  private static func bits(
    _ text: ArraySlice<UInt8>, _ node: Element
  ) throws(TokenError) -> [UInt8] {
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in text {
      guard text.count <= infoLimit, let value = Hex.value(digit) else {
        throw TokenError(
          .encryptionAlgorithm, node: node.path, expected: "bit strings in hexadecimal")
      }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    guard high == nil, bytes.first ?? 0 == 0 else {
      throw TokenError(.encryptionAlgorithm, node: node.path, expected: "whole bytes")
    }
    return Array(bytes.dropFirst())
  }

  /// The originator's key, whose point is checked to be on its curve before it is used with ours.
  private static func publicKey(
    _ info: Element, isX25519: Bool
  ) throws(TokenError) -> PublicKey {
    let unusable = TokenError(
      .encryptionAlgorithm, node: info.path,
      expected: isX25519
        ? "a key of X25519 as DEREncodedKeyValue" : "a point of P-256, P-384 or P-521 as ECKeyValue"
    )
    var children = try ChildReader(info)
    guard let first = children.takeAny(), children.next == nil else { throw structureError(info) }
    do throws(TokenError) {
      if first.isNamed(XEName.derEncodedKeyValue) {
        let key = try PublicKey(der: EncryptionReader.base64(first))
        guard key.kind.agrees, (key.kind == .x25519) == isX25519 else { throw unusable }
        return key
      }
      guard first.isNamed(XEName.keyValue) else { throw structureError(info) }
      guard !isX25519 else { throw unusable }
      var values = try ChildReader(first)
      guard let value = values.take(XEName.ecKeyValue), values.next == nil else { throw unusable }
      var parts = try ChildReader(value)
      guard let curve = parts.take(XEName.namedCurve)?.attribute(DSName.uri),
        let point = parts.take(XEName.publicKey), parts.next == nil
      else { throw unusable }
      return try PublicKey(curve: curve, point: EncryptionReader.base64(point))
    } catch {
      throw error.code.family == "key" ? unusable : error
    }
  }

  private static func structureError(_ element: Element) -> TokenError {
    TokenError(
      .encryptionStructure, node: element.path,
      expected: "KeyDerivationMethod with ConcatKDFParams and DigestMethod, OriginatorKeyInfo")
  }

  private static let infoLimit = 4096
}
