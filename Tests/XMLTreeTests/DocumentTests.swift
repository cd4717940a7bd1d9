import Testing
import TokenBasics
import XMLTree

@Suite("Parsing a document")
struct DocumentTests {
  @Test("Text split by CDATA and references is one value")
  func joinsText() throws {
    let document = try Document(parsing: Array("<a>x&amp;<![CDATA[<y>]]>&#122;</a>".utf8))
    #expect(try document.root.text() == "x&<y>z")
  }

  @Test(
    "A document that readers disagree about is refused",
    arguments: [
      ("<!DOCTYPE a><a/>", TokenError.Code.doctype),
      ("<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>", .doctype),
      ("<a>&e;</a>", .entityReference),
      ("<p:a/>", .malformedNamespace),
      ("<a x:y='1'/>", .malformedNamespace),
      ("<a xmlns:p='u:1' xmlns:q='u:1' p:x='1' q:x='2'/>", .malformedNamespace),
      ("<a xmlns:p='foo'/>", .namespaceURI),
      ("<a xmlns='foo/bar'/>", .namespaceURI),
      ("<a/><b/>", .malformedXML),
      ("<a/>\0<b/>", .nulByte),
      ("<?xml version='1.0' encoding='ISO-8859-1'?><a/>", .xmlEncoding),
      ("<?xml version='1.1'?><a/>", .xmlVersion),
      ("<a", .malformedXML),
      ("", .emptyInput),
    ] as [(String, TokenError.Code)])
  func refuses(text: String, code: TokenError.Code) {
    #expect(throws: TokenError(code)) { try Document(parsing: Array(text.utf8)) }
  }

  @Test("xml:space may have any value: it is no matter of well-formedness")
  func spaceValue() throws {
    let text = "<a xml:space='true'><b xml:space='preserve'> </b></a>"
    let document = try Document(parsing: Array(text.utf8))
    let space = ExpandedName("space", in: "http://www.w3.org/XML/1998/namespace")
    #expect(document.root.attribute(space) == "true")
    #expect(
      String(
        decoding: Canonicalizer.octets(document.subtree, CanonicalizationMethod(.inclusive10)),
        as: UTF8.self)
        == "<a xml:space=\"true\"><b xml:space=\"preserve\"> </b></a>")
  }

  @Test(
    "An odd xml:space hides nothing else that is wrong",
    arguments: [
      ("<a xmlns:p='foo' xml:space='true'/>", TokenError.Code.namespaceURI),
      ("<a><b xmlns:p='foo'/><c xml:space='true'/></a>", .namespaceURI),
      ("<?xml version='1.1'?><a xml:space='true'/>", .xmlVersion),
      ("<a x:y='1' xml:space='true'/>", .malformedNamespace),
      ("<a><x:b/><c xml:space='true'/></a>", .malformedNamespace),
      ("<a xml:space='true' xml:space='true'/>", .malformedXML),
      ("<a xml:space='true'>", .malformedXML), ("<a xml:space='true'>&e;</a>", .entityReference),
    ] as [(String, TokenError.Code)])
  func spaceHidesNothing(text: String, code: TokenError.Code) {
    #expect(throws: TokenError(code)) { try Document(parsing: Array(text.utf8)) }
  }

  @Test("The word DOCTYPE in harmless places is accepted")
  func acceptsDoctypeText() throws {
    let text = "<!-- <!DOCTYPE a> --><a b='&lt;!DOCTYPE'><![CDATA[<!DOCTYPE a>]]></a>"
    let document = try Document(parsing: Array(text.utf8))
    #expect(try document.root.text() == "<!DOCTYPE a>")
    #expect(document.root.attribute(ExpandedName("b")) == "<!DOCTYPE")
  }

  @Test("100,000 attributes are refused before libxml2 compares them")
  func refusesManyAttributes() {
    let text = "<a " + (0..<90_000).map { "a\($0)='' " }.joined() + "/>"
    #expect(throws: TokenError(.xmlAttributes)) {
      var limits = Limits()
      limits.bytes = 10 << 20
      _ = try Document(parsing: Array(text.utf8), limits: limits)
    }
  }

  @Test(
    "More different names than the limit are refused, wherever they stand",
    arguments: [
      { "<e\($0)/>" }, { "<e a\($0)=''/>" }, { "<?p\($0)?>" }, { "<e xmlns:p\($0)='urn:a'/>" },
    ] as [@Sendable (Int) -> String])
  func refusesManyNames(_ part: @Sendable (Int) -> String) throws {
    // Besides these the document has at most three names: the root, e, urn:a.
    let most = Limits().names - 3
    let within = "<r>" + (0..<most).map(part).joined() + "</r>"
    let beyond = "<r>" + (0..<most + 4).map(part).joined() + "</r>"
    // What another document had makes no difference, whichever parser of the pool it was.
    for _ in 0..<3 {
      _ = try Document(parsing: Array(within.utf8))
      #expect(throws: TokenError(.xmlNames)) { try Document(parsing: Array(beyond.utf8)) }
    }
  }

  @Test("One name 10,000 times is one name")
  func countsDifferentNames() throws {
    let text = "<r>" + String(repeating: "<e a=''/>", count: 10_000) + "</r>"
    _ = try Document(parsing: Array(text.utf8))
  }

  @Test("SW-15 Elements outlive the parser, its next documents, and the thread they came from")
  func lifetimes() async throws {
    func text(_ number: Int) -> String { "<r a='\(number)'><e>text \(number)</e></r>" }
    func children() async throws -> [Int: Element] {
      try await withThrowingTaskGroup(of: (Int, Element).self) { group in
        for number in 0..<64 {
          group.addTask {
            let root = try Document(parsing: Array(text(number).utf8)).root
            return (number, try #require(root.children().first))
          }
        }
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
    }
    let kept = try await children()
    // The same parsers again: what was kept must not change.
    _ = try await children()
    for (number, element) in kept {
      let read = await Task.detached { try? element.text() }.value
      #expect(read == "text \(number)")
    }
  }
}
