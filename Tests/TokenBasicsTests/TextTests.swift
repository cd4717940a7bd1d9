import Octets
import Testing
import TokenBasics

@Suite("Rules of text that have one home")
struct TextTests {
  @Test("Each place of markup escapes its own characters and no others")
  func places() {
    let text = "a&b<c>d\"e'f\tg\nh\ri"
    #expect(MarkupEscaping.escaped(text, for: .text) == "a&amp;b&lt;c&gt;d\"e'f\tg\nh&#xD;i")
    #expect(
      MarkupEscaping.escaped(text, for: .attribute)
        == "a&amp;b&lt;c>d&quot;e'f&#x9;g&#xA;h&#xD;i")
    #expect(
      MarkupEscaping.escaped(text, for: .page) == "a&amp;b&lt;c&gt;d&quot;e&#39;f\tg\nh\ri")
    #expect(MarkupEscaping.escaped(text, for: .message) == "a&amp;b&lt;c>d&quot;e'f\tg\nh\ri")
  }

  @Test(
    "What is escaped for a place is the text again behind its references",
    arguments: [MarkupEscaping.Place.text, .attribute, .page, .message])
  func roundTrip(place: MarkupEscaping.Place) {
    let text = Array("&amp; <\"'>\t\r\n é 🦊".utf8)
    let escaped = MarkupEscaping.escaped(text, for: place)
    #expect(ReversibleText(xml: escaped[...]).decoded == text)
  }

  @Test(
    "A reference is one of five names or a number; what only looks like one is text",
    arguments: [
      ("&amp;", "&"), ("&apos;", "'"), ("&#65;", "A"), ("&#x4a;", "J"), ("&#0000000065;", "A"),
      ("&#+65;", nil), ("&#x+41;", nil), ("&#;", nil), ("&#x;", nil), ("&#xD800;", nil),
      ("&nbsp;", nil), ("&amp", nil), ("&#65", nil), ("&", nil), ("&#X41;", nil),
      ("&#99999999;", nil),
    ])
  func references(text: String, meaning: String?) {
    let source = Array(text.utf8)
    #expect(Escape.reference(source[...])?.meaning == meaning.map { Array($0.utf8) })
    #expect(Escape.reference(source[...])?.length == meaning.map { _ in source.count })
  }

  @Test("HTML takes a capital X where XML does not")
  func capital() {
    #expect(Escape.reference(Array("&#X41;".utf8)[...], isHTML: true)?.meaning == [0x41])
  }

  @Test(
    "Escapes are written again in the forms that they had",
    arguments: [
      "a&#x4A;&#106;b&amp;&#0065;", "&#+65; &foo; & &#X41;", "plain", "", "&", "&#", "é&#233;",
    ])
  func reversibleXML(text: String) {
    let source = Array(text.utf8)
    let read = ReversibleText(xml: source[...])
    #expect(read.encoding(read.decoded) == source)
    #expect(read.encoding(read.decoded + [0]) == [])
  }

  @Test(
    "Percent escapes keep the case of their digits",
    arguments: ["a%2f%2F%41", "100%", "%zz", "%4", "%e2%82%ac"])
  func reversiblePercent(text: String) {
    let source = Array(text.utf8)
    let read = ReversibleText(percent: source[...])
    #expect(read.encoding(read.decoded) == source)
  }

  @Test(
    "Escapes of JSON keep their forms; half of a pair stays half of a pair",
    arguments: [
      #"a\n\u00e9\u00E9\/\\\""#, #"\ud83e\udd8a"#, #"\uD800"#, #"\q"#, #"\u12"#, "\\", #"é\é"#,
    ])
  func reversibleJSON(text: String) {
    let source = Array(text.utf8)
    let read = ReversibleText(json: source[...])
    #expect(read.encoding(read.decoded) == source)
  }

  @Test("Percent-encoding keeps RFC 3986's unreserved characters and writes upper-case digits")
  func percentEncoding() {
    #expect(PercentEncoding.encode("aZ09-._~ /é") == "aZ09-._~%20%2F%C3%A9")
    #expect(PercentEncoding.encode("a/b") { $0 == 0x2F } == "%61/%62")
  }

  @Test("Hexadecimal digits have the letters that are asked for, and numbers do not overflow")
  func digits() {
    #expect(Hex.encode([0xAB, 0x09]) == "ab09")
    #expect(Hex.encode([0xAB, 0x09], .uppercase) == "AB09")
    #expect("09afAF".utf8.allSatisfy(Hex.isDigit) && !"g".utf8.allSatisfy(Hex.isDigit))
    #expect("09af".utf8.allSatisfy(Hex.isLowercaseDigit))
    #expect(!"A".utf8.contains(where: Hex.isLowercaseDigit))
    #expect(Hex.number("7fffFFF".utf8) == 0x7FF_FFFF)
    #expect(Hex.number("80000000".utf8) == nil && Hex.number("".utf8) == nil)
    #expect(Hex.number("19".utf8, radix: 10) == 19 && Hex.number("1a".utf8, radix: 10) == nil)
  }

  /// A null, a bell, a delete, a C1 control, a soft hyphen, a letter mark, a Hangul filler, a vowel separator, a
  /// zero-width space, a turn to the left, a line separator, an isolate, a word joiner, a no-break space, an
  /// ideographic space, a mark of byte order, a variation selector, private use, a noncharacter, a tag.
  static let hidden: [UInt32] = [
    0x00, 0x07, 0x7F, 0x85, 0xAD, 0x61C, 0x115F, 0x180E, 0x200B, 0x202E, 0x2028, 0x2066, 0x2060,
    0xA0, 0x3000, 0xFEFF, 0xFE0F, 0xE000, 0xFFFF, 0xE0041,
  ]

  @Test(
    "What a person cannot see is one set, and an error's excerpt shows none of it",
    arguments: hidden)
  func concealed(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    #expect(scalar.isHidden)
    #expect(TokenError.excerpt("a\(Character(scalar))b") == "\"a?b\"")
  }

  @Test(
    "What a person can see is not hidden", arguments: ["a", " ", "é", "ß", "山", "🦊", "\u{301}"])
  func visible(text: String) {
    let hidden = text.unicodeScalars.filter(\.isHidden)
    #expect(hidden.isEmpty)
  }

  @Test("Layout is hidden where one line is shown, and known as layout")
  func layout() {
    for scalar in ["\t", "\n", "\r"] as [Unicode.Scalar] {
      #expect(scalar.isHidden && scalar.isLayout && scalar.isControl)
    }
    #expect(!("\u{202E}" as Unicode.Scalar).isLayout)
    #expect(("\u{202E}" as Unicode.Scalar).notation == "\\u{202E}")
  }

  @Test("Texts with their lengths before them have one reading, as text and as octets")
  func prefixed() {
    #expect(PrefixedTexts.text("a:b", "ü") == "3:a:b2:ü" && PrefixedTexts.text() == "")
    #expect(PrefixedTexts.text("a", "b") != PrefixedTexts.text("ab", ""))
    for texts in [["a:b", "ü"], ["", "1:"]] {
      let text = PrefixedTexts.text(texts[0], texts[1])
      #expect(PrefixedTexts.octets(texts) == Array(text.utf8))
    }
  }
}
