import Octets
package import SecurityKeys
package import TokenBasics
package import XMLTree

/// A `ds:Signature`, parsed but not verified. An object, because it has many parts and is passed on.
package final class Signature: Sendable {
  package let element: Element
  /// The first reference, and how many there are. Usually it is the only one.
  let reference: Reference
  let referenceCount: Int
  private let otherReferences: [Reference]
  package let algorithm: SignatureAlgorithm
  private let signedInfo: Element
  private let method: CanonicalizationMethod
  private let value: [UInt8]

  /// Reads the parts of a signature; each must occur once and nothing else may.
  ///
  /// - Parameters:
  ///   - allowsObjects: whether `ds:Object` may follow, as in enveloping signatures.
  ///   - allowsOthers: whether anything else may follow; for display alone.
  /// - Throws: `signature.*`, `algorithm.signature`, `algorithm.digest`,
  ///   `algorithm.canonicalization`, `xml.*`.
  package init(
    reading element: Element, allowsObjects: Bool, allowsOthers: Bool = false, limits: Limits
  ) throws(TokenError) {
    self.element = element
    var children = try ChildReader(element)
    guard let signedInfo = children.take(DSName.signedInfo),
      let signatureValue = children.take(DSName.signatureValue)
    else { throw Self.structureError(element) }
    _ = children.take(DSName.keyInfo)
    if allowsObjects { _ = children.takeAll(DSName.object) }
    guard children.next == nil || allowsOthers else { throw Self.structureError(element) }
    self.signedInfo = signedInfo

    var parts = try ChildReader(signedInfo)
    guard let canonicalization = parts.take(DSName.canonicalizationMethod),
      let signatureMethod = parts.take(DSName.signatureMethod)
    else { throw Self.structureError(signedInfo) }
    let count = try Self.referenceCount(parts, in: signedInfo)
    guard count <= limits.references else {
      throw TokenError(
        .tooManyReferences, node: signedInfo.path, expected: "at most \(limits.references)",
        found: "\(count)")
    }
    guard count > 0, let first = parts.takeAny() else {
      throw TokenError(
        .referenceCount, node: signedInfo.path, expected: "a Reference", found: "none")
    }
    method = try Self.method(canonicalization, limits)
    algorithm = try Self.algorithm(signatureMethod)
    reference = try Reference(reading: first, limits)
    referenceCount = count
    var others: [Reference] = []
    while let other = parts.takeAny() { others.append(try Reference(reading: other, limits)) }
    otherReferences = others
    value = try SignatureReader.base64(signatureValue, .malformedSignatureValue)
  }

  /// How many references are left, after which nothing else may follow.
  private static func referenceCount(
    _ parts: ChildReader, in signedInfo: Element
  ) throws(TokenError) -> Int {
    var rest = parts
    var count = 0
    while rest.take(DSName.reference) != nil { count += 1 }
    guard rest.next == nil else { throw structureError(signedInfo) }
    return count
  }

  /// All references in order.
  package var references: [Reference] { [reference] + otherReferences }

  /// Finds the key that signed SignedInfo.
  ///
  /// - Throws: what ``KeyRing/match(_:over:_:reliesOnSHA1:mayBeASN1:at:)`` throws.
  func match(
    _ ring: KeyRing, at now: Instant, _ scratch: inout OctetWriter
  ) throws(TokenError) -> KeyRing.Match {
    scratch.removeAll()
    Canonicalizer.write(signedInfo.subtree, method, to: &scratch)
    do {
      return try scratch.withBytes { octets throws(TokenError) in
        try ring.match(
          value, over: octets, algorithm, reliesOnSHA1: reliesOnSHA1, mayBeASN1: true, at: now)
      }
    } catch {
      throw error.located(at: element.path)
    }
  }

  /// The changes that, undone, make the signature valid; each as a sentence. None of a signature that is valid, and
  /// none that changes nothing.
  package func suspects(_ ring: KeyRing, at now: Instant) -> [String] {
    let signed = Canonicalizer.octets(signedInfo.subtree, method)
    func fits(_ octets: [UInt8]) -> Bool {
      let match = try? ring.match(
        value, over: octets.span, algorithm, reliesOnSHA1: reliesOnSHA1, mayBeASN1: true, at: now)
      return match != nil
    }
    guard !fits(signed) else { return [] }
    return CommonAlterations.variants(of: signedInfo.subtree, method)
      .filter { $0.octets != signed && fits($0.octets) }.map(\.suspect)
  }

  private var reliesOnSHA1: Bool {
    reference.digestAlgorithm == .sha1
      || otherReferences.contains { $0.digestAlgorithm == .sha1 }
  }

  private static func method(
    _ element: Element, _ limits: Limits
  ) throws(TokenError) -> CanonicalizationMethod {
    let uri = try SignatureReader.algorithm(of: element)
    guard var method = CanonicalizationMethod(uri: uri, in: element) else {
      throw TokenError(
        .unknownCanonicalization, node: element.path,
        found: TokenError.excerpt(element.string(uri)))
    }
    try SignatureReader.addPrefixList(
      of: element, to: &method, limits, else: .signatureStructure)
    return method
  }

  private static func algorithm(_ element: Element) throws(TokenError) -> SignatureAlgorithm {
    let uri = try SignatureReader.algorithm(of: element)
    var children = try ChildReader(element)
    if children.take(DSName.hmacOutputLength) != nil {
      throw TokenError(.hmacOutputLength, node: element.path)
    }
    guard let algorithm = element.withBytes(uri, SignatureAlgorithm.named) else {
      throw TokenError(
        .unknownSignatureAlgorithm, node: element.path,
        found: TokenError.excerpt(element.string(uri)))
    }
    guard children.next == nil else { throw structureError(element) }
    return algorithm
  }

  private static func structureError(_ element: Element) -> TokenError {
    TokenError(
      .signatureStructure, node: element.path,
      expected: "each part once, in the order of the schema")
  }
}
