import Octets

/// A text that no signature covers: whoever delivers the token may have written it. It contradicts what
/// a caller expects or leaves it open; it never meets it.
package struct UnsignedText {
  package let text: String

  /// Nil for no text, and for an empty one, which names nothing.
  package init?(_ text: String?) {
    guard let text, !text.isEmpty else { return nil }
    self.text = text
  }

  package func contradicts(_ expected: String) -> Bool { !text.hasSameBytes(as: expected) }
}
