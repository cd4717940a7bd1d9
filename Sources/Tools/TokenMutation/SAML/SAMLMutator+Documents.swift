import TokenBasics
import XMLTree

extension SAMLMutator {
  private var start: Int { text.elements[0].whole.lowerBound }

  /// Identifiers that are duplicated, missing, or another element's.
  func addIdentifiers() {
    let signed = message.signedElement
    let name = message.identifierName(of: signed)
    let id = message.identifier(of: signed)
    let wsu =
      "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"
    for (label, attribute) in [
      ("ID", "ID"), ("Id", "Id"), ("lower-case-id", "id"), ("AssertionID", "AssertionID"),
      ("ResponseID", "ResponseID"), ("RequestID", "RequestID"), ("xml-id", "xml:id"),
      ("wsu-Id", "xmlns:wsu=\"\(wsu)\" wsu:Id"),
    ] {
      list.add(
        "identifier/twice-\(label)", "another element has the identifier too",
        ["REF-9", "REF-10", "REF-11"], .duplicateID,
        edited(text.prepending("<x \(attribute)=\"\(id)\"/>", to: message.assertion)))
    }
    if let first = id.unicodeScalars.first {
      let escaped = "&#\(first.value);" + id.dropFirst()
      list.add(
        "identifier/twice-escaped", "another element has the identifier, in character references",
        ["REF-14"], .duplicateID,
        edited(text.prepending("<x ID=\"\(escaped)\"/>", to: message.assertion)))
    }
    // A reference to the whole document names no identifier.
    let isToDocument = value("URI", of: message.inSignature("Reference")) == ""
    let code = isToDocument ? TokenError.Code.digestMismatch : .referenceURI
    list.add(
      "identifier/other", "the signed element has another identifier", ["REF-8", "REF-23"],
      code, edited(setting(name, "_other", of: signed)))
    list.add(
      "identifier/longer", "the identifier only begins like the referenced one", ["REF-15"],
      code,
      id.utf8.count < 256 ? edited(setting(name, id + "x", of: signed)) : nil)
    list.add(
      "identifier/none", "the signed element has no identifier", ["REF-23"], .missingAttribute,
      edited(text.removingAttribute(name, of: signed)))
    list.add(
      "identifier/foreign", "the identifier is in a foreign namespace", ["REF-12"],
      .missingAttribute,
      edited(
        text.elements[signed].attribute(name).map {
          XMLText.Edit($0.whole, "xmlns:evil=\"urn:evil\" evil:\(text.text($0.whole))")
        }))
    for (label, other) in [
      ("empty", ""), ("space", id + " x"), ("tab", id + "&#9;"),
      ("too-long", String(repeating: "a", count: 257)),
    ] {
      list.add(
        "identifier/\(label)", "the identifier is none", ["REF-23", "REF-24"], .malformedID,
        edited(setting(name, other, of: signed)))
    }
  }

  /// Documents that every parser must reject, and those that some accept.
  func addDocuments() {
    let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
    for (label, attacks, doctype) in [
      ("plain", ["XML-1"], "<!DOCTYPE x>"),
      ("external", ["XML-3"], "<!DOCTYPE x SYSTEM \"http://127.0.0.1:9/x.dtd\">"),
      ("file", ["XML-4"], "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>"),
      (
        "laughs", ["XML-6"],
        "<!DOCTYPE x [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;\">]>"
      ),
      ("id-attribute", ["REF-16"], "<!DOCTYPE x [<!ATTLIST x Q ID #IMPLIED>]>"),
      ("default", ["XML-8"], "<!DOCTYPE x [<!ATTLIST x xmlns CDATA #FIXED 'urn:z'>]>"),
      (
        "parameter-entity", ["XML-5"],
        "<!DOCTYPE x [<!ENTITY % p SYSTEM \"http://127.0.0.1:9/\">%p;]>"
      ),
    ] {
      list.add(
        "xml/doctype-\(label)", "there is a DOCTYPE", attacks, .doctype,
        edited(XMLText.Edit(at: start, doctype)))
    }
    for encoding in ["UTF-7", "UTF-16", "ISO-8859-1", "IBM037", "windows-1252"] {
      list.add(
        "xml/encoding-\(encoding)", "the declaration names \(encoding)", ["XML-21", "FZ-5"],
        .xmlEncoding,
        withDeclaration("<?xml version=\"1.0\" encoding=\"\(encoding)\"?>"))
    }
    for version in ["1.1", "2.0"] {
      list.add(
        "xml/version-\(version)", "the declaration has version \(version)", ["XML-24"],
        .xmlVersion, withDeclaration("<?xml version=\"\(version)\" encoding=\"UTF-8\"?>"))
    }
    list.add(
      "xml/late-declaration", "the declaration is not at the beginning", ["XML-23"],
      .malformedXML, edited(XMLText.Edit(at: start, " " + declaration)))
    list.add(
      "xml/nul", "a NUL byte and more follow the message", ["XML-20"], .nulByte,
      text.octets + [0] + Array("<x/>".utf8))
    for (label, tail) in [("element", "<x/>"), ("text", "junk"), ("open-tag", "<x")] {
      list.add(
        "xml/trailing-\(label)", "something follows the message", ["XML-22"], .malformedXML,
        Array(text.octets[..<text.elements[0].whole.upperBound]) + Array(tail.utf8))
    }
    list.add(
      "xml/cut", "the end of the message is missing", ["XML-25"], .malformedXML,
      Array(text.octets[..<(text.elements[0].whole.upperBound - 1)]))
    list.add(
      "xml/half", "half of the message is missing", ["XML-25"], .malformedXML,
      Array(text.octets[..<(text.octets.count / 2)].reversed().drop { $0 >= 0x80 }.reversed()))
    addNames()
  }

