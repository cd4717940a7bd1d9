import Foundation
import Octets
import TestSupport
import Testing
import TokenBasics
import XMLTree

@Suite("Where markup stands in the source")
struct SourceMarkupTests {
  private func markup(_ text: String) -> SourceMarkup { SourceMarkup(Array(text.utf8)) }

  private func spelled(_ text: String, _ range: Range<Int>) -> String {
    String(decoding: Array(text.utf8)[range], as: UTF8.self)
  }

  /// Well-formed documents in which a simpler idea of quotes, comments or sections goes wrong.
  static let documents = [
    #"<a b=">" c='"' d="'/>"><!-- <x y=">"> --><![CDATA[<z>]]></a>"#,
    "<?xml version=\"1.0\"?>\n<!--<b>--><a\n\tb = 'c'\r\n/>\n<?pi <c d='?>",
    "<a><b/><b c=''></b ><b><![CDATA[<![CDATA[]]>]]&gt;</b></a>",
    "\u{FEFF}<a>&lt;b&gt;<!----></a>", "<a><!-- > --><b x='&lt;!--'/></a>",
  ]

  /// What is no document.
  static let malformed = [
    "", "<", "<>", "< a", "</", "</a>", "<a", "<a b", "<a b=", "<a b='", "<a b=c/>", "<a b=c=d>",
    "<!", "<!-", "<!--", "<!-->", "<!--->", "<![CDATA[", "<![CDATA[x]]", "<?", "<?x", "<?>",
    "<!DOCTYPE a [<!ENTITY b \"c>d\">]><a>&b;</a>", "<a><b></a></b>", "text", "<a></a><b/>",
    "<a b='1' b='2'/>", "<a\u{0}/>", "<a><b c=\"<d>\"/></a>", "<//>", "<a//>", "<a =''>", "<a 'b'>",
  ]

  @Test("Every octet is in one piece, in order", arguments: documents + malformed)
  func complete(text: String) {
    for markup in [markup(text), SourceMarkup(fragment: Array(text.utf8))] {
      var end = 0
      for piece in markup.pieces {
        #expect(piece.whole.lowerBound == end && !piece.whole.isEmpty)
        #expect(piece.content.lowerBound >= piece.whole.lowerBound)
        #expect(piece.content.upperBound <= piece.whole.upperBound)
        end = piece.whole.upperBound
      }
      #expect(end == text.utf8.count)
    }
  }

  @Test("Of a document the scan finds the tags where libxml2 finds them", arguments: documents)
  func agreement(text: String) throws {
    _ = try Document(parsing: Array(text.utf8))
    expectAgreement(Array(text.utf8))
  }

  @Test("So it does of every vector that parses")
  func vectors() {
    var count = 0
    for vector in TestVector.all where vector.octets.first == ASCII.lessThan {
      guard (try? Document(parsing: vector.octets)) != nil else { continue }
      count += 1
      expectAgreement(vector.octets)
    }
    #expect(count > 100)
  }

  private func expectAgreement(_ octets: [UInt8]) {
    let parsed = SourceMarkup(octets)
    let scanned = SourceMarkup(fragment: octets)
    #expect(parsed.elements.map(\.startTag) == scanned.elements.map(\.startTag))
    #expect(parsed.elements.map(\.whole) == scanned.elements.map(\.whole))
    #expect(parsed.pieces.map(\.kind) == scanned.pieces.map(\.kind))
    let nodes = (try? Document(parsing: octets))?.root.descendants { _ in true } ?? []
    #expect(parsed.elements.map(\.name) == nodes.map(\.qualifiedName))
    for (element, node) in zip(parsed.elements, nodes) {
      let attributes = element.attributes.map(\.name)
        .filter { $0 != "xmlns" && !$0.hasPrefix("xmlns:") }
      #expect(attributes == node.attributes.map(\.qualifiedName))
    }
  }

  @Test("Quotes, comments and sections hide what looks like markup")
  func hiding() {
    let text = Self.documents[0]
    let markup = markup(text)
    #expect(markup.elements.count == 1)
    #expect(markup.elements[0].attributes.map { spelled(text, $0.value) } == [">", "\"", "'/>"])
    #expect(markup.count(.comment, in: 0..<text.utf8.count) == 1)
    #expect(markup.count(.cdata, in: 0..<text.utf8.count) == 1)
    #expect(markup.count(.comment, in: 0..<3) == 0)
  }

  @Test("Elements have their content, their parents and their ends")
  func structure() {
    let text = "<a><b c='d'>e</b><f/></a>"
    let elements = markup(text).elements
    #expect(elements.map(\.name) == ["a", "b", "f"])
    #expect(elements.map(\.parent) == [nil, 0, 0])
    #expect(elements.map { spelled(text, $0.content) } == ["<b c='d'>e</b><f/>", "e", ""])
    #expect(elements.map { spelled(text, $0.whole) } == [text, "<b c='d'>e</b>", "<f/>"])
    #expect(elements.map(\.closesItself) == [false, false, true])
  }

  @Test("Long comments without an end are scanned once")
  func length() {
    let octets =
      Array("<a>".utf8) + Array(repeatElement(Array("<!-- -> ".utf8), count: 80_000).joined())
    #expect(SourceMarkup(octets).pieces.count == 2)
  }
}

@Suite("Namespaces in scope, written around XML")
struct NamespaceScopeTests {
  @Test("A namespace with characters of markup comes back as it was")
  func escapes() throws {
    let document = try Document(
      parsing: Array(#"<a xmlns="urn:d" xmlns:p="urn:x?a=1&amp;b='2'"><c/></a>"#.utf8))
    let child = try #require(try document.root.children().first)
    let content = Array("<p:e/>".utf8)
    let scope = NamespaceScope(at: child)
    let wrapped = scope.wrapping(content)
    let inner = try #require(try Document(parsing: wrapped).root.children().first)
    #expect(inner.namespaceURI == "urn:x?a=1&b='2'")
    #expect(inner.namespacesInScope == child.namespacesInScope)
    #expect(scope.content(of: wrapped) == content)
  }
}
