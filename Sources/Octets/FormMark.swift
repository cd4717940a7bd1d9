/// An octet of form-encoded text that means something to whom takes the text apart. Public so that loops in
/// other modules inline it; no product exports it.
public struct FormMark: BitwiseCopyable, Hashable, Sendable {
  /// As `cvectors_decode_form` writes it.
  @usableFromInline let word: UInt64

  @inlinable public init(word: UInt64) { self.word = word }

  /// Where it stands.
  @inlinable public var place: Int { Int(word & 0xFFF_FFFF) }
  /// Where it, or what it begins, is decoded.
  @inlinable public var decodedPlace: Int { Int(word &>> 28 & 0xFFF_FFFF) }
  /// `&` and `=`, `%` that begins an escape of no printable ASCII, 0 for `%` that begins no escape.
  @inlinable public var octet: UInt8 { UInt8(truncatingIfNeeded: word &>> 56) }
}
