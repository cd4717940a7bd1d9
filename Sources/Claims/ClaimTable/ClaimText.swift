import Octets

/// The range of a claim's text: in the octets of the token, or in those that a reader added.
@usableFromInline
package struct ClaimText: BitwiseCopyable, Hashable, Sendable {
  /// The start; the highest bit marks an added text.
  @usableFromInline let place: UInt32
  @usableFromInline let count: UInt32

  @inlinable
  package init(_ range: Range<Int>, isAdded: Bool = false) {
    place = UInt32(truncatingIfNeeded: range.lowerBound) | (isAdded ? Self.addedBit : 0)
    count = UInt32(truncatingIfNeeded: range.count)
  }

  @inlinable package var isAdded: Bool { place & Self.addedBit != 0 }

  @inlinable package var range: Range<Int> {
    let start = Int(place & ~Self.addedBit)
    return start..<start &+ Int(count)
  }

  @inlinable package var byteCount: Int { Int(count) }

  // Tokens have at most 10 MiB.
  @inlinable static var addedBit: UInt32 { 1 << 31 }

  package static let empty = Self(0..<0)

  /// The text, which is in one of both, as a `String`.
  func string(in octets: [UInt8], _ added: AddedTexts) -> String {
    isAdded ? Bytes.string(added.octets, range) : Bytes.string(octets, range)
  }

  /// Whether the text, which is in one of both, is exactly these bytes.
  func hasBytes(_ bytes: Span<UInt8>, in octets: [UInt8], _ added: AddedTexts) -> Bool {
    isAdded
      ? Bytes.areEqual(added.octets.span.extracting(range), bytes)
      : Bytes.areEqual(octets.span.extracting(range), bytes)
  }
}
