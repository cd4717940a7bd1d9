import Octets
import Testing

@Suite("Texts that are UTF-8")
struct UTF8CheckTests {
  /// What the standard library says of all of the text.
  private func expected(_ text: [UInt8]) -> Int? {
    do {
      _ = try UTF8Span(validating: text.span)
      return nil
    } catch {
      return error.byteOffsets.lowerBound
    }
  }

  private static let sequences: [[UInt8]] = [
    Array("é".utf8), Array("Ω漢😀".utf8), [0xC3], [0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80],
    [0xE6, 0xBC], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xC3, 0xC3, 0xA9],
  ]

  @Test("The first place that is none is found wherever it stands", arguments: sequences)
  func place(sequence: [UInt8]) {
    for before in 0...40 {
      for after in [0, 1, 7, 15, 16, 17, 33] {
        for lead in [[], Array("é".utf8), Array("漢a".utf8)] {
          let text =
            lead + Array(repeating: 0x61, count: before) + sequence
            + Array(repeating: 0x62, count: after)
          #expect(text.span.firstNotUTF8 == expected(text))
        }
      }
    }
  }

  @Test("A text of ASCII alone, or of nothing, is UTF-8")
  func ascii() {
    for count in 0...70 {
      #expect(Array(repeating: UInt8(0x7F), count: count).span.firstNotUTF8 == nil)
    }
  }
}
