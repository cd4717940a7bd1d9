import COctets

/// Sixteen digits of Base 64 at a time, thirty-two or sixty-four where the processor can, as long as
/// there is nothing but digits.
///
/// Nothing changes what it points to, hence Sendable.
@safe package struct Base64Blocks: @unchecked Sendable {
  private typealias Lanes = SIMD16<UInt8>
  /// The two digits in which the alphabets differ.
  private let digit62: UInt8
  private let digit63: UInt8
  /// By its place, because it is two hundred bytes. There are two alphabets, kept for good.
  private let wide: UnsafePointer<cvectors_digits>

  package init(digits: InlineArray<64, UInt8>) {
    digit62 = digits[62]
    digit63 = digits[63]
    let alphabet = UnsafeMutablePointer<cvectors_digits>.allocate(capacity: 1)
    unsafe digits.span.withUnsafeBufferPointer { digits in
      unsafe alphabet.initialize(to: cvectors_alphabet(digits.baseAddress))
    }
    unsafe wide = unsafe UnsafePointer(alphabet)
  }

  /// Decodes whole blocks from `start` on and adds their octets to `written`. Returns where the first
  /// block begins that holds anything else, or is none.
  package func decode(
    _ text: Span<UInt8>, from start: Int, into buffer: UnsafeMutableBufferPointer<UInt8>,
    _ written: inout Int
  ) -> Int {
    let output = UnsafeMutableRawBufferPointer(buffer)
    var read = unsafe start &+ decodeWide(text.extracting(start...), buffer.extracting(written...))
    written &+= (read &- start) / 4 &* 3
    // Two words are stored, of which six bytes each count.
    while text.count &- read >= 16, output.count &- written >= 16 {
      let digits = ByteVector.load(text, at: read)
      let distances = distances(digits)
      guard ByteVector.isNowhere(ByteVector.below(1, distances)) else { break }
      // Six bits each; then neighbours are joined until a word has 48.
      let sixes: SIMD8<UInt16> = ByteVector.same(digits &+ distances)
      let twelves: SIMD4<UInt32> = ByteVector.same(((sixes & 0xFF) &<< 6) | (sixes &>> 8))
      let groups: SIMD2<UInt64> = ByteVector.same(
        ((twelves & 0xFFFF) &<< 12) | (twelves &>> 16))
      let words = ((groups & 0xFFFF_FFFF) &<< 40) | ((groups &>> 32) &<< 16)
      unsafe output.storeBytes(of: words[0].byteSwapped, toByteOffset: written, as: UInt64.self)
      unsafe output.storeBytes(
        of: words[1].byteSwapped, toByteOffset: written &+ 6, as: UInt64.self)
      read &+= 16
      written &+= 12
    }
    return read
  }

  /// Decodes the first block. Returns its number of digits.
  private func decodeWide(_ text: Span<UInt8>, _ room: UnsafeMutableBufferPointer<UInt8>) -> Int {
    unsafe text.withUnsafeBufferPointer { text in
      unsafe cvectors_decode_base64(
        text.baseAddress, text.count, wide, room.baseAddress, room.count)
    }
  }

  /// What to add to each digit for its value, modulo 256. It is never 0, which marks a byte that is no digit.
  @inline(__always)
  private func distances(_ digits: Lanes) -> Lanes {
    Self.distance(digits, from: UInt8(ascii: "A"), count: 26, value: 0)
      | Self.distance(digits, from: UInt8(ascii: "a"), count: 26, value: 26)
      | Self.distance(digits, from: UInt8(ascii: "0"), count: 10, value: 52)
      | (ByteVector.mask(ByteVector.equal(digit62, digits)) & Lanes(repeating: 62 &- digit62))
      | (ByteVector.mask(ByteVector.equal(digit63, digits)) & Lanes(repeating: 63 &- digit63))
  }

  @inline(__always)
  private static func distance(
    _ digits: Lanes, from first: UInt8, count: UInt8, value: UInt8
  ) -> Lanes {
    ByteVector.mask(ByteVector.below(count, digits &- Lanes(repeating: first)))
      & Lanes(repeating: value &- first)
  }
}
