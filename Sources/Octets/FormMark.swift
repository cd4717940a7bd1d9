/// An octet that separates or escapes parts of form-encoded text.
public struct FormMark: BitwiseCopyable, Hashable, Sendable {
  /// As `cvectors_decode_form` writes it.
  @usableFromInline let word: UInt64

  /// The mark in a word of the decoder.
  @inlinable public init(word: UInt64) { self.word = word }

  /// Its position.
  @inlinable public var place: Int { Int(word & 0xFFF_FFFF) }
  /// Where it, or what it begins, is decoded.
  @inlinable public var decodedPlace: Int { Int(word &>> 28 & 0xFFF_FFFF) }
  /// `&` and `=`, `%` that begins an escape of no printable ASCII, 0 for `%` that begins no escape.
  @inlinable public var octet: UInt8 { UInt8(truncatingIfNeeded: word &>> 56) }
}
