import Octets
package import SecurityKeys
package import TokenBasics
package import XMLTree

/// A `ds:Reference`: what was digested, how, and the digest. An object, as ``Signature`` is.
package final class Reference: Sendable {
  /// The position of the `URI` attribute's value; nil when there is none.
  private let uriRange: Range<Int>?
  package let transforms: [Transform]
  package let digestAlgorithm: DigestAlgorithm
  let digest: Digest
  let node: Element

  private static let attributeNames = [DSName.uri, DSName.type, DSName.id]

  /// - Throws: `signature.structure`, `signature.reference-type`, `signature.transform`,
  ///   `algorithm.digest`, `signature.digest-value`, `xml.*`.
  init(reading element: Element, _ limits: Limits) throws(TokenError) {
    node = element
    uriRange = element.attributeRange(DSName.uri)
    if let type = element.attribute(DSName.type), type.hasSameBytes(as: DSName.manifestType) {
      throw TokenError(.referenceType, node: element.path, found: TokenError.excerpt(type))
    }
    guard !element.hasAttribute(otherThan: Self.attributeNames) else {
      throw TokenError(.signatureStructure, node: element.path, expected: "@URI, @Type and @Id")
    }
    var children = try ChildReader(element)
    var transforms: [Transform] = []
    transforms.reserveCapacity(2)
    if let list = children.take(DSName.transforms) {
      var steps = try ChildReader(list)
      let name = DSName.transform
      while let step = steps.take(name) {
        guard transforms.count < limits.transforms else {
          throw TokenError(
            .refusedTransform, node: list.path, expected: "at most \(limits.transforms)")
        }
        transforms.append(try Transform(reading: step, limits))
      }
      guard steps.next == nil, !transforms.isEmpty else {
        throw TokenError(.signatureStructure, node: list.path, expected: "Transform elements")
      }
    }
    self.transforms = transforms
    guard let method = children.take(DSName.digestMethod),
      let value = children.take(DSName.digestValue), children.next == nil
    else {
      throw TokenError(
        .signatureStructure, node: element.path, expected: "Transforms, DigestMethod, DigestValue")
    }
    let uri = try SignatureReader.algorithm(of: method)
    guard let algorithm = method.withBytes(uri, DigestAlgorithm.named) else {
      throw TokenError(
        .unknownDigestAlgorithm, node: method.path,
        expected: DigestAlgorithm.allCases.map(\.name).joined(separator: ", "),
        found: TokenError.excerpt(method.string(uri)))
    }
    guard !method.hasChildElements else {
      throw TokenError(.signatureStructure, node: method.path, expected: "no children")
    }
    digestAlgorithm = algorithm
    digest = try SignatureReader.digest(value, length: algorithm.length)
  }

  /// The `URI` attribute; nil when there is none.
  package var uri: String? { uriRange.map(node.string) }

  /// Whether the reference is to the whole document.
  var isToDocument: Bool { uriRange?.isEmpty == true }

  /// Whether the reference is to the element with this identifier.
  func isTo(_ id: ArraySlice<UInt8>) -> Bool {
    guard let uriRange, let first = uriRange.first, !id.isEmpty else { return false }
    return node.hasBytes(first..<first + 1, of: "#")
      && node.bytes(uriRange.dropFirst()).elementsEqual(id)
  }

  /// How the referenced nodes become octets: the last canonicalization, or Canonical XML 1.0 where
  /// none is named (XML Signature 1.1, 4.4.3.2). Never with comments, whatever the method: all
  /// references here are `""` or `#id`, which omit them (4.4.3.3).
  ///
  /// - Throws: `signature.transform` unless the steps are at most one enveloped-signature, first, and
  ///   at most one canonicalization after it.
  package func canonicalization() throws(TokenError) -> (
    method: CanonicalizationMethod, isEnveloped: Bool
  ) {
    var count = transforms.count
    var isEnveloped = false
    if case .envelopedSignature = transforms.first {
      isEnveloped = true
      count -= 1
    }
    if count == 0 { return (CanonicalizationMethod(.inclusive10), isEnveloped) }
    if count == 1, case .canonicalization(var method) = transforms.last {
      method.withComments = false
      return (method, isEnveloped)
    }
    throw TokenError(
      .refusedTransform, node: node.path,
      expected: "enveloped-signature once and first, then one canonicalization",
      found: "\(transforms.count) transforms")
  }

  /// Digests `subtree` and compares.
  ///
  /// - Throws: `signature.digest-mismatch`.
  func check(_ subtree: Subtree, _ method: CanonicalizationMethod, _ scratch: inout OctetWriter)
    throws(TokenError)
  {
    var running = RunningDigest(digestAlgorithm)
    Canonicalizer.read(subtree, method, &scratch) { running.add($0) }
    try check(running)
  }

  /// Compares with the digest of what the reference is to.
  ///
  /// - Throws: `signature.digest-mismatch`.
  func check(_ running: consuming RunningDigest) throws(TokenError) {
    let isEmpty = running.count == 0
    let computed = running.finish()
    guard !isEmpty, let computed, ConstantTime.areEqual(computed, digest) else {
      throw TokenError(
        .digestMismatch, node: node.path, expected: Base64.encode(digest.bytes),
        found: Base64.encode(computed?.bytes ?? []))
    }
  }
}

/// Whether a signature in the document element may refer to the whole document (`URI=""`) instead of
/// that element.
package enum WholeDocument: Sendable {
  /// Not allowed.
  case refused
  /// Allowed where only white space and comments, which are not digested, surround the document
  /// element: then both are the same octets.
  case elementAlone
  /// Allowed. Processing instructions around the document element are digested with it.
  case accepted
}

/// A step from the referenced node to the octets that are digested. There are two kinds, both fixed.
package enum Transform: Hashable, Sendable {
  /// Removes the signature that is being verified, that node and no other.
  case envelopedSignature
  /// Converts nodes to octets.
  case canonicalization(CanonicalizationMethod)

  /// The `Algorithm` URI.
  package var uri: String {
    switch self {
    case .envelopedSignature: DSName.envelopedSignature.description
    case .canonicalization(let method): method.uri
    }
  }

  /// - Throws: `signature.transform`, `signature.structure`, `xml.prefix-list`.
  init(reading element: borrowing Element, _ limits: Limits) throws(TokenError) {
    let uri = try SignatureReader.algorithm(of: element)
    if element.hasBytes(uri, of: DSName.envelopedSignature) {
      guard !element.hasChildElements else {
        throw TokenError(.refusedTransform, node: element.path, expected: "no children")
      }
      self = .envelopedSignature
    } else if var method = CanonicalizationMethod(uri: uri, in: element) {
      try SignatureReader.addPrefixList(
        of: element, to: &method, limits, else: .refusedTransform)
      self = .canonicalization(method)
    } else {
      throw TokenError(
        .refusedTransform, node: element.path,
        expected: "enveloped-signature or a canonicalization",
        found: TokenError.excerpt(element.string(uri)))
    }
  }
}
