import Octets

/// A text that no signature covers, which the sender of the token may have written. It can contradict what
/// a caller expects; it never meets it.
package struct UnsignedText {
  package let text: String

  /// Nil where there is no text. An empty one is there, and contradicts whatever is expected.
  package init?(_ text: String?) {
    guard let text else { return nil }
    self.text = text
  }

  package func contradicts(_ expected: String) -> Bool { !text.hasSameBytes(as: expected) }
}
