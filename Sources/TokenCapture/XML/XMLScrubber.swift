import Octets
import TokenMutation

/// Replaces the values of an XML document and keeps its markup, white space and entity forms.
struct XMLScrubber {
  let text: XMLText
  let session: CaptureSession
  /// Contents that are made elsewhere, by their elements.
  var contents: [Int: [UInt8]] = [:]
  private var output: [UInt8] = []
  private var open: [Int] = []
  private var position = 0

  init(_ text: XMLText, _ session: CaptureSession) {
    self.text = text
    self.session = session
  }

  private var octets: [UInt8] { text.octets }
  private var replacer: Replacer { session.replacer }

  mutating func scrub() -> [UInt8] {
    var starts: [Int: Int] = [:]
    for index in text.elements.indices { starts[text.elements[index].startTag.lowerBound] = index }
    while position < octets.count {
      if octets[position] != ASCII.lessThan {
        scrubText(until: octets.firstIndex(of: ASCII.lessThan, from: position) ?? octets.count)
      } else if let index = starts[position] {
        scrubTag(index)
      } else {
        scrubMarkup()
      }
    }
    return output
  }

  private mutating func scrubMarkup() {
    let rest = octets[position...]
    if rest.starts(with: "<!--".utf8) {
      scrubDelimited("<!--", "-->") { $0.replacer.value($1, "comment") }
    } else if rest.starts(with: "<![CDATA[".utf8) {
      scrubDelimited("<![CDATA[", "]]>") { $0.replacer.value($1, "text in CDATA") }
    } else if rest.starts(with: "<?xml ".utf8) {
      scrubDelimited("<?", "?>") { $1 }
    } else if rest.starts(with: "<?".utf8) {
      scrubDelimited("<?", "?>") { $0.replacer.value($1, "processing instruction") }
    } else if rest.starts(with: "<!".utf8) {
      scrubDelimited("<!", ">") { $0.declaration($1) }
    } else {
      scrubDelimited("</", ">") { $0.endTag($1) }
      _ = open.popLast()
    }
  }

  private mutating func scrubDelimited(
    _ start: StaticString, _ end: StaticString, _ change: (Self, [UInt8]) -> [UInt8]
  ) {
    let first = min(position + start.utf8CodeUnitCount, octets.count)
    let wanted = Array(end.description.utf8)
    var last = first
    while last < octets.count, !octets[last...].starts(with: wanted) { last += 1 }
    output += octets[position..<first]
    output += change(self, Array(octets[first..<last]))
    position = min(last + wanted.count, octets.count)
    output += octets[last..<position]
  }

  private func declaration(_ octets: [UInt8]) -> [UInt8] {
    Array(
      octets.split(separator: ASCII.space, omittingEmptySubsequences: false).map { part in
        Self.keywords.contains(String(decoding: part, as: UTF8.self)) || isKeptName(part)
          ? Array(part) : replacer.value(Array(part), "document type")
      }.joined(separator: [ASCII.space]))
  }

  /// Whether an element of the document has that name and keeps it.
  private func isKeptName(_ name: ArraySlice<UInt8>) -> Bool {
    text.elements.indices.contains {
      text.elements[$0].name.utf8.elementsEqual(name)
        && replacer.name(Array(text.elements[$0].prefix.utf8)).elementsEqual(
          text.elements[$0].prefix.utf8)
        && text.isKnown($0)
    }
  }

  private static let keywords: Set<String> = [
    "DOCTYPE", "ENTITY", "ELEMENT", "ATTLIST", "NOTATION", "SYSTEM", "PUBLIC", "CDATA", "ID",
    "IDREF",
    "ANY", "EMPTY", "%", "#IMPLIED", "#REQUIRED", "#FIXED", "NMTOKEN",
  ]

  private func endTag(_ octets: [UInt8]) -> [UInt8] {
    let name = octets.prefix { !ASCII.isWhiteSpace($0) }
    guard let index = open.last, text.elements[index].name.utf8.elementsEqual(name) else {
      return replacer.name(octets)
    }
    return elementName(index) + octets[name.count...]
  }

