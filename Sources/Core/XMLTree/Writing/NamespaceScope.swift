import TokenBasics

/// What is in scope at a place of a document, as an element around XML that was written to stand there.
///
/// The one writer of declarations around a plaintext: whatever a namespace's name has in it is escaped.
package struct NamespaceScope: Sendable {
  private let startTag: [UInt8]
  private static let endTag = Array("</Plaintext>".utf8)

  /// What is in scope at `element`.
  package init(at element: Element) {
    var tag = Array("<Plaintext".utf8)
    for (prefix, uri) in element.namespacesInScope.sorted(by: { $0.key < $1.key }) {
      tag += Array((prefix.isEmpty ? " xmlns=\"" : " xmlns:\(prefix)=\"").utf8)
      MarkupEscaping.append(uri.utf8, for: .attribute, to: &tag)
      tag.append(UInt8(ascii: "\""))
    }
    startTag = tag + [UInt8(ascii: ">")]
  }

  /// The content inside of an element that declares what is in scope and nothing else.
  package func wrapping(_ content: [UInt8]) -> [UInt8] { startTag + content + Self.endTag }

  /// The content of an element as long as one that ``wrapping(_:)`` made.
  package func content(of wrapped: [UInt8]) -> [UInt8] {
    Array(wrapped.dropFirst(startTag.count).dropLast(Self.endTag.count))
  }
}
