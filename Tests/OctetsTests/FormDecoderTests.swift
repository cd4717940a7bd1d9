import Octets
import Testing

@Suite("Form-encoded text decoded in blocks")
struct FormDecoderTests {
  struct Seen: Equatable {
    var marks: [FormMark] = []
    var decoded: [UInt8] = []
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
  private static func expected(_ text: [UInt8]) -> Seen {
    var seen = Seen()
    seen.hasOthers = text.contains { $0 <= 0x20 || $0 >= 0x7F || $0 == 0x22 }
    var place = 0
    while place < text.count {
      let octet = text[place]
      if octet == UInt8(ascii: "%") {
        if place + 2 < text.count, let high = Hex.value(text[place + 1]),
          let low = Hex.value(text[place + 2])
        {
          let value = high << 4 | low
          if !(0x20..<0x7F).contains(value) { seen.mark(octet, at: place) }
          seen.decoded.append(value)
          place += 3
          continue
        }
        seen.mark(0, at: place)
      } else if "&=".utf8.contains(octet) {
        seen.mark(octet, at: place)
      }
      seen.decoded.append(octet == UInt8(ascii: "+") ? UInt8(ascii: " ") : octet)
      place += 1
    }
    return seen
  }

  private static func seen(_ text: [UInt8], isPlain: Bool) -> Seen {
    var seen = Seen()
    var decoder = FormDecoder(isPlain: isPlain)
    var marks = FormDecoder.Marks(repeating: 0)
    while let count = decoder.decode(text.span, to: &seen.decoded, &marks) {
      for place in 0..<count { seen.marks.append(FormMark(word: marks[place])) }
    }
    seen.hasOthers = decoder.hasOthers
    return seen
  }

  private static func compare(_ text: [UInt8]) {
    let expected = expected(text)
    #expect(seen(text, isPlain: true) == expected)
    #expect(seen(text, isPlain: false) == expected)
  }

  @Test("Every processor sees and decodes what going octet by octet does")
  func same() {
    var generator = Sequence(state: 1)
    let alphabets: [[UInt8]] = [
      Array("%0aF%41%zG&=+x".utf8), Array("%%%7e7f1f22".utf8), Array("abcXYZ019-_.~".utf8),
      Array(0...255), Array("%25ab%C3%BC=%26.\"\u{7F} ".utf8), Array("&=%".utf8),
    ]
    for round in 0..<6000 {
      let alphabet = alphabets[round % alphabets.count]
      let count = Int.random(in: 0...300, using: &generator)
      Self.compare((0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 })
    }
  }

  @Test("Each pair of octets behind a percent sign is an escape or none, wherever a block ends")
  func escapes() {
    for high in UInt8.min ... .max {
      for low in UInt8.min ... .max {
        var text = [UInt8](repeating: UInt8(ascii: "a"), count: 66)
        for place in [0, 31, 62] {
          text.replaceSubrange(place..<place + 3, with: [UInt8(ascii: "%"), high, low])
        }
        Self.compare(text)
      }
    }
  }

  @Test("An escape that the end of the text cuts off is none", arguments: 60...70)
  func cutOff(count: Int) {
    let text = [UInt8](repeating: UInt8(ascii: "a"), count: count)
    for end in ["%", "%4", "%41", "=%41%", "%41%41", "&%4"] { Self.compare(text + end.utf8) }
  }

  @Test("Marks are handed over in order, however many there are", arguments: [95, 96, 97, 5000])
  func many(count: Int) {
    Self.compare([UInt8](repeating: UInt8(ascii: "&"), count: count))
    Self.compare((0..<count).flatMap { _ in Array("%C3=".utf8) })
  }
}

extension FormDecoderTests.Seen {
  fileprivate mutating func mark(_ octet: UInt8, at place: Int) {
    let word = UInt64(place) | UInt64(decoded.count) << 28 | UInt64(octet) << 56
    marks.append(FormMark(word: word))
  }
}
