import CByteVectors

/// Sixty-four octets of form-encoded text, decoded, `+` to a space, and what was seen in them.
@usableFromInline
package struct FormBlock {
  /// Which are `&` and `=`, which are left as they are, and `%` that begins no escape or one of an octet
  /// that is no printable ASCII: a bit each, the first octet lowest.
  package private(set) var marks: UInt64 = 0
  /// The same among the decoded octets.
  package private(set) var decodedMarks: UInt64 = 0
  /// Which are `%` that begins no escape.
  package private(set) var broken: UInt64 = 0
  /// How many octets were decoded.
  package private(set) var decodedCount = 0
  /// How many octets behind the block belong to its last escape.
  package private(set) var overhang = 0
  /// Whether an octet is no printable ASCII, or a quotation mark.
  package private(set) var hasOthers = false

  @inlinable package static var count: Int { 64 }
  /// Octets that must be there to be read, because an escape reaches out of its block and a copy takes
  /// sixteen, and to be written.
  @inlinable package static var room: Int { count + 18 }

  /// Nothing yet.
  package init() {}

  /// Decodes the octets at `text`, of which the first `overhang` belong to the escape before them.
  @unsafe package init(
    decoding text: UnsafePointer<UInt8>, overhang: Int, to output: UnsafeMutablePointer<UInt8>
  ) {
    if Self.isWide {
      let form = unsafe cvectors_decode_form(text, UInt32(truncatingIfNeeded: overhang), output)
      marks = form.marks
      decodedMarks = form.decoded_marks
      broken = form.broken
      decodedCount = Int(form.count)
      self.overhang = Int(form.overhang)
      hasOthers = form.has_others != 0
    } else {
      unsafe decode(text, overhang, output)
    }
  }

  /// As it is done by every processor.
  @unsafe package init(
    decodingSlowly text: UnsafePointer<UInt8>, overhang: Int,
    to output: UnsafeMutablePointer<UInt8>
  ) {
    unsafe decode(text, overhang, output)
  }

  private static let isWide = cvectors_decodes_forms() != 0

  @unsafe private mutating func decode(
    _ text: UnsafePointer<UInt8>, _ skipped: Int, _ start: UnsafeMutablePointer<UInt8>
  ) {
    let own = UInt64.max &<< UInt64(truncatingIfNeeded: skipped)
    marks = unsafe own & cvectors_marks(text, ASCII.ampersand, ASCII.equals)
    unsafe hasOthers = Self.hasOthers(text)
    var left = unsafe own & cvectors_marks(text, ASCII.percent, ASCII.percent)
    // What changes at every turn is a local, which a register holds.
    var output = UnsafeMutableRawPointer(start)
    var read = skipped
    var escapes: UInt64 = 0
    while left != 0 {
      let place = left.trailingZeroBitCount
      let percent = left & (0 &- left)
      left ^= percent
      unsafe Self.copy(text + read, place &- read, to: output)
      unsafe output += place &- read
      read = place
      let high = unsafe cvectors_hex_digit(text[place &+ 1])
      let low = unsafe cvectors_hex_digit(text[place &+ 2])
      if high & low != 0 {
        let octet = high &<< 4 | (low & 15)
        unsafe output.storeBytes(of: octet, as: UInt8.self)
        unsafe output += 1
        read = place &+ 3
        escapes |= percent
        let isPrintable = octet &- 0x20 < 0x5F
        if !isPrintable { marks |= percent }
      } else {
        broken |= percent
      }
    }
    marks |= broken
    if read < Self.count { unsafe Self.copy(text + read, Self.count &- read, to: output) }
    overhang = max(read &- Self.count, 0)
    // What stands for itself or begins an escape is one octet when it is decoded.
    let kept = ~(escapes &<< 1 | escapes &<< 2) & own
    decodedCount = kept.nonzeroBitCount
    left = marks
    while left != 0 {
      decodedMarks |= 1 &<< UInt64(truncatingIfNeeded: Self.decodedPlace(ofFirst: left, kept))
      left &= left &- 1
    }
    left = unsafe own & cvectors_marks(text, ASCII.plus, ASCII.plus)
    // A plus behind a percent sign is no digit, so it is one octet as every other.
    while left != 0 {
      unsafe start[Self.decodedPlace(ofFirst: left, kept)] = ASCII.space
      left &= left &- 1
    }
  }

  /// Where the first of these octets is decoded, when those that are kept are one octet each.
  private static func decodedPlace(ofFirst octets: UInt64, _ kept: UInt64) -> Int {
    (kept & ((octets & (0 &- octets)) &- 1)).nonzeroBitCount
  }

  @unsafe private static func hasOthers(_ text: UnsafePointer<UInt8>) -> Bool {
    let octets = unsafe UnsafeRawPointer(text)
    let one = SIMD16<UInt8>(repeating: 1)
    var found = SIMD16<UInt8>()
    for part in 0..<4 {
      let lanes = unsafe octets.loadUnaligned(fromByteOffset: part &* 16, as: SIMD16<UInt8>.self)
      // Of octets without the highest bit, one less than 0 has it, and one more than 0x7F.
      found |= lanes | (lanes &- SIMD16(repeating: 0x21)) | (lanes &+ one)
      found |= (lanes ^ SIMD16(repeating: 0x22)) &- one
    }
    return !ByteVector.isNowhere(found)
  }

  /// Copies sixteen octets at a time, mostly once; what is too much is written over.
  @inline(__always)
  @unsafe private static func copy(
    _ text: UnsafePointer<UInt8>, _ count: Int, to output: UnsafeMutableRawPointer
  ) {
    let input = unsafe UnsafeRawPointer(text)
    var offset = 0
    repeat {
      let lanes = unsafe input.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
      unsafe output.storeBytes(of: lanes, toByteOffset: offset, as: SIMD16<UInt8>.self)
      offset &+= 16
    } while offset < count
  }
}
