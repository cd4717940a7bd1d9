import Octets
package import SecurityKeys

/// A text that a verified signature covers. Only such texts meet what a caller expects.
package struct SignedText {
  package let text: String

  /// - Parameter match: The result of verifying the signature over the text, which only a valid signature
  ///   has.
  package init(_ text: String, coveredBy match: borrowing KeyRing.Match) { self.text = text }

  package func meets(_ expected: String) -> Bool { text.hasSameBytes(as: expected) }
}

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
