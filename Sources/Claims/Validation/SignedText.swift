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
