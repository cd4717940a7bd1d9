import Testing
import TokenBasics
import XMLTree

@Suite("Writing XML")
struct XMLWriterTests {
  static let root = ExpandedName("r", in: "urn:r")
  static let child = ExpandedName("c", in: "urn:c")
  static let prefixes = ["urn:r": "z", "urn:c": "a"]

  func document(text: String, attribute: String = "") throws -> Document {
    let fragment = try XMLWriter.fragment(
      Self.root, [(ExpandedName("x"), attribute)], prefixes: Self.prefixes
    ) { writer throws(TokenError) in
      try writer.element(Self.child, text: text)
    }
    return try Document(parsing: fragment.octets)
  }

  /// Every character of the Basic Multilingual Plane that XML has, and some beyond it.
  static let characters: [Unicode.Scalar] =
    ([0x09, 0x0A, 0x0D] + Array(0x20...0xD7FF) + Array(0xE000...0xFFFD)
    + [0x10000, 0x1F600, 0x10FFFF]).compactMap(Unicode.Scalar.init)

  @Test("ISS-1: every character that XML has comes back from text and attributes")
  func roundTrip() throws {
    let whole = String(String.UnicodeScalarView(Self.characters))
    let document = try document(text: whole, attribute: whole)
    let text = try document.root.children().first?.text()
    #expect(text.map { Array($0.utf8) } == Array(whole.utf8))
    #expect(document.root.attribute(ExpandedName("x")).map { Array($0.utf8) } == Array(whole.utf8))
  }

  @Test(
    "ISS-1: each character at a boundary comes back by itself",
    arguments: [
      0x09, 0x0A, 0x0D, 0x20, 0x22, 0x26, 0x27, 0x3C, 0x3E, 0x5D, 0x7F, 0x80, 0x85, 0x9F, 0xA0,
      0x7FF, 0x800, 0x2028, 0xD7FF, 0xE000, 0xFDD0, 0xFEFF, 0xFFFC, 0xFFFD, 0x10000, 0x10FFFF,
    ] as [UInt32])
  func boundary(value: UInt32) throws {
    let text = String(try #require(Unicode.Scalar(value)))
    let document = try document(text: text, attribute: text)
    #expect(try document.root.children().first?.text().utf8.elementsEqual(text.utf8) == true)
    #expect(document.root.attribute(ExpandedName("x"))?.utf8.elementsEqual(text.utf8) == true)
  }

  @Test("ISS-1: a character that XML does not have is an error in text and in attributes")
  func foreign() throws {
    let allowed: Set<UInt32> = [0x09, 0x0A, 0x0D]
    for value in Array(0..<0x20).filter({ !allowed.contains($0) }) + [0xFFFE, 0xFFFF] {
      let text = "x" + String(try #require(Unicode.Scalar(value)))
      #expect(throws: TokenError(.mintCharacter)) { try document(text: text) }
      #expect(throws: TokenError(.mintCharacter)) { try document(text: "", attribute: text) }
    }
  }

  @Test(
    "ISS-1: markup in a value is a value",
    arguments: [
      "\"", "'", "<", "&", "]]>", "-->", "<!--", "</a:c><a:c>", "\" y=\"1", "&lt;", "&#38;", "\n",
      "<?x?>", "<![CDATA[",
    ])
  func markup(text: String) throws {
    let document = try document(text: text, attribute: text)
    let children = try document.root.children()
    #expect(children.count == 1)
    #expect(try children.first?.text() == text)
    #expect(document.root.attribute(ExpandedName("x")) == text)
    #expect(!document.root.hasAttribute(otherThan: [ExpandedName("x")]))
  }

  @Test("What is written is in exclusive canonical form")
  func canonical() throws {
    let fragment = try XMLWriter.fragment(
      Self.root,
      [
        (ExpandedName("b"), "1\t\n\r"), (ExpandedName("a"), "<\">&"), (ExpandedName("n"), nil),
        (ExpandedName("q", in: "urn:c"), ""),
      ], prefixes: Self.prefixes
    ) { writer throws(TokenError) in
      try writer.element(Self.child)
      try writer.element(Self.root) { writer throws(TokenError) in
        try writer.element(Self.child, text: "a\r\n<>&\"")
      }
      try writer.element(ExpandedName("none"))
    }
    let document = try Document(parsing: fragment.octets)
    let canonical = Canonicalizer.octets(
      document.root.subtree, CanonicalizationMethod(.exclusive))
    #expect(canonical == fragment.octets)
    let text = String(decoding: fragment.octets, as: UTF8.self)
    #expect(text.hasPrefix("<z:r xmlns:a=\"urn:c\" xmlns:z=\"urn:r\" a=\"&lt;&quot;>&amp;\""))
  }

  @Test("A namespace without a prefix gets one")
  func prefixes() throws {
    let fragment = try XMLWriter.fragment(Self.root, prefixes: [:]) { writer throws(TokenError) in
      try writer.element(Self.child) { writer throws(TokenError) in
        try writer.element(Self.root)
      }
    }
    let document = try Document(parsing: fragment.octets)
    #expect(document.root.isNamed(Self.root))
    let child = try #require(try document.root.children().first)
    #expect(child.isNamed(Self.child))
    #expect(try child.children().first?.isNamed(Self.root) == true)
    let canonical = Canonicalizer.octets(document.root.subtree, CanonicalizationMethod(.exclusive))
    #expect(canonical == fragment.octets)
  }

  @Test("A namespace is declared again behind the element that declared it")
  func scope() throws {
    let fragment = try XMLWriter.fragment(Self.root, prefixes: Self.prefixes) {
      writer throws(TokenError) in
      try writer.element(Self.child)
      try writer.element(Self.child)
    }
    #expect(
      String(decoding: fragment.octets, as: UTF8.self)
        == "<z:r xmlns:z=\"urn:r\"><a:c xmlns:a=\"urn:c\"></a:c><a:c xmlns:a=\"urn:c\"></a:c></z:r>"
    )
  }
}
