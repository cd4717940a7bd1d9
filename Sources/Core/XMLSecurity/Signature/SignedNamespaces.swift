import Octets
package import XMLTree

/// The namespaces of prefixes in the octets that a signature covers, for values that use prefixes.
package struct SignedNamespaces: Sendable {
  let apex: Element
  let method: CanonicalizationMethod

  /// The namespace that `prefix` (empty: the default namespace) is bound to at `element`, inside the
  /// signed element; nil where the signature covers no binding of it, or another one than the
  /// document declares.
  package func namespace(forPrefix prefix: String, at element: Element) -> String? {
    guard let rendered = element.renderedNamespace(forPrefix: prefix, in: apex, method),
      rendered.hasSameBytes(as: element.namespace(forPrefix: prefix) ?? "")
    else { return nil }
    return rendered
  }

  /// Whether nobody can give `prefix` another meaning at `element` without changing what was digested.
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
