import Octets
import Testing
import TokenBasics

@Suite("Strict JSON")
struct JSONParserTests {
  @Test("A document is read in order, numbers as text")
  func reads() throws {
    let json = try JSONParser.parse(
      Array(#" {"b":[1,-2.5e+3,true,null],"a":"x\u00e9\ud83d\ude00\n","":{}} "#.utf8))
    #expect(json.members?.map(\.name) == ["b", "a", ""])
    #expect(json["b"]?.array?.count == 4)
    #expect(json["b"]?.array?[0].integer == 1)
    #expect(json["b"]?.array?[1].integer == nil)
    #expect(json["a"]?.string == "xé😀\n")
  }

  @Test(
    "What is not JSON is refused",
    arguments: [
      "", "{", "{\"a\":1,}", "[1,]", "{'a':1}", "{a:1}", "01", "+1", "1.", ".5", "1e", "NaN",
      "-", "tru", "\"\u{1}\"", "\"\\x\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"",
      "\"a", "[1]x", "\u{FEFF}{}", "//x\n{}", "[1 2]", "{\"a\" 1}", "\"\\u12\"",
    ])
  func refuses(text: String) {
    #expect(throws: TokenError(.malformedJSON)) { try JSONParser.parse(Array(text.utf8)) }
  }

  @Test(
    "A name twice is refused at every depth, however it is spelled",
    arguments: [
      #"{"a":1,"a":2}"#, #"[{"x":{"a":1,"\u0061":2}}]"#,
    ])
  func duplicates(text: String) {
    #expect(throws: TokenError(.duplicateJSONName)) { try JSONParser.parse(Array(text.utf8)) }
  }

  @Test(
    "A name that came before is refused among few members and many, wherever it stands",
    arguments: [2, 31, 32, 33, 34, 80])
  func duplicatesAmongMany(count: Int) throws {
    let names = (0..<count).map { "\"member \($0)\":0" }
    let whole = try JSONParser.parse(Array("{\(names.joined(separator: ","))}".utf8))
    #expect(whole.members?.count == count)
    for repeated in [0, count / 2, count - 1] {
      let text = "{\((names + [names[repeated]]).joined(separator: ","))}"
      #expect(throws: TokenError(.duplicateJSONName)) { try JSONParser.parse(Array(text.utf8)) }
    }
  }

  @Test(
    "An escape, a quote and a control character are seen at every place of a string",
    arguments: 0..<20)
  func specialPlaces(place: Int) throws {
    for rest in 0..<20 {
      let before = String(repeating: "a", count: place)
      let after = String(repeating: "é", count: rest)
      func string(_ special: String) throws -> String? {
        try JSONParser.parse(Array("\"\(before)\(special)\(after)\"".utf8)).string
      }
      #expect(try string("") == before + after)
      #expect(try string("\\n") == before + "\n" + after)
      #expect(try string("\\u00e9\\\"") == before + "é\"" + after)
      #expect(throws: TokenError(.malformedJSON)) { try string("\"") }
      #expect(throws: TokenError(.malformedJSON)) { try string("\u{1F}") }
      #expect(try string("\u{20}\u{7F}") == before + "\u{20}\u{7F}" + after)
    }
  }

  @Test("Names that are only canonically equivalent are two names")
  func equivalentNames() throws {
    let json = try JSONParser.parse(Array("{\"é\":1,\"e\u{301}\":2}".utf8))
    #expect(json.members?.count == 2)
  }

  @Test("Nesting beyond the limit is refused, 100,000 levels included")
  func depth() throws {
    let at = { (count: Int) in
      Array(String(repeating: "[", count: count).utf8)
        + Array(String(repeating: "]", count: count).utf8)
    }
    _ = try JSONParser.parse(at(33))
    #expect(throws: TokenError(.jsonTooDeep)) { try JSONParser.parse(at(34)) }
    #expect(throws: TokenError(.jsonTooDeep)) { try JSONParser.parse(at(100_000)) }
  }

  @Test("An object of more members than the limit is refused; several objects have more together")
  func members() throws {
    let object = { (count: Int) in
      "{" + (0..<count).map { "\"m\($0)\":0" }.joined(separator: ",") + "}"
    }
    let most = Limits().jsonMembers
    _ = try JSONParser.parse(Array("[\(object(most)),\(object(most))]".utf8))
    #expect(throws: TokenError(.tooManyJSONMembers)) {
      try JSONParser.parse(Array(object(most + 1).utf8))
    }
  }

  @Test("Bytes that are not UTF-8 are refused")
  func utf8() {
    #expect(throws: TokenError(.notUTF8)) { try JSONParser.parse([0x22, 0xFF, 0x22]) }
  }

  @Test("What is written is read back the same")
  func writes() throws {
    var writer = JSONWriter()
    let text = "a\"b\\c\u{0}\u{1F}\u{7F}\n\t\r é 😀 \u{2028}"
    writer.object { json in
      json.name("text")
      json.string(text)
      json.name("list")
      json.array { json in
        json.integer(-7)
        json.bool(true)
        json.null()
      }
    }
    let json = try JSONParser.parse(writer.bytes)
    #expect(json["text"]?.string == text)
    #expect(json["list"]?.array?.count == 3)
  }

  @Test(
    "What a terminal obeys or takes for a line end is written by its number, wherever it stands")
  func hidesCommands() throws {
    let hidden =
      (0x80...0x9F).map { $0 as UInt32 } + [0x61C, 0x200E, 0x200F]
      + Array(0x2028...0x202E) + Array(0x2066...0x2069)
    let shown: [UInt32] = [
      0xA0, 0x7FF, 0x61B, 0x61D, 0x200D, 0x2010, 0x2027, 0x202F, 0x2065, 0x206A, 0xFFFD, 0x1F600,
    ]
    for (values, isHidden) in [(hidden, true), (shown, false)] {
      for value in values {
        let scalar = try #require(Unicode.Scalar(value))
        for before in [0, 1, 6, 7, 14, 15, 16, 40] {
          let text = String(repeating: "a", count: before) + "\(scalar)\(scalar)b"
          var writer = JSONWriter()
          writer.string(text)
          let written = String(decoding: writer.bytes, as: UTF8.self)
          #expect(written.unicodeScalars.contains(scalar) != isHidden, "\(value)")
          #expect(try JSONParser.parse(writer.bytes).string == text)
        }
      }
    }
  }

  @Test("An error names the line and the column")
  func place() {
    let error = #expect(throws: TokenError.self) {
      try JSONParser.parse(Array("{\n  \"a\": x\n}".utf8))
    }
    #expect(error?.node == "line 2, column 8")
  }
}
