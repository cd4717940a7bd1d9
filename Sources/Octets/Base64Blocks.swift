/// Eight digits of Base 64 at a time, as long as there is nothing but digits.
@safe struct Base64Blocks {
  /// Where in a group of three bytes the bits of a digit belong, the first byte lowest: 256 values for
  /// each of the four places. What is no digit has bits above the 24.
  private let places: [UInt32]
  private static let noDigit: UInt32 = 0xFF00_0000

  init(digits: [UInt8]) {
    var places = [UInt32](repeating: Self.noDigit, count: 4 * 256)
    for (value, digit) in zip(UInt32(0)..., digits) {
      places[Int(digit)] = value << 2
      places[256 + Int(digit)] = value >> 4 | (value & 0xF) << 12
      places[512 + Int(digit)] = (value >> 2) << 8 | (value & 0x3) << 22
      places[768 + Int(digit)] = value << 16
    }
    self.places = places
  }

  /// Decodes whole blocks from the start of `text`; answers how many digits were read. The first block
  /// that holds anything else is left to the caller.
  func decode(_ text: Span<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let input = unsafe text.bytes
    let output = UnsafeMutableRawBufferPointer(output)
    var read = 0
    var written = 0
    unsafe places.withUnsafeBufferPointer { places in
      // Eight bytes are stored, of which six count.
      while text.count &- read >= 8, output.count &- written >= 8 {
        let digits = unsafe UInt64(
          littleEndian: input.unsafeLoadUnaligned(fromByteOffset: read, as: UInt64.self))
        let first = unsafe Self.group(UInt32(truncatingIfNeeded: digits), places)
        let second = unsafe Self.group(UInt32(truncatingIfNeeded: digits &>> 32), places)
        guard (first | second) & Self.noDigit == 0 else { break }
        unsafe output.storeBytes(
          of: (UInt64(first) | UInt64(second) &<< 24).littleEndian, toByteOffset: written,
          as: UInt64.self)
        read &+= 8
        written &+= 6
      }
    }
    return read
  }

  @inline(__always)
  private static func group(
    _ digits: UInt32, _ places: UnsafeBufferPointer<UInt32>
  ) -> UInt32 {
    unsafe places[Int(digits & 0xFF)] | places[256 &+ Int(digits &>> 8 & 0xFF)]
      | places[512 &+ Int(digits &>> 16 & 0xFF)] | places[768 &+ Int(digits &>> 24)]
  }
}
