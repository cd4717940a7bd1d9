import Testing
import XMLTree

@Suite("Paths of elements")
struct ElementPathTests {
  @Test("Elements are numbered where siblings share the name", arguments: [2, 200, 2_000])
  func numbers(count: Int) throws {
    let text = "<r><a/>" + String(repeating: "<b/><c><d/></c>", count: count) + "</r>"
    let document = try Document(parsing: Array(text.utf8))
    let children = try document.root.children()
    #expect(children[0].path == "/r/a")
    #expect(children[1].path == "/r/b[1]")
    #expect(children[2].path == "/r/c[1]")
    #expect(children[2 * count].path == "/r/c[\(count)]")
    let innermost = try #require(try children[2 * count].children().first)
    #expect(innermost.path == "/r/c[\(count)]/d")
  }

  @Test("Elements of another namespace are counted apart")
  func namespaces() throws {
    let siblings = String(repeating: "<p:a/>", count: 300)
    let text = "<r xmlns:p='urn:a' xmlns:q='urn:b'>\(siblings)<q:a/></r>"
    let document = try Document(parsing: Array(text.utf8))
    let children = try document.root.children()
    #expect(children.last?.path == "/r/a")
    #expect(children.first?.path == "/r/a[1]")
  }

  @Test("A path stays short, however deep the element and however long its name")
  func bounded() throws {
    let names = (0..<90).map { "n\($0)" }
    let deep =
      names.map { "<\($0)>" }.joined() + names.reversed().map { "</\($0)>" }.joined()
    let root = try Document(parsing: Array(deep.utf8)).root
    let innermost = try #require(root.descendants { _ in true }.last)
    #expect(innermost.path == "/n0/n1/n2/n3/…/n82/n83/n84/n85/n86/n87/n88/n89")
    // One character for Swift, ten thousand for a log.
    let accents = "a" + String(repeating: "\u{301}", count: 10_000)
    let accented = try Document(parsing: Array("<\(accents)/>".utf8)).root
    #expect(accented.path.utf8.count < 300)
  }
}
