import Octets
import Testing
import TokenBasics

@Suite("Form encoding")
struct FormEncodingTests {
  @Test("A plus sign is a space before escapes are decoded, so an escaped one stays")
  func plus() throws {
    let text = Array("mia%2bnews+x%20y".utf8)
    #expect(try FormEncoding.decode(text[...]) == Array("mia+news x y".utf8))
    #expect(try FormEncoding.decode(text[...], plus: .isPlus) == Array("mia+news+x y".utf8))
  }

  @Test("A broken escape is refused", arguments: ["%", "%2", "%zz", "a%g0", "%u0041", "%-1"])
  func broken(text: String) {
    #expect(throws: TokenError(.malformedPercentEscape)) {
      try FormEncoding.decode(Array(text.utf8)[...])
    }
  }

  @Test("Escapes are decoded once")
  func once() throws {
    #expect(try FormEncoding.decode(Array("%2541".utf8)[...]) == Array("%41".utf8))
  }

  @Test("ACS leaves -_.!*() alone and writes lower-case digits for everything else but a space")
  func encode() throws {
    #expect(FormEncoding.encode("aZ09-_.!*()") == "aZ09-_.!*()")
    #expect(FormEncoding.encode("a b") == "a+b")
    #expect(FormEncoding.encode("~'&=%+/é") == "%7e%27%26%3d%25%2b%2f%c3%a9")
  }

  @Test("What is encoded decodes to the same bytes")
  func encodeAndDecode() throws {
    let text = String(String.UnicodeScalarView((1...0x2FFF).compactMap(Unicode.Scalar.init)))
    let encoded = Array(FormEncoding.encode(text).utf8)
    #expect(try FormEncoding.decode(encoded[...]) == Array(text.utf8))
  }
}

@Suite("Strings compared as bytes")
struct ByteEqualityTests {
  @Test(
    "Canonically equivalent strings are different",
    arguments: [("é", "e\u{301}"), ("K", "\u{212A}"), (";", "\u{37E}"), ("Å", "\u{212B}")])
  func differ(left: String, right: String) {
    #expect(left == right)
    #expect(!left.hasSameBytes(as: right))
    #expect(left.hasSameBytes(as: left))
    #expect(![left].containsBytes(of: right))
  }

  @Test(
    "An escape is decoded wherever it stands, and bytes around the part are not", arguments: 0...20)
  func places(count: Int) throws {
    for place in 0...count {
      let plain = Array("abcdefghijklmnopqrstu".utf8.prefix(count))
      let text = Array(plain[..<place]) + Array("%c3%A9+".utf8) + Array(plain[place...])
      let decoded = Array(plain[..<place]) + [0xC3, 0xA9, 0x20] + Array(plain[place...])
      #expect(try FormEncoding.decode(text[...]) == decoded)
      for padding in ["", "%zz%zz%zz", "+++++++++++"] {
        let around = Array(padding.utf8) + text + Array(padding.utf8)
        #expect(
          try FormEncoding.decode(around[padding.utf8.count..<padding.utf8.count + text.count])
            == decoded)
      }
    }
  }

  @Test("A name ends at the first equals sign or ampersand as sent, a value at an ampersand alone")
  func ends() {
    func decoded(_ text: String, _ end: FormEncoding.End) -> (String, end: Int, isWhole: Bool) {
      let text = Array(text.utf8)
      var (octets, place, isWhole): ([UInt8], Int, Bool) = ([], 1, false)
      octets.append(addingCapacity: text.count + FormEncoding.excess) { output in
        isWhole = FormEncoding.decode(text.span, from: &place, to: end, into: &output)
      }
      return (String(decoding: octets, as: UTF8.self), place, isWhole)
    }
    for length in 0...20 {
      let plain = String(repeating: "a", count: length)
      #expect(decoded("&\(plain)%3d%26+=x&y", .ofName) == ("\(plain)=& ", length + 8, true))
      #expect(decoded("=\(plain)%3d%26+=x&y", .ofValue) == ("\(plain)=& =x", length + 10, true))
      #expect(decoded("=\(plain)+&=", .ofText) == ("\(plain) &=", length + 4, true))
      #expect(decoded("&\(plain)b&", .ofName) == ("\(plain)b", length + 2, true))
      #expect(decoded("&\(plain)", .ofName) == (plain, length + 1, true))
      #expect(decoded("&\(plain)%3g=", .ofName) == (plain, length + 1, false))
    }
  }

  @Test(
    "An escape that the part cuts short is broken, whatever follows",
    arguments: ["%", "%4", "ab%4"])
  func cut(text: String) {
    let whole = Array((text + "1234567890123456").utf8)
    #expect(throws: TokenError(.malformedPercentEscape)) {
      try FormEncoding.decode(whole[..<text.utf8.count])
    }
  }
}
