import Octets
package import SecurityKeys

/// A text that a verified signature covers: the only kind that meets what a caller expects.
package struct SignedText {
  package let text: String

  /// - Parameter match: What the verification of the signature over the text came to. Only a signature
  ///   that holds gives one.
  package init(_ text: String, coveredBy match: borrowing KeyRing.Match) { self.text = text }

  package func meets(_ expected: String) -> Bool { text.hasSameBytes(as: expected) }
}
