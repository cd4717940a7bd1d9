package import Octets
package import SecurityKeys
package import TokenBasics
package import XMLTree

/// An element whose signature was verified.
///
/// ``element`` is the very view whose canonical octets were digested: it omits the signature, and a
/// reader reaches from it only what the digest covered. Only
/// ``verify(_:_:id:place:wholeDocument:keys:at:limits:scratch:)`` makes one.
package struct SignedElement: Sendable {
  package let element: Element
  package let match: KeyRing.Match
  private let method: CanonicalizationMethod

  private init(element: Element, match: KeyRing.Match, method: CanonicalizationMethod) {
    self.element = element
    self.match = match
    self.method = method
  }

  /// The namespaces of prefixes inside the element.
  package var namespaces: SignedNamespaces { SignedNamespaces(apex: element, method: method) }

  /// The signature that is a child of `element`, if there is one.
  ///
  /// It is found from the element, never the element from a signature.
  ///
  /// - Throws: `signature.repeated`.
  package static func signature(of element: Element) throws(TokenError) -> Element? {
    let name = DSName.signature
    var signature: Element?
    try element.forEachChild { child throws(TokenError) in
      guard child.isNamed(name) else { return }
      guard signature == nil else { throw TokenError(.signatureRepeated, node: child.path) }
      signature = child
    }
    return signature
  }

  /// Verifies the enveloped signature of `element` (SAML Core 5.4): one reference, to `element` by
  /// its own identifier, and the two transforms that SAML allows.
  ///
  /// - Parameters:
  ///   - signature: The child of `element` that ``signature(of:)`` found.
  ///   - id: The value of `element`'s identifier.
  ///   - place: The signature's position by the schema; the match warns of another one.
  ///   - wholeDocument: Whether a reference to the whole document (`URI=""`) is accepted when `element`
  ///     is the document element.
  /// - Throws: `signature.*`, `algorithm.*`, `key.*`, `xml.*`.
  package static func verify(
    _ element: Element, _ signature: Element, id: ArraySlice<UInt8>, place: SignaturePlace,
    wholeDocument: WholeDocument,
    keys: KeyRing, at now: Instant, limits: Limits, scratch: inout OctetWriter
  ) throws(TokenError) -> SignedElement {
    let enveloped = try EnvelopedSignature(
      signature, id: id, mayBeOfDocument: accepts(wholeDocument, element), keys: keys, at: now,
      limits: limits, scratch: &scratch)
    var match = enveloped.match
    let content = element.omitting(signature)
    // The document is its element and the instructions around it, which are never read.
    let digested =
      enveloped.isOfDocument ? element.document.subtree(omitting: signature) : content.subtree
    try enveloped.reference.check(digested, enveloped.method, &scratch)
    if !place.isPlace(of: signature, in: element) {
      match.warnings.append(EnvelopedSignature.misplaced(in: element))
    }
    return SignedElement(element: content, match: match, method: enveloped.method)
  }

  /// Whether a reference to the whole document counts as one to `element`.
  private static func accepts(_ wholeDocument: WholeDocument, _ element: Element) -> Bool {
    guard element.parent == nil else { return false }
    switch wholeDocument {
    case .refused: return false
    case .elementAlone: return !element.document.hasInstructionsBesideRoot
    case .accepted: return true
    }
  }
}

/// The namespaces of prefixes in the octets that a signature covers, for values that use prefixes.
package struct SignedNamespaces: Sendable {
  let apex: Element
  let method: CanonicalizationMethod
  /// What the signed octets declare around the apex, where it is a part of the signed element.
  var outer = OuterNamespaces()

  /// The namespace that `prefix` (empty: the default namespace) is bound to at `element`, inside the
  /// signed element; nil where the signature covers no binding of it, or another one than the
  /// document declares.
  package func namespace(forPrefix prefix: String, at element: Element) -> String? {
    let inside = element.renderedNamespace(forPrefix: prefix, in: apex, method)
    guard let rendered = inside ?? outer.uri(forPrefix: prefix),
      rendered.hasSameBytes(as: element.namespace(forPrefix: prefix) ?? "")
    else { return nil }
    return rendered
  }

  /// Whether the digest fixes the meaning of `prefix` at `element`.
  package func covers(_ prefix: String, at element: Element) -> Bool {
    if namespace(forPrefix: prefix, at: element) != nil { return true }
    // A default namespace that there is not is written as nothing, by a method that would write it.
    return prefix.isEmpty && method.writesDefaultNamespace
      && (element.namespace(forPrefix: "") ?? "").isEmpty
  }
}

extension CanonicalizationMethod {
  fileprivate var writesDefaultNamespace: Bool {
    algorithm != .exclusive || inclusivePrefixes.contains { $0.hasSameBytes(as: "#default") }
  }
}

/// The position of the Signature in a signed element by its schema. Some issuers put it elsewhere,
/// which does not change what it covers.
package enum SignaturePlace: Sendable {
  /// Before every other child.
  case first
  /// After the first child if that has this name, else before every other child.
  case behind(ExpandedName)
  /// After every other child.
  case last

  /// Whether `signature`, a child of `element`, is at this position.
  func isPlace(of signature: Element, in element: Element) -> Bool {
    guard var children = try? ChildReader(element), let first = children.takeAny() else {
      return false
    }
    switch self {
    case .first:
      return first.isSameNode(as: signature)
    case .behind(let name):
      guard first.isNamed(name) else {
        return first.isSameNode(as: signature) && children.next?.isNamed(name) != true
      }
      return children.next?.isSameNode(as: signature) ?? false
    case .last:
      var last = first
      while let child = children.takeAny() { last = child }
      return last.isSameNode(as: signature)
    }
  }
}