  // MARK: Tags

  private func elementName(_ index: Int) -> [UInt8] {
    let element = text.elements[index]
    guard text.isKnown(index) else { return replacer.name(Array(element.name.utf8)) }
    replacer.kept.insert(element.localName)
    return replacer.name(Array(element.prefix.utf8)) + Array(element.localName.utf8)
  }

  private mutating func scrubTag(_ index: Int) {
    let element = text.elements[index]
    output.append(ASCII.lessThan)
    output += elementName(index)
    position += 1 + element.name.utf8.count
    let attributes = AttributeScrubber(text, index, replacer)
    for attribute in element.attributes where attribute.whole.lowerBound >= position {
      output += octets[position..<attribute.whole.lowerBound]
      let nameEnd = attribute.whole.lowerBound + attribute.name.utf8.count
      output += attributes.name(attribute.name)
      let valueStart = max(nameEnd, attribute.value.lowerBound)
      output += octets[min(nameEnd, valueStart)..<valueStart]
      if attribute.value.upperBound > valueStart { output += attributes.value(attribute) }
      position = max(valueStart, attribute.value.upperBound)
      if position < attribute.whole.upperBound {
        output += octets[position..<attribute.whole.upperBound]
        position = attribute.whole.upperBound
      }
    }
    if position < element.startTag.upperBound {
      output += octets[position..<element.startTag.upperBound]
      position = element.startTag.upperBound
    }
    if !element.closesItself { open.append(index) }
  }

  // MARK: Text

  private mutating func scrubText(until end: Int) {
    let source = octets[position..<end]
    position = end
    guard let index = open.last else {
      output += escaped(source, "text outside of the document")
      return
    }
    let name = text.elements[index].localName
    let isWhole = text.elements[index].content == source.startIndex..<end
    if isWhole, let made = contents[index] {
      output += made
    } else if source.allSatisfy(ASCII.isWhiteSpace) {
      output += source
    } else if !text.isKnown(index) {
      output += escaped(source, "text of an unknown element")
    } else if name == "X509Certificate" {
      output += certificate(source)
    } else if Self.octetNames.contains(name) {
      replacer.count(name, original: Array(source))
      output += Base64Layout(source).withOtherOctets()
    } else if Self.numberNames.contains(name), source.count <= 12 {
      output += source
    } else if Self.timeNames.contains(name), source.allSatisfy(PublicText.isTimeCharacter) {
      replacer.kept.insert(String(decoding: source, as: UTF8.self))
      output += source
    } else {
      output += escaped(source, name)
    }
  }

  private func escaped(_ source: ArraySlice<UInt8>, _ place: String) -> [UInt8] {
    let text = EscapedText(xml: source)
    return text.encoding(replacer.value(text.decoded, place))
  }

  private func certificate(_ source: ArraySlice<UInt8>) -> [UInt8] {
    let layout = Base64Layout(source)
    replacer.count("X509Certificate", original: Array(source))
    guard let octets = layout.octets, let original = TestCertificate.reading(octets, session) else {
      session.note("a certificate that cannot be read is random octets of the same length")
      return layout.withOtherOctets()
    }
    session.note("a certificate in KeyInfo is that of the test key, and may have another length")
    return layout.encoding(original)
  }

  /// Elements whose text is base 64 of octets.
  private static let octetNames: Set<String> = [
    "SignatureValue", "DigestValue", "CipherValue", "Modulus", "X509SKI", "X509CRL", "X509Digest",
    "P",
    "Q", "G", "Y", "J", "Seed", "PgenCounter", "DEREncodedKeyValue", "PublicKey", "KeyIdentifier",
    "BinarySecret", "PGPKeyID", "PGPKeyPacket", "SPKISexp", "OAEPparams", "KA-Nonce", "Entropy",
  ]

  /// Elements whose text is a time.
  private static let timeNames: Set<String> = ["Created", "Expires"]

  /// Elements whose text is a number or a parameter that says nothing about anyone.
  private static let numberNames: Set<String> = [
    "Exponent", "HMACOutputLength", "KeySize", "Lifetime",
  ]
}
