import Octets
import Testing

@Suite("Marks among bytes")
struct ByteMarksTests {
  private static func bits(_ bytes: [UInt8], at start: Int) -> UInt64 {
    ByteMarks.bits(
      bytes.span, at: start, UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "+"),
      UInt8(ascii: "="))
  }

  @Test("Each of the four is found wherever it stands, and nothing else is", arguments: 1...130)
  func places(count: Int) {
    for start in [0, 1, 64] where start < count {
      #expect(Self.bits([UInt8](repeating: UInt8(ascii: "a"), count: count), at: start) == 0)
      for place in start..<min(count, start + 64) {
        for mark in "%&+=".utf8 {
          var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count)
          bytes[place] = mark
          #expect(Self.bits(bytes, at: start) == 1 << UInt64(place - start))
        }
      }
    }
  }

  @Test("Every byte but the four is none of them")
  func others() {
    for byte in UInt8.min ... .max {
      let isMark = "%&+=".utf8.contains(byte)
      #expect(Self.bits([UInt8](repeating: byte, count: 64), at: 0) == (isMark ? .max : 0))
    }
  }
}