  private func withDeclaration(_ declaration: String) -> [UInt8]? {
    guard text.octets.first == UInt8(ascii: "<") else { return nil }
    var range = 0..<0
    if text.octets.starts(with: Array("<?xml ".utf8)),
      let end = text.octets.firstIndex(of: UInt8(ascii: ">"))
    {
      range = 0..<(end + 1)
    }
    return edited(XMLText.Edit(range, declaration))
  }

  /// Names and attributes that break the rules of namespaces.
  private func addNames() {
    let index = message.assertion
    for (label, code, attribute) in [
      ("undeclared-prefix", TokenError.Code.malformedNamespace, "evil:x=\"1\""),
      (
        "same-expanded-name", .malformedNamespace,
        "xmlns:e1=\"urn:e\" xmlns:e2=\"urn:e\" e1:x=\"1\" e2:x=\"2\""
      ),
      ("rebound-xml", .malformedNamespace, "xmlns:xml=\"urn:evil\""),
      ("relative-namespace", .namespaceURI, "xmlns:evil=\"evil\""),
      ("attribute-twice", .malformedXML, "x=\"1\" x=\"2\""),
      ("control-character", .malformedXML, "x=\"&#1;\""),
      ("raw-less-than", .malformedXML, "x=\"<\""),
    ] {
      list.add(
        "xml/\(label)", "an attribute breaks the rules of XML or its namespaces",
        ["XML-12", "XML-14", "C14N-1"], code, edited(text.addingAttribute(attribute, to: index)))
    }
    for (label, code, content) in [
      ("unknown-entity", TokenError.Code.entityReference, "&evil;"),
      ("bare-ampersand", .malformedXML, "a & b"), ("character-zero", .malformedXML, "&#0;"),
      ("undeclared-element-prefix", .malformedNamespace, "<evil:x/>"),
    ] {
      list.add(
        "xml/\(label)", "the content breaks the rules of XML or its namespaces", ["XML-7"], code,
        edited(text.prepending(content, to: index)))
    }
  }

  /// One more than each limit allows.
  func addLimits() {
    func many(_ count: Int, _ piece: (Int) -> String) -> String {
      (0..<count).map(piece).joined()
    }
    let limits = Limits()
    let index = message.assertion
    for (label, code, edit) in [
      (
        "depth", TokenError.Code.xmlDepth,
        text.prepending(
          String(repeating: "<x>", count: limits.depth)
            + String(repeating: "</x>", count: limits.depth), to: index)
      ),
      (
        "elements", .xmlElements,
        text.prepending(String(repeating: "<x/>", count: limits.elements), to: index)
      ),
      (
        "attributes", .xmlAttributes,
        text.addingAttribute(many(limits.attributes + 1) { " a\($0)=\"\"" }, to: index)
      ),
      (
        "namespaces", .xmlNamespaces,
        text.addingAttribute(
          many(limits.namespaces + 1) { " xmlns:n\($0)=\"urn:n\"" }, to: index)
      ),
    ] {
      list.add(
        "limit/\(label)", "there is more of it than the default limit allows", ["DOS-1"], code,
        edited(edit))
    }
  }
}
