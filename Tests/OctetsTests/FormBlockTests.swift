import Octets
import Testing

@Suite("Sixty-four octets of form-encoded text at once")
struct FormBlockTests {
  struct Seen: Equatable {
    var marks: UInt64 = 0
    var decodedMarks: UInt64 = 0
    var broken: UInt64 = 0
    var decoded: [UInt8] = []
    var overhang = 0
    var hasOthers = false
  }

  /// The same octets in every run (Knuth's MMIX generator).
  struct Sequence: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state.byteSwapped
    }
  }

  /// Octet by octet.
  private static func expected(_ text: [UInt8], _ overhang: Int) -> Seen {
    var seen = Seen()
    seen.hasOthers = text.prefix(64).contains { $0 <= 0x20 || $0 >= 0x7F || $0 == 0x22 }
    var place = overhang
    while place < 64 {
      let octet = text[place]
      let high = Hex.value(text[place + 1])
      let low = Hex.value(text[place + 2])
      var isMark = "&=".utf8.contains(octet)
      if octet == UInt8(ascii: "%") {
        if let high, let low {
          let value = high << 4 | low
          isMark = !(0x20..<0x7F).contains(value)
          mark(isMark, place, &seen)
          seen.decoded.append(value)
          place += 3
          continue
        }
        isMark = true
        seen.broken |= 1 << UInt64(place)
      }
      mark(isMark, place, &seen)
      seen.decoded.append(octet == UInt8(ascii: "+") ? UInt8(ascii: " ") : octet)
      place += 1
    }
    seen.overhang = place - 64
    return seen
  }

  private static func mark(_ isMark: Bool, _ place: Int, _ seen: inout Seen) {
    guard isMark else { return }
    seen.marks |= 1 << UInt64(place)
    seen.decodedMarks |= 1 << UInt64(seen.decoded.count)
  }

  private static func seen(_ text: [UInt8], _ overhang: Int, slowly: Bool) -> Seen {
    var output = [UInt8](repeating: 0, count: FormBlock.room)
    let block = unsafe text.withUnsafeBufferPointer { text in
      unsafe output.withUnsafeMutableBufferPointer { output in
        guard let text = text.baseAddress, let output = output.baseAddress else {
          return FormBlock()
        }
        return unsafe slowly
          ? FormBlock(decodingSlowly: text, overhang: overhang, to: output)
          : FormBlock(decoding: text, overhang: overhang, to: output)
      }
    }
    return Seen(
      marks: block.marks, decodedMarks: block.decodedMarks, broken: block.broken,
      decoded: Array(output.prefix(block.decodedCount)), overhang: block.overhang,
      hasOthers: block.hasOthers)
  }

  @Test("Every processor sees and decodes what going octet by octet does", arguments: 0...2)
  func same(overhang: Int) {
    var generator = Sequence(state: UInt64(overhang))
    let alphabets: [[UInt8]] = [
      Array("%0aF%41%zG&=+x".utf8), Array("%%%7e7f1f22".utf8), Array("abcXYZ019-_.~".utf8),
      Array(0...255), Array("%25ab%C3%BC=%26.\"\u{7F} ".utf8),
    ]
    for round in 0..<4000 {
      let alphabet = alphabets[round % alphabets.count]
      let text = (0..<FormBlock.room).map { _ in
        alphabet.randomElement(using: &generator) ?? 0
      }
      let expected = Self.expected(text, overhang)
      #expect(Self.seen(text, overhang, slowly: true) == expected)
      #expect(Self.seen(text, overhang, slowly: false) == expected)
    }
  }

  @Test("Each pair of octets behind a percent sign is an escape or none")
  func escapes() {
    for high in UInt8.min ... .max {
      for low in UInt8.min ... .max {
        var text = [UInt8](repeating: UInt8(ascii: "a"), count: FormBlock.room)
        for place in [0, 31, 62, 63] {
          text.replaceSubrange(place..<place + 3, with: [UInt8(ascii: "%"), high, low])
        }
        let expected = Self.expected(text, 0)
        #expect(Self.seen(text, 0, slowly: true) == expected)
        #expect(Self.seen(text, 0, slowly: false) == expected)
      }
    }
  }
}
