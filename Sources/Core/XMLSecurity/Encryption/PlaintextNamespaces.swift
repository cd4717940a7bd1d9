import Octets
package import TokenBasics
package import XMLTree

/// Refuses plaintext that takes the meaning of a prefix from what no signature covers.
///
/// Each prefix is declared in the plaintext, or covered by the signature around its ciphertext, or written into
/// the digest of the signature inside it. Names and qualified names in values count alike.
package struct PlaintextNamespaces {
  /// The element around the ciphertext, whose declarations the plaintext was parsed with.
  private let holder: Element
  private let coverage: NamespaceCoverage
  /// Attributes whose value is a qualified name, besides `xsi:type`.
  private let qualifiedAttributes: [ExpandedName]

  package init(
    at holder: Element, _ coverage: NamespaceCoverage, qualifiedAttributes: [ExpandedName] = []
  ) {
    self.holder = holder
    self.coverage = coverage
    self.qualifiedAttributes = qualifiedAttributes
  }

  /// Checks the element that the plaintext is.
  ///
  /// - Parameter signed: The namespaces in the digest of the signature inside of it, where it has one of its
  ///   own, which was verified; `element` is then the view that was digested.
  /// - Throws: `encryption.namespace`.
  package func check(_ element: Element, _ signed: SignedNamespaces?) throws(TokenError) {
    // A digest has the namespaces of all names in it.
    if signed == nil {
      for prefix in element.undeclaredPrefixes where !coverage.covers(prefix, at: holder) {
        throw error(prefix)
      }
    }
    for part in element.descendants(where: { $0.attributeCount > 0 }) {
      for name in qualifiedNames(of: part) {
        let prefix = Self.prefix(name)
        guard isCovered(prefix, at: part, in: element, signed) else { throw error(prefix) }
      }
    }
  }

  /// The values of an element that are qualified names.
  private func qualifiedNames(of element: Element) -> [String] {
    var names: [String] = []
    for name in qualifiedAttributes {
      if let value = element.collapsedAttribute(name) { names.append(value) }
    }
    guard let type = element.collapsedAttribute(Self.xsiType) else { return names }
    names.append(type)
    if Self.localPart(type).hasSameBytes(as: "QName"), let text = try? element.collapsedText() {
      names.append(text)
    }
    return names
  }

  private func isCovered(
    _ prefix: String, at part: Element, in element: Element, _ signed: SignedNamespaces?
  ) -> Bool {
    if prefix.hasSameBytes(as: "xml") || part.declares(prefix, upTo: element)
      || coverage.covers(prefix, at: holder) || signed?.covers(prefix, at: part) == true
    {
      return true
    }
    // A value without a prefix, where there is no default namespace, takes nothing from around.
    return prefix.isEmpty && (holder.namespace(forPrefix: "") ?? "").isEmpty
  }

  private func error(_ prefix: String) -> TokenError {
    TokenError(
      .encryptionNamespace, node: holder.path,
      expected: "a declaration inside of what is encrypted, or one that is signed",
      found: prefix.isEmpty
        ? "the default namespace" : "the prefix " + TokenError.excerpt(prefix))
  }

  private static func prefix(_ name: String) -> String {
    guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else { return "" }
    return String(name[..<colon])
  }

  private static func localPart(_ name: String) -> String {
    guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else { return name }
    return String(name[name.utf8.index(after: colon)...])
  }

  private static let xsiType = ExpandedName(
    "type", in: "http://www.w3.org/2001/XMLSchema-instance")
}

/// What verified signatures cover of the namespaces around ciphertext. Plaintext has no other context.
///
/// A declaration around the ciphertext that no digest covers can be changed by anybody, and with it the meaning of
/// every name in the plaintext that uses its prefix.
package indirect enum NamespaceCoverage: Sendable {
  /// No signature covers the ciphertext.
  case nothing
  /// A signature covers the ciphertext, and the declarations that its digest has.
  case digest(SignedNamespaces)
  /// The ciphertext is inside of a plaintext, `root`, whose own ciphertext is covered, and so every octet of it;
  /// what it does not declare is bound as it is at `holder`, around that ciphertext.
  case plaintext(root: Element, holder: Element, NamespaceCoverage)
  /// What either covers.
  case either(NamespaceCoverage, NamespaceCoverage)

  /// Whether what `prefix` (empty: the default namespace) is bound to at `element` is covered.
  package func covers(_ prefix: String, at element: Element) -> Bool {
    switch self {
    case .nothing:
      false
    case .digest(let namespaces):
      namespaces.covers(prefix, at: element)
    case .plaintext(let root, let holder, let around):
      element.declares(prefix, upTo: root) || around.covers(prefix, at: holder)
    case .either(let first, let second):
      first.covers(prefix, at: element) || second.covers(prefix, at: element)
    }
  }
}
