/// What the places of texts refer to: the table of a token's claims, or its builder.
package protocol ClaimTexts: ~Copyable {
  /// Whether the text is exactly the bytes of `string`.
  func hasBytes(_ text: ClaimText, of string: String) -> Bool
  /// The text as a `String`.
  func string(_ text: ClaimText) -> String
}
