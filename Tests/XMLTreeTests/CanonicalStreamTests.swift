import Octets
import Testing
import TokenBasics
import XMLTree

/// The tree is the model: a document in parts has its canonical octets, wherever the pieces are cut.
@Suite("Canonical octets of a document in parts")
struct CanonicalStreamTests {
  private static let methods = [
    CanonicalizationMethod(.exclusive), CanonicalizationMethod(.inclusive10),
    CanonicalizationMethod(.inclusive11),
    CanonicalizationMethod(.exclusive, inclusivePrefixes: ["p", "xs"]),
    CanonicalizationMethod(.exclusive, inclusivePrefixes: ["#default", "q", "absent"]),
  ]

  private static let documents = [
    "<g xmlns='urn:g'><e/></g>",
    "<?a b?><!-- c --><?d?>\n<g xmlns='urn:g'>\n <?i  j ?><e>\u{e9}</e>\t<!-- x -->\r\n<e a='1'/></g>\n<?z y?>",
    "<g xmlns='urn:g' xmlns:p='urn:p' b='2' a='1' p:c='&lt;&#9;&#10;&quot;'><p:e p:z='1' a='2'/>&#13;<e xmlns:p='urn:q'><p:f/></e></g>",
    "<p:g xmlns:p='urn:g' xmlns:q='urn:q'><e xmlns:p='urn:other'><q:f xmlns:p='urn:g'><p:h/></q:f></e></p:g>",
    "<g xmlns='urn:g'><e xmlns=''><f/><f xmlns='urn:g'/></e><g xmlns:xs='urn:xs'><g><e v='xs:a'/></g><e xmlns:xs='urn:xs2'/></g><e/></g>",
    "<g xmlns='urn:g' xml:lang='de' xml:base='http://a/' xml:space='preserve'><e xml:lang='en'/><g xml:base='b'><e/></g></g>",
    "<g xmlns='urn:g'><e><![CDATA[<a>&]]>&#x41;&amp;&gt;</e><![CDATA[ ]]>&#32;<e/></g>",
    "<p:g xmlns:p='urn:g' xmlns='urn:d'><p:g xmlns='urn:g'><e/></p:g><e/><e xmlns=''/><p:e xmlns:p='urn:d'/></p:g>",
    "<e xmlns='urn:g' ID='a'><f/></e>",
  ]

  /// The canonical form by the stream, from pieces of this size.
  private static func streamed(
    _ text: [UInt8], _ method: CanonicalizationMethod, pieces size: Int
  ) throws -> [UInt8] {
    let stream = try DocumentStream(
      containers: [ExpandedName("g", in: "urn:g")], limits: Limits(), keepsEverything: true)
    var canonical = CanonicalStream(method)
    var output = OctetWriter()
    var octets: [UInt8] = []
    func add(_ parts: [DocumentStream.Part]) {
      for part in parts {
        switch part {
        case .containerStart(let document): canonical.start(document.root, to: &output)
        case .containerEnd: canonical.end(to: &output)
        case .child(let document):
          canonical.write(document.root.subtree, to: &output) { part in
            for index in part.indices { octets.append(part[index]) }
          }
        case .text(let text): canonical.text(text, to: &output)
        case .instruction(let target, let data): canonical.instruction(target, data, to: &output)
        }
      }
    }
    var rest = text[...]
    while !rest.isEmpty {
      add(try stream.consume(Array(rest.prefix(size))))
      rest = rest.dropFirst(size)
    }
    add(try stream.finish())
    output.withBytes { bytes in for index in bytes.indices { octets.append(bytes[index]) } }
    return octets
  }

  @Test("The parts have the octets of the tree", arguments: documents.indices)
  func fixed(number: Int) throws {
    let text = Array(Self.documents[number].utf8)
    let document = try Document(parsing: text)
    for method in Self.methods {
      let expected = Canonicalizer.octets(document.subtree, method)
      for size in [1, 7, 64, 4096] {
        let found = try Self.streamed(text, method, pieces: size)
        #expect(found == expected, "\(String(decoding: found, as: UTF8.self))")
      }
    }
  }

  @Test("So they do where prefixes are shadowed, hidden and declared again at random")
  func random() throws {
    var generator = Generator()
    for _ in 0..<400 {
      let text = Array(generator.document().utf8)
      guard let document = try? Document(parsing: text) else {
        Issue.record("\(String(decoding: text, as: UTF8.self))")
        continue
      }
      for method in Self.methods {
        let expected = Canonicalizer.octets(document.subtree, method)
        let found = try Self.streamed(text, method, pieces: 97)
        #expect(found == expected, "\(String(decoding: text, as: UTF8.self))")
      }
    }
  }

  /// Documents of containers, elements, text, comments and instructions; the same in every run.
  private struct Generator {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    private mutating func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }

    mutating func document() -> String {
      "<?before?>"
        + element(depth: 0, container: true, scope: ["": "", "p": "", "q": "", "xs": ""])
        + "<!-- after --><?after it?>"
    }

    private mutating func element(
      depth: Int, container: Bool, scope outer: [String: String]
    ) -> String {
      var scope = outer
      var declarations = ""
      for prefix in ["", "p", "q", "xs"] where next(3) == 0 {
        let uri = ["urn:g", "urn:h", "urn:k"][next(3)]
        scope[prefix] = uri
        declarations += prefix.isEmpty ? " xmlns='\(uri)'" : " xmlns:\(prefix)='\(uri)'"
      }
      if next(8) == 0, scope[""] != "", !declarations.contains("xmlns=") {
        scope[""] = ""
        declarations += " xmlns=''"
      }
      let wanted = container ? scope.filter { $0.value == "urn:g" }.map(\.key).sorted() : []
      var prefix = ""
      if container {
        if wanted.isEmpty {
          declarations =
            declarations.replacing(" xmlns:q='urn:h'", with: "")
            .replacing(" xmlns:q='urn:k'", with: "") + " xmlns:q='urn:g'"
          scope["q"] = "urn:g"
          prefix = "q"
        } else {
          prefix = wanted[next(wanted.count)]
        }
      } else {
        let usable = scope.filter { $0.key.isEmpty || !$0.value.isEmpty }.map(\.key).sorted()
        prefix = usable[next(usable.count)]
      }
      var attributes = ""
      if next(3) == 0 { attributes += " b='&#10;\(next(9))&amp;'" }
      if next(3) == 0 { attributes += " a='xs:t'" }
      if next(4) == 0, scope["p"] != "" { attributes += " p:a='1'" }
      if next(6) == 0 { attributes += " xml:lang='de'" }
      let name = (prefix.isEmpty ? "" : prefix + ":") + (container ? "g" : ["e", "f"][next(2)])
      var content = ""
      for _ in 0..<next(depth > 3 ? 1 : 5) {
        switch next(8) {
        case 0: content += container ? "\n  " : "text &lt;&gt;&#13;"
        case 1: content += "<!-- c -->"
        case 2: content += "<?t d?>"
        case 3: content += container ? " " : "<![CDATA[&<]]>"
        default:
          content += element(depth: depth + 1, container: container && next(3) == 0, scope: scope)
        }
      }
      return "<\(name)\(declarations)\(attributes)>\(content)</\(name)>"
    }
  }
}
