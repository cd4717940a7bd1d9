import Octets
package import SecurityKeys
package import TokenBasics
package import XMLTree

/// The enveloped signature of a document element that is parsed in parts: the canonical form is digested while the
/// parts arrive, and nothing of them is kept.
///
/// SignedInfo is verified first, so the digest to reach is the signer's. What was read is signed when ``finish()``
/// returns, and not before.
package final class SignedStream {
  private var signature: EnvelopedSignature
  private var canonical: CanonicalStream
  private var digest: RunningDigest?
  private var scratch = OctetWriter()
  private var depth = 0

  /// - Parameters:
  ///   - signature: The `ds:Signature` in the document element.
  ///   - root: The document element, without content where that comes in parts.
  ///   - id: The value of its identifier.
  ///   - isInPlace: Whether the signature stands where the schema has it; the match warns of another place.
  /// - Throws: `signature.*`, `algorithm.*`, `key.*`, `xml.*`.
  package init(
    _ signature: Element, of root: Element, id: ArraySlice<UInt8>, isInPlace: Bool, keys: KeyRing,
    at now: Instant, limits: Limits
  ) throws(TokenError) {
    self.signature = try EnvelopedSignature(
      signature, id: id, mayBeOfDocument: true, keys: keys, at: now, limits: limits,
      scratch: &scratch)
    if !isInPlace { self.signature.match.warnings.append(EnvelopedSignature.misplaced(in: root)) }
    canonical = CanonicalStream(self.signature.method)
    digest = RunningDigest(self.signature.reference.digestAlgorithm)
    scratch.removeAll()
  }

  /// Digests the next part of the document. The signature is no part.
  ///
  /// - Parameter omitted: An element of the part that is not digested: the signature, where the part is the document
  ///   element.
  package func add(_ part: DocumentStream.Part, omitting omitted: Element? = nil) {
    switch part {
    case .containerStart(let container):
      canonical.start(container.root, to: &scratch)
      depth += 1
    case .containerEnd:
      canonical.end(to: &scratch)
      depth -= 1
    case .child(let document):
      let subtree = omitted.map { document.root.omitting($0).subtree } ?? document.root.subtree
      canonical.write(subtree, to: &scratch) { digest?.add($0) }
    case .text(let text):
      canonical.text(text, to: &scratch)
    case .instruction(let target, let data):
      // Beside the document element they belong to the document alone.
      if depth > 0 || signature.isOfDocument {
        canonical.instruction(target, data, to: &scratch)
      }
    }
    if scratch.count >= Self.pieceCount { flush() }
  }

  /// The namespaces of prefixes inside the part at hand: a child of the container that opened last.
  package func namespaces(of part: Element) -> SignedNamespaces {
    SignedNamespaces(apex: part, method: signature.method, outer: canonical.namespaces)
  }

  /// Compares the digest, after the last part. Everything that was added is signed if this returns.
  ///
  /// - Throws: `signature.digest-mismatch`.
  package func finish() throws(TokenError) -> KeyRing.Match {
    flush()
    guard let digest = digest.take() else { throw TokenError(.digestMismatch) }
    try signature.reference.check(digest)
    return signature.match
  }

  /// Whether the SignedInfo of `signature` would, as inclusive canonicalization has it, take over attributes of the
  /// element around, which is no longer there. None of those who publish metadata has them: no schema allows it.
  package static func inheritsAttributes(_ signature: Element, from root: Element) -> Bool {
    guard root.hasAttributesOfXML else { return false }
    let method = signature.firstDescendant(named: [DSName.canonicalizationMethod])
    let uri = method?.attribute(DSName.algorithm)
    return uri.flatMap(CanonicalizationMethod.init(uri:))?.algorithm != .exclusive
  }

  private func flush() {
    scratch.withBytes { digest?.add($0) }
    scratch.removeAll()
  }

  /// Octets that are digested at once, about.
  private static let pieceCount = 32 << 10
}

/// The identifiers of a document that is parsed in parts; each must be unique in the whole document.
package struct StreamedIdentifiers {
  /// The first half of the SHA-256 of each: less than the identifiers themselves, and two that only share it would
  /// have to be found first.
  private var known: Set<SIMD2<UInt64>> = []

  package init() {}

  /// - Throws: `xml.duplicate-id`, `xml.malformed-id`.
  package mutating func add(_ part: Document) throws(TokenError) {
    let identifiers = try IdentifierIndex(part)
    var added: [SIMD2<UInt64>] = []
    try identifiers.forEachValue(in: part) { (value) throws(TokenError) in
      let mark = Self.mark(value)
      guard !known.contains(mark) else {
        throw TokenError(
          .duplicateID, node: part.root.path,
          found: TokenError.excerpt(Bytes.string(value)))
      }
      added.append(mark)
    }
    known.formUnion(added)
  }

  private static func mark(_ value: Span<UInt8>) -> SIMD2<UInt64> {
    var mark = SIMD2<UInt64>(repeating: 0)
    let digest = DigestAlgorithm.sha256.value(of: value)?.bytes ?? []
    for (place, byte) in digest.prefix(16).enumerated() {
      mark[place / 8] = mark[place / 8] << 8 | UInt64(byte)
    }
    return mark
  }
}
