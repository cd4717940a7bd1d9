import Octets
import Testing

@Suite("Statistics of bytes")
struct ByteStatisticsTests {
  /// The same octets in every run (Knuth's MMIX generator).
  private struct Sequence: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state.byteSwapped
    }
  }

  /// Spaces but for the bytes given.
  static func bytes(_ count: Int, _ others: [Int: UInt8]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0x20, count: count)
    for (place, byte) in others { bytes[place] = byte }
    return bytes
  }

  @Test("A NUL, a byte beyond ASCII and a tag are seen wherever they stand", arguments: 1...200)
  func places(count: Int) {
    let plain = ByteStatistics(Self.bytes(count, [:]).span)
    #expect(!plain.hasNUL && plain.isASCII && plain.tagCount == 0)
    for place in 0..<count {
      #expect(ByteStatistics(Self.bytes(count, [place: 0]).span).hasNUL)
      #expect(!ByteStatistics(Self.bytes(count, [place: 0x80]).span).isASCII)
      #expect(!ByteStatistics(Self.bytes(count, [place: 0xFF]).span).hasNUL)
      #expect(ByteStatistics(Self.bytes(count, [place: UInt8(ascii: "<")]).span).tagCount == 1)
    }
  }

  @Test(
    "Every tag counts, however many there are", arguments: [0, 1, 63, 64, 65, 255, 256, 10_000])
  func tags(count: Int) {
    let statistics = ByteStatistics([UInt8](repeating: UInt8(ascii: "<"), count: count).span)
    #expect(statistics.tagCount == count)
    #expect(statistics.isASCII && !statistics.hasNUL)
  }

  @Test("Processors with wide vectors and others count alike", arguments: 0...200)
  func processors(count: Int) {
    var generator = Sequence(state: UInt64(count) + 1)
    for _ in 0..<40 {
      let values: [UInt8] = [0, 0x7F, 0x80, UInt8(ascii: "<"), 0x20, 0x20, 0x20, 0x20]
      let bytes = (0..<count).map { _ in values[Int(generator.next() % 8)] }
      let wide = ByteStatistics(bytes.span)
      let plain = ByteStatistics(bytes.span, isPlain: true)
      #expect(wide.hasNUL == plain.hasNUL && wide.isASCII == plain.isASCII)
      #expect(wide.tagCount == plain.tagCount && wide.longestTag == plain.longestTag)
      #expect(wide.tagCount == bytes.count { $0 == UInt8(ascii: "<") })
      #expect(wide.hasNUL == bytes.contains(0))
      #expect(wide.isASCII == !bytes.contains { $0 >= 0x80 })
    }
  }

  @Test(
    "The longest tag is never shown shorter than it is, and at most two blocks longer",
    arguments: [0, 1, 40, 64, 100, 128, 200, 1000, 5000])
  func longest(gap: Int) {
    for start in [0, 1, 33, 63, 64, 90, 300] {
      let tag = UInt8(ascii: "<")
      let bytes = Self.bytes(start + gap + 200, [start: tag, start + gap + 1: tag])
      let found = ByteStatistics(bytes.span).longestTag
      let longest = [start, gap, 198].max() ?? 0
      #expect(found >= longest && found <= longest + 256, "gap \(gap) from \(start): \(found)")
    }
  }
}
