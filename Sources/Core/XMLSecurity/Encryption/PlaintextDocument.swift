package import TokenErrors
package import XMLTree

/// Plaintext as a document of its own: no identifier and no element of the surrounding message is
/// reachable from it.
package enum PlaintextDocument {
  /// The one element of `octets`.
  ///
  /// Where it uses prefixes that only the message declares, or its default namespace, it is parsed again inside a
  /// wrapper that declares what is in scope at `parent`, and nothing else. Whether that may be relied on is for
  /// ``PlaintextNamespaces`` to check.
  ///
  /// - Parameter parsedCount: Grows by the octets that were parsed, also where it throws.
  /// - Throws: `xml.*`, `input.too-large`.
  package static func element(
    _ octets: [UInt8], insideOf parent: Element, limits: Limits, parsedCount: inout Int
  ) throws(TokenError) -> Element {
    do throws(TokenError) {
      let document = try Document(parsing: octets, limits: limits, parsedCount: &parsedCount)
      _ = try IdentifierIndex(document)
      guard !(parent.namespace(forPrefix: "") ?? "").isEmpty,
        document.root.undeclaredPrefixes.contains("")
      else { return document.root }
    } catch {
      guard error.code == .malformedNamespace else { throw error }
    }
    let document = try Document(
      parsing: NamespaceScope(at: parent).wrapping(octets), limits: limits,
      parsedCount: &parsedCount)
    _ = try IdentifierIndex(document)
    let children = try document.root.children()
    // Which of two faults comes first, the prefix or the second element, depends on the version of libxml2.
    guard children.count == 1 else {
      throw TokenError(.malformedXML, node: parent.path, expected: "one element")
    }
    return children[0]
  }
}
