import Testing
import TokenBasics

@Suite("A JSON text as a flat list of values")
struct JSONDocumentTests {
  private let text = #"{"a":[1,{"b":"x"},"y\n"],"c":null, "\u0064":"\u00e9\ud83d\ude00"}"#

  @Test("Children come one after the other, whatever is inside of each")
  func children() throws {
    let document = try JSONParser.document(Array(text.utf8))
    let members = Array(document.children())
    #expect(members.map { document.string($0.node.nameRange) } == ["a", "c", "d"])
    #expect(members.map(\.node.kind) == [.array, .null, .string])
    let elements = Array(document.children(of: members[0].number))
    #expect(elements.map(\.node.kind) == [.number, .object, .string])
    #expect(elements.map { document.string($0.node.range) } == ["1", #"{"b":"x"}"#, #""y\n""#])
    #expect(Array(document.children(of: elements[0].number)).isEmpty)
    #expect(Self.count(document, 0) == 8)
  }

  /// How many values there are in one, itself included.
  private static func count(_ document: JSONDocument, _ number: Int) -> Int {
    document.children(of: number).reduce(1) { $0 + count(document, $1.number) }
  }

  @Test("A string stands in the text, or decoded behind it where it has escapes")
  func strings() throws {
    let document = try JSONParser.document(Array(text.utf8))
    #expect(document.octets.starts(with: text.utf8))
    let plain = try JSONParser.document(Array(#"{"a":"é"}"#.utf8))
    #expect(plain.octets == Array(#"{"a":"é"}"#.utf8))
    #expect(plain.member("a").map { plain.string($0.textRange) } == "é")
    let escaped = try #require(document.member("d"))
    #expect(document.string(escaped.textRange) == "é😀")
    #expect(escaped.textRange.lowerBound >= text.utf8.count)
    #expect(document.string(escaped.range) == #""\u00e9\ud83d\ude00""#)
  }

  @Test("A member is found by its whole name, and only directly inside")
  func members() throws {
    let document = try JSONParser.document(Array(text.utf8))
    #expect(document.member("c")?.kind == .null)
    #expect(
      document.member("b") == nil && document.member("") == nil && document.member("aa") == nil)
    #expect(try JSONParser.document(Array("[1]".utf8)).member("a") == nil)
  }
}
