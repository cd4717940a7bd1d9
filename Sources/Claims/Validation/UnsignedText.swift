import Octets

/// A text that no signature covers, which the sender of the token may have written. It can contradict what
/// a caller expects; it never meets it.
package struct UnsignedText {
  package let text: String

  /// Nil for no text or an empty one.
  package init?(_ text: String?) {
    guard let text, !text.isEmpty else { return nil }
    self.text = text
  }

  package func contradicts(_ expected: String) -> Bool { !text.hasSameBytes(as: expected) }
}
