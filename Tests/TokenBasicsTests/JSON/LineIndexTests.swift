import Testing
import TokenBasics

@Suite("Lines of a text")
struct LineIndexTests {
  @Test("A place is the one that the parser gives", arguments: ["", "a", "\n", "ab\ncd\n\nef"])
  func places(text: String) {
    let bytes = Array(text.utf8)
    let lines = LineIndex(bytes)
    for offset in 0...bytes.count {
      #expect(lines.place(of: offset) == JSONParser.place(of: offset, in: bytes))
    }
  }
}
