import Testing
import TokenBasics
import XMLTree

@Suite("A document in parts")
struct DocumentStreamTests {
  static let container = ExpandedName("Group", in: "urn:x")

  /// The parts of `text`, fed in pieces of `size` bytes: a name for each.
  static func parts(
    _ text: String, size: Int = 7, limits: Limits = Limits()
  ) throws -> [(name: String, root: Element?)] {
    let stream = try DocumentStream(containers: [container], limits: limits)
    let bytes = Array(text.utf8)
    var parts: [DocumentStream.Part] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      parts += try stream.consume(Array(bytes[start..<min(start + size, bytes.count)]))
    }
    parts += try stream.finish()
    return parts.map { part in
      switch part {
      case .containerStart(let document): ("(" + document.root.localName, document.root)
      case .containerEnd: (")", nil)
      case .child(let document): (document.root.localName, document.root)
      case .text: ("text", nil)
      case .instruction: ("?", nil)
      }
    }
  }

  static let sample = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- c --><Group xmlns="urn:x" xmlns:p="urn:p" a="1"><p:One v="&lt;&#38;>é"><Two>a&amp;b<![CDATA[<c>]]></Two></p:One>
      <Group xmlns:p="urn:q" xmlns:r="urn:r"><p:One/> <Three xmlns="" r:t="p:n"/></Group><p:Last/>
    </Group><?end?>
    """

  @Test("Pieces of any size give the same parts", arguments: [1, 2, 5, 16, 64, 1000])
  func pieces(size: Int) throws {
    let parts = try Self.parts(Self.sample, size: size)
    #expect(
      parts.map(\.name) == ["(Group", "One", "(Group", "One", "Three", ")", "Last", ")"])
    let one = try #require(parts[1].root)
    #expect(one.attribute(ExpandedName("v")) == "<&>é")
    #expect(try one.children().first?.text() == "a&b<c>")
    #expect(parts[0].root?.attribute(ExpandedName("a")) == "1")
  }

  @Test(
    "Line ends in CDATA are normalised as in a whole document, wherever pieces divide them",
    arguments: [1, 2, 61, 300, 2000])
  func lineEnds(size: Int) throws {
    for count in [0, 1, 57, 58, 59, 297, 298, 299, 300, 301, 599] {
      let run = String(repeating: "x", count: count)
      let text =
        "<Other><a><![CDATA[\(run)\r\n\(run)\r\r\n\r]]><![CDATA[\n\(run)\r]]>\r\n\r&#13;</a></Other>"
      let expected = run + "\n" + run + "\n\n\n\n" + run + "\n\n\n\r"
      let whole = try Document(parsing: Array(text.utf8)).root.children().first
      #expect(try whole?.text() == expected)
      let part = try Self.parts(text, size: size).first?.root?.children().first
      #expect(try part?.text() == expected, "\(count) bytes before")
    }
  }

  @Test(
    "A declaration names no other encoding and version, however long it is",
    arguments: [0, 200, 300, 5000])
  func declarations(padding: Int) throws {
    let space = String(repeating: " ", count: padding)
    func declared(_ version: String, _ encoding: String) -> String {
      "<?xml version='\(version)'\(space) encoding='\(encoding)'\(space)?><Other a='é'/>"
    }
    for size in [1, 7, 100_000] {
      let part = try Self.parts(declared("1.0", "UTF-8"), size: size).first
      #expect(part?.root?.attribute(ExpandedName("a")) == "é")
      #expect(throws: (any Error).self) {
        try Self.parts(declared("1.0", "UTF-8").replacing("?>", with: ""), size: size)
      }
      for (version, encoding, code) in [
        ("1.0", "ISO-8859-1", TokenError.Code.xmlEncoding),
        ("1.0", "UTF-16", .xmlEncoding), ("1.1", "UTF-8", .xmlVersion),
      ] {
        let text = declared(version, encoding)
        let streamed = #expect(throws: TokenError.self) { try Self.parts(text, size: size) }
        #expect(streamed?.code == code)
        let whole = #expect(throws: TokenError.self) { try Document(parsing: Array(text.utf8)) }
        #expect(whole?.code == code)
      }
    }
  }

  @Test("A part has the namespaces that were in scope around it")
  func namespaces() throws {
    let parts = try Self.parts(Self.sample)
    #expect(parts[1].root?.namespace(forPrefix: "p") == "urn:p")
    #expect(parts[1].root?.namespace(forPrefix: "r") == nil)
    #expect(parts[1].root?.namespace(forPrefix: "") == "urn:x")
    #expect(parts[3].root?.namespace(forPrefix: "p") == "urn:q")
    #expect(parts[4].root?.namespace(forPrefix: "r") == "urn:r")
    #expect(parts[4].root?.namespace(forPrefix: "") == "")
    #expect(parts[6].root?.namespace(forPrefix: "p") == "urn:p")
    #expect(parts[6].root?.isNamed(ExpandedName("Last", in: "urn:p")) == true)
  }

  @Test("A document element that is no container is the only part")
  func single() throws {
    #expect(
      try Self.parts("\u{FEFF}<Other xmlns='urn:x'><Group/></Other>").map(\.name) == ["Other"])
  }

  @Test("A byte order mark and pieces of a byte")
  func byteOrderMark() throws {
    #expect(try Self.parts("\u{FEFF}<a/>", size: 1).map(\.name) == ["a"])
  }

  @Test(
    "What a whole document may not hold, a stream may not either",
    arguments: [
      ("", TokenError.Code.emptyInput), ("<a>", .malformedXML), ("<a/><b/>", .malformedXML),
      ("<!DOCTYPE a><a/>", .doctype), ("<a>&b;</a>", .entityReference), ("<a>\u{0}</a>", .nulByte),
      ("<?xml version='1.0' encoding='latin1'?><a/>", .xmlEncoding),
      ("<?xml version='1.1'?><a/>", .xmlVersion), ("<a xmlns='rel'/>", .namespaceURI),
      ("<p:a/>", .malformedNamespace), ("text", .malformedXML),
      ("<Group xmlns='urn:x'>text<a/></Group>", .unexpectedText),
      ("<Group xmlns='urn:x'><a></Group>", .malformedXML),
      ("<a \(String(repeating: "b='' ", count: 400))/>", .xmlAttributes),
    ])
  func refusals(text: String, code: TokenError.Code) {
    for size in [1, 3, 4096] {
      #expect(throws: TokenError(code)) { try Self.parts(text, size: size) }
    }
  }

  @Test("The limits hold for each part, not for the whole")
  func limits() throws {
    var limits = Limits()
    limits.elements = 3
    limits.bytes = 100
    limits.depth = 4
    let fits =
      "<Group xmlns='urn:x'>" + String(repeating: "<a><b/><c/></a>\n", count: 50) + "</Group>"
    #expect(try Self.parts(fits, limits: limits).count == 52)
    for (part, code) in [
      ("<a><b/><c/><d/></a>", TokenError.Code.xmlElements),
      ("<a>\(String(repeating: "x<!---->", count: 120))</a>", .inputTooLarge),
      ("<a>\(String(repeating: "x", count: 120))</a>", .inputTooLarge),
    ] {
      #expect(throws: TokenError(code)) {
        try Self.parts("<Group xmlns='urn:x'>" + part + "</Group>", limits: limits)
      }
    }
    let deep = String(repeating: "<Group xmlns='urn:x'>", count: 17)
    #expect(throws: TokenError(.xmlDepth)) { try Self.parts(deep) }
  }
}
