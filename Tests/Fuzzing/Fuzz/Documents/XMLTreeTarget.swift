import Octets
import TestSupport
import TokenBasics
import XMLOracle
import XMLTree

/// The tree: reading, walking, printing and reading again; the stream beside it; the writer.
struct XMLTreeTarget: FuzzTarget {
  var seeds: [(name: String, octets: [UInt8])] {
    TestVector.of("saml20", "saml11", "rstr", "xmldsig", "c14n", "metadata")
      .filter { $0.octets.count < 6_000 && $0.octets.first != nil }
      .enumerated().filter { $0.offset % 4 == 0 || $0.element.format == "c14n" }
      .map { ($0.element.id, $0.element.octets) }
  }

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    XMLMutator.mutate(octets, &random)
  }

  func cross(_ first: [UInt8], _ second: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    XMLMutator.cross(first, second, &random)
  }

  func exercise(_ octets: [UInt8]) {
    checkWriter(octets)
    let document: Document
    do throws(TokenError) {
      document = try Document(parsing: octets)
    } catch {
      ErrorHygiene.check(error, octets)
      require((try? Document(parsing: octets)) == nil, "what is refused stays refused")
      return
    }
    walk(document)
    checkPrinting(document)
    checkSource(document)
    checkStream(document, octets)
    checkCanonicalStream(document, octets)
    _ = try? IdentifierIndex(document)
  }

  private func walk(_ document: Document) {
    let elements = document.root.descendants { _ in true }
    for element in elements.prefix(200) {
      require(element.path.utf8.first == UInt8(ascii: "/"), "a path begins at the root")
      require(element.path.utf8.count <= 4_096, "a path is short")
      _ = element.namespacesInScope
      _ = element.namespace(forPrefix: "")
      let children = try? element.children()
      require(
        children?.allSatisfy { $0.parent?.isSameNode(as: element) == true } ?? true, "parents")
      if let text = try? element.text() {
        require(!element.hasChildElements, "text without child elements")
        require(String(validating: Array(text.utf8), as: UTF8.self) != nil, "text is UTF-8")
      }
    }
  }

  /// Documents are printed as Canonical XML; printing the parsed result again changes nothing.
  private func checkPrinting(_ document: Document) {
    let method = CanonicalizationMethod(.inclusive10, withComments: true)
    let printed = Canonicalizer.octets(document.subtree, method)
    guard let again = try? Document(parsing: printed, limits: Self.generous) else {
      fail("a canonical form cannot be read")
    }
    require(Canonicalizer.octets(again.subtree, method) == printed, "parse, print, parse is stable")
  }

  /// What is digested is what is read.
  private func checkSource(_ document: Document) {
    if let difference = SourceComparison.difference(document, most: 16) {
      fail("the source has other canonical octets than the tree\n\(difference)")
    }
  }

  /// The children from the stream are the children of the tree.
  private func checkStream(_ document: Document, _ octets: [UInt8]) {
    let root = ExpandedName(document.root.localName, in: document.root.namespaceURI)
    let method = CanonicalizationMethod(.exclusive)
    guard let children = try? document.root.children(),
      !children.contains(where: { $0.isNamed(root) })
    else { return }
    do throws(TokenError) {
      let stream = try DocumentStream(containers: [root], limits: Self.generous)
      var parts: [DocumentStream.Part] = []
      var rest = octets[...]
      while !rest.isEmpty {
        parts += try stream.consume(Array(rest.prefix(61)))
        rest = rest.dropFirst(61)
      }
      parts += try stream.finish()
      var streamed: [[UInt8]] = []
      for case .child(let part) in parts {
        streamed.append(Canonicalizer.octets(part.root.subtree, method))
      }
      let expected = children.map { Canonicalizer.octets($0.subtree, method) }
      require(streamed == expected, "the stream has the tree's children")
    } catch {
      fail("the stream refuses what the tree accepts: \(error)")
    }
  }

  /// The canonical form by parts is the canonical form of the tree.
  private func checkCanonicalStream(_ document: Document, _ octets: [UInt8]) {
    let root = ExpandedName(document.root.localName, in: document.root.namespaceURI)
    for method in [CanonicalizationMethod(.exclusive), CanonicalizationMethod(.inclusive10)] {
      do throws(TokenError) {
        let stream = try DocumentStream(
          containers: [root], limits: Self.generous, keepsEverything: true)
        var canonical = CanonicalStream(method)
        var output = OctetWriter()
        var streamed: [UInt8] = []
        let parts = try stream.consume(octets) + stream.finish()
        for part in parts {
          switch part {
          case .containerStart(let container): canonical.start(container.root, to: &output)
          case .containerEnd: canonical.end(to: &output)
          case .child(let child):
            canonical.write(child.root.subtree, to: &output) { piece in
              for index in piece.indices { streamed.append(piece[index]) }
            }
          case .text(let text): canonical.text(text, to: &output)
          case .instruction(let target, let data):
            canonical.instruction(target, data, to: &output)
          }
        }
        output.withBytes { piece in
          for index in piece.indices { streamed.append(piece[index]) }
        }
        require(
          streamed == Canonicalizer.octets(document.subtree, method),
          "the parts have the canonical octets of the tree")
      } catch {
        // More than a stream takes: containers in containers without end.
        require(error.code == .xmlDepth, "the stream takes what the tree takes: \(error)")
      }
    }
  }

  /// Written text is read back unchanged.
  private func checkWriter(_ octets: [UInt8]) {
    guard let text = String(validating: octets.prefix(256), as: UTF8.self) else { return }
    let name = ExpandedName("t", in: "urn:t")
    let attribute = ExpandedName("a", in: "")
    guard
      let fragment = try? XMLWriter.fragment(
        name, [(attribute, text)], prefixes: ["urn:t": "t"],
        { writer throws(TokenError) in try writer.element(name, text: text) })
    else { return }
    guard let document = try? Document(parsing: fragment.octets),
      let child = try? document.root.children().first, let read = try? child.text()
    else { fail("what was written cannot be read") }
    require(Array(read.utf8) == Array(text.utf8), "written text is read back")
    let value = document.root.attribute(attribute) ?? ""
    require(Array(value.utf8) == Array(text.utf8), "a written attribute is read back")
  }

  static let generous: Limits = {
    var limits = Limits()
    limits.bytes = Limits.hardByteLimit
    limits.namespaces = 10_000
    limits.attributes = 10_000
    return limits
  }()
}
