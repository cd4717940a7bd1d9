#if Client
  /// 100 MB of zeros as 630 kB of gzip (RFC 1952): one zero, then copies of 258 zeros.
  enum GzipBomb {
    static let octets: [UInt8] = {
      var writer = BitWriter()
      writer.bytes = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
      // The last block, with fixed codes (RFC 1951, 3.2.6).
      writer.write(1, 1)
      writer.write(1, 2)
      // The literal 0 is the code 00110000, a length of 258 is 11000101, a distance of 1 is 00000.
      writer.writeReversed(0b0011_0000, 8)
      for _ in 0..<(100_000_000 / 258) {
        writer.writeReversed(0b1100_0101, 8)
        writer.writeReversed(0, 5)
      }
      writer.writeReversed(0, 7)
      writer.flush()
      // Checksum and size are never reached.
      return writer.bytes + [UInt8](repeating: 0, count: 8)
    }()

    private struct BitWriter {
      var bytes: [UInt8] = []
      private var pending: UInt32 = 0
      private var count: UInt32 = 0

      mutating func write(_ bits: UInt32, _ width: UInt32) {
        pending |= bits << count
        count += width
        while count >= 8 {
          bytes.append(UInt8(truncatingIfNeeded: pending))
          pending >>= 8
          count -= 8
        }
      }

      mutating func writeReversed(_ bits: UInt32, _ width: UInt32) {
        for index in (0..<width).reversed() { write(bits >> index & 1, 1) }
      }

      mutating func flush() { if count > 0 { write(0, 8 - count) } }
    }
  }
#endif
