package import XMLTree

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
