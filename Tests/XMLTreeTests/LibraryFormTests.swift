import Testing
import TokenBasics

@testable import XMLTree

/// CTX-2: what is assumed of libxml2 is tried first.
@Suite("What libxml2 hands over")
struct LibraryFormTests {
  @Test("CTX-2 An ampersand in a namespace name and in a value is one octet, whatever the version")
  func ampersand() throws {
    for name in ["urn:b&amp;", "urn:b&#38;", "urn:b&#x26;"] {
      let document = try Document(
        parsing: Array("<b:a xmlns:b=\"\(name)cdefgh\" c=\"\(name)cdefgh\"/>".utf8))
      #expect(document.root.namespaceURI == "urn:b&cdefgh")
      #expect(document.root.attribute(ExpandedName("c")) == "urn:b&cdefgh")
      let canonical = Canonicalizer.octets(document.subtree, CanonicalizationMethod(.exclusive))
      #expect(
        String(decoding: canonical, as: UTF8.self)
          == "<b:a xmlns:b=\"urn:b&amp;cdefgh\" c=\"urn:b&amp;cdefgh\"></b:a>")
    }
    // The text of a reference is not a reference.
    let value = try Document(parsing: Array("<a d=\"&amp;#38;c\"/>".utf8))
    #expect(value.root.attribute(ExpandedName("d")) == "&#38;c")
    let name = Array("<a xmlns=\"urn:b&amp;#38;c\"/>".utf8)
    if AmpersandForm.current?.isReferenceInNamespaces == true {
      // Such a library sees two fragments, `urn:b&#38;#38;c`, and takes it for no URI.
      #expect(throws: TokenError(.namespaceURI)) { try Document(parsing: name) }
    } else {
      #expect(try Document(parsing: name).root.namespaceURI == "urn:b&#38;c")
    }
    #expect(try Document(parsing: Array("<a xmlns:b='urn:b&amp;'/>".utf8)).nodeCount == 2)
  }

  @Test("Both known forms are told apart, and any other reads nothing")
  func forms() throws {
    let escaped = Array("urn:&#38;&#38;b".utf8)
    let plain = Array("urn:&&b".utf8)
    #expect(
      AmpersandForm(namespace: plain, value: escaped)
        .map { !$0.isReferenceInNamespaces && $0.isReferenceInValues } == true)
    #expect(AmpersandForm(namespace: escaped, value: escaped)?.isReferenceInNamespaces == true)
    #expect(AmpersandForm(namespace: plain, value: plain)?.isReferenceInValues == false)
    let other = AmpersandForm(namespace: Array("urn:&amp;&amp;b".utf8), value: plain)
    #expect(other == nil)
    #expect(throws: TokenError(.xmlLibrary)) { try AmpersandForm.required(other) }
    #expect(throws: Never.self) { try AmpersandForm.required() }
    #expect(AmpersandForm.withoutReferences(Array("a&#38;b&#38;".utf8)) == Array("a&b&".utf8))
    for text in ["&", "a&", "&#38", "&#38;&amp;"] {
      #expect(AmpersandForm.withoutReferences(Array(text.utf8)) == nil)
    }
  }

  @Test("One byte order mark is skipped, whole and in pieces, and a second one refused")
  func byteOrderMark() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = Array("<c><d/></c>".utf8)
    #expect(try Document(parsing: mark + text).root.localName == "c")
    #expect(throws: TokenError(.malformedXML)) { try Document(parsing: mark + mark + text) }
    let stream = try DocumentStream(containers: [ExpandedName("c")], limits: Limits())
    let parts = try stream.consume(mark + text) + stream.finish()
    #expect(parts.count == 3)
    let other = try DocumentStream(containers: [ExpandedName("c")], limits: Limits())
    #expect(throws: TokenError(.malformedXML)) {
      _ = try other.consume(mark + mark + text)
      _ = try other.finish()
    }
  }

  @Test("A container is recognised by a namespace name with an ampersand too")
  func container() throws {
    let stream = try DocumentStream(
      containers: [ExpandedName("c", in: "urn:b&c")], limits: Limits())
    var parts = try stream.consume(Array("<c xmlns='urn:b&amp;c'><d/>".utf8))
    parts += try stream.consume(Array("</c>".utf8))
    parts += try stream.finish()
    #expect(parts.count == 3)
  }

  @Test("Line ends in CDATA sections are normalised wherever the pieces are cut")
  func lineEnds() throws {
    let text = "<c><d><![CDATA[a\r\nb\rc\r\r\n]]>\n\r<![CDATA[\r]]>\r\n&#13;</d></c>"
    let whole = try Document(parsing: Array(text.utf8)).root.children()[0].text()
    for size in 1...text.utf8.count {
      let stream = try DocumentStream(containers: [ExpandedName("c")], limits: Limits())
      var parts: [DocumentStream.Part] = []
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        parts += try stream.consume(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      parts += try stream.finish()
      guard case .child(let child) = parts[1] else {
        Issue.record("no child")
        continue
      }
      #expect(try child.root.text() == whole)
    }
  }
}
