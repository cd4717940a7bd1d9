import Octets
import SecurityKeys
import TokenBasics
import XMLTree

/// Parts that the elements of a signature have in common.
enum SignatureReader {
  /// The position of the `Algorithm` of an element, which must have no other attribute.
  ///
  /// - Throws: `signature.structure`.
  static func algorithm(of element: Element) throws(TokenError) -> Range<Int> {
    let name = DSName.algorithm
    guard let uri = element.attributeRange(name), !element.hasAttribute(otherThan: name) else {
      throw TokenError(.signatureStructure, node: element.path, expected: "@Algorithm alone")
    }
    return uri
  }

  /// Adds the `InclusiveNamespaces` child of `element` to the method, which is only for exclusive
  /// canonicalization (Exclusive XML Canonicalization 1.0, 4).
  ///
  /// - Throws: `code`, `xml.prefix-list`.
  static func addPrefixList(
    of element: Element, to method: inout CanonicalizationMethod, _ limits: Limits,
    else code: @autoclosure () -> TokenError.Code
  ) throws(TokenError) {
    if element.isEmpty { return }
    var children = try ChildReader(element)
    guard let list = children.takeAny() else { return }
    guard method.algorithm == .exclusive else {
      throw TokenError(
        code(), node: list.path, expected: "no children, since every prefix is inclusive anyway")
    }
    guard list.isNamed(DSName.inclusiveNamespaces), children.next == nil else {
      throw TokenError(
        code(), node: element.path, expected: "at most one InclusiveNamespaces")
    }
    guard !list.hasChildElements, let text = list.attributeBytes(DSName.prefixList),
      !list.hasAttribute(otherThan: DSName.prefixList)
    else {
      throw TokenError(code(), node: list.path, expected: "@PrefixList alone and no children")
    }
    let prefixes = text.split(whereSeparator: ASCII.isWhiteSpace)
    guard prefixes.count <= limits.inclusivePrefixes, text.count <= 4096 else {
      throw TokenError(
        .prefixList, node: list.path, expected: "at most \(limits.inclusivePrefixes) prefixes",
        found: "\(prefixes.count)")
    }
    method.inclusivePrefixes = prefixes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The base64 text of an element, white space removed.
  static func base64(
    _ element: Element, _ code: @autoclosure () -> TokenError.Code
  ) throws(TokenError) -> [UInt8] {
    do {
      let text = try element.plainTextBytes()
      let bytes = try Base64.decode(text.span, whiteSpace: .skipped)
      guard !bytes.isEmpty else { throw TokenError(code()) }
      return bytes
    } catch {
      throw TokenError(code(), node: element.path, expected: "base64 text and nothing else")
    }
  }

  /// The digest of `length` bytes that a `ds:DigestValue` holds.
  ///
  /// - Throws: `signature.digest-value`.
  static func digest(_ element: Element, length: Int) throws(TokenError) -> Digest {
    var digest: Digest?
    var count = 0
    do {
      let text = try element.plainTextBytes()
      try Base64.withDecoded(text.span, whiteSpace: .skipped) { bytes throws(TokenError) in
        count = bytes.count
        digest = Digest(bytes)
        guard count > 0 else { throw TokenError(.malformedDigestValue) }
      }
    } catch {
      throw TokenError(
        .malformedDigestValue, node: element.path, expected: "base64 text and nothing else")
    }
    guard let digest, count == length else {
      throw TokenError(
        .malformedDigestValue, node: element.path, expected: "\(length) bytes",
        found: "\(count) bytes")
    }
    return digest
  }
}
