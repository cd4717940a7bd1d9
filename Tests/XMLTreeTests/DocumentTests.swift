import Testing
import TokenErrors
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
}
