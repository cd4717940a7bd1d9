extension String {
  /// Whether both strings are the same UTF-8 bytes.
  ///
  /// Swift's `==` calls canonically equivalent strings equal (`"K"` and U+212A KELVIN SIGN), which
  /// is never right for an issuer, an audience or an ID.
  package func hasSameBytes(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }
}

extension Sequence where Element == String {
  /// Whether one of the strings is the same UTF-8 bytes as `text`.
  package func containsBytes(of text: String) -> Bool {
    contains { $0.hasSameBytes(as: text) }
  }
}
