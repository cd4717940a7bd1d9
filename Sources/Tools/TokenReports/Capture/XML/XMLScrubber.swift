import Octets
import TokenBasics
import TokenMutation
import XMLTree

/// Replaces the values of an XML document, well-formed or not: markup, white space and the forms of references
/// stay, and of what is between them only names and texts of standards and times.
struct XMLScrubber {
  let text: XMLText
  let session: CaptureSession
  /// Contents that are made elsewhere, by their elements.
  var contents: [Int: [UInt8]] = [:]
  private let names: ElementNames
  private var output: [UInt8] = []
  private var open: [Int] = []

  init(_ text: XMLText, _ session: CaptureSession) {
    self.text = text
    self.session = session
    names = ElementNames(text)
  }

  private var octets: [UInt8] { text.octets }
  private var replacer: Replacer { session.replacer }

  mutating func scrub() -> [UInt8] {
    output.reserveCapacity(octets.count)
    var end = 0
    for piece in text.markup.pieces where piece.whole.lowerBound >= end {
      if let divided = scrubDividedText(at: piece.whole.lowerBound) {
        end = divided
      } else {
        scrub(piece)
      }
    }
    return output
  }

  /// Writes a piece with other values; each octet of it is replaced unless a rule keeps it.
  private mutating func scrub(_ piece: SourceMarkup.Piece) {
    switch piece.kind {
    case .text: scrubText(piece.whole)
    case .startTag(let index): scrubTag(index)
    case .comment: replaceContent(of: piece) { $0.replacer.value($1, "comment") }
    case .cdata: replaceContent(of: piece) { $0.replacer.value($1, "text in CDATA") }
    case .instruction: replaceContent(of: piece) { $0.instruction($1) }
    case .declaration: replaceContent(of: piece) { $0.declaration($1) }
    case .endTag:
      replaceContent(of: piece) { $0.endTag($1) }
      _ = open.popLast()
    }
  }

  /// Writes the delimiters of a piece, and between them what `change` makes of its content.
  private mutating func replaceContent(
    of piece: SourceMarkup.Piece, _ change: (Self, [UInt8]) -> [UInt8]
  ) {
    output += octets[piece.whole.lowerBound..<piece.content.lowerBound]
    output += change(self, Array(octets[piece.content]))
    output += octets[piece.content.upperBound..<piece.whole.upperBound]
  }

  /// The XML declaration, wherever it stands, or a processing instruction.
  private func instruction(_ octets: [UInt8]) -> [UInt8] {
    let target = octets.prefix(3)
    guard target.equalsIgnoringCase("xml"), octets.dropFirst(3).first.map(Self.isWord) != true
    else { return replacer.value(octets, "processing instruction") }
    return target + words(octets.dropFirst(3), Self.declarationWords, "XML declaration")
  }

  private func declaration(_ octets: [UInt8]) -> [UInt8] {
    var made: [UInt8] = []
    var rest = octets[...]
    while !rest.isEmpty {
      let space = rest.prefix(while: ASCII.isWhiteSpace)
      let part = rest.dropFirst(space.count).prefix { !ASCII.isWhiteSpace($0) }
      let isKept =
        Self.keywords.contains(String(decoding: part, as: UTF8.self)) || isKeptName(part)
      made += space + (isKept ? Array(part) : replacer.value(Array(part), "document type"))
      rest = rest.dropFirst(space.count + part.count)
    }
    return made
  }

  /// Whether an element of the document has that name and keeps it.
  private func isKeptName(_ name: ArraySlice<UInt8>) -> Bool {
    guard name.count < 64 else { return false }
    return text.elements.indices.contains {
      text.elements[$0].name.utf8.elementsEqual(name) && names.isKnown[$0]
        && replacer.name(Array(text.elements[$0].prefix.utf8)).elementsEqual(
          text.elements[$0].prefix.utf8)
    }
  }

  private static let keywords: Set<String> = [
    "DOCTYPE", "ENTITY", "ELEMENT", "ATTLIST", "NOTATION", "SYSTEM", "PUBLIC", "CDATA", "ID",
    "IDREF",
    "ANY", "EMPTY", "%", "#IMPLIED", "#REQUIRED", "#FIXED", "NMTOKEN",
  ]

  private static let declarationWords: Set<String> = Set(
    SAMLText.names(
      "",
      """
      version encoding standalone yes no 1.0 1.1 2.0 UTF-8 utf-8 utf8 UTF8 UTF-16 utf-16 UTF-16LE \
      UTF-16BE UTF-32 UTF-7 US-ASCII ASCII us-ascii ISO-8859-1 iso-8859-1 ISO-8859-2 ISO-8859-15 \
      Windows-1252 windows-1250 windows-1251 windows-1252 Shift_JIS EUC-JP EUC-KR GB2312 GBK GB18030 \
      Big5 KOI8-R KOI8-U IBM037 UCS-4 ISO-10646-UCS-2
      """))

  /// The text with those of its words replaced that are not listed.
  private func words(
    _ text: ArraySlice<UInt8>, _ listed: Set<String>, _ place: String
  ) -> [UInt8] {
    var made: [UInt8] = []
    var rest = text
    while let first = rest.first {
      let word = rest.prefix(while: Self.isWord)
      if word.isEmpty {
        made.append(first)
        rest.removeFirst()
      } else {
        let isListed = listed.contains(String(decoding: word, as: UTF8.self))
        made += isListed ? Array(word) : replacer.value(Array(word), place, keeping: .nothing)
        rest = rest.dropFirst(word.count)
      }
    }
    return made
  }

  /// Letters, digits, what names have beside them, and everything beyond ASCII.
  private static func isWord(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte >= 0x80
      || [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")].contains(byte)
  }

  // MARK: Tags

  private func endTag(_ octets: [UInt8]) -> [UInt8] {
    let name = octets.prefix { !ASCII.isWhiteSpace($0) }
    let rest = octets[name.count...]
    let tail = rest.isAllWhiteSpace ? Array(rest) : replacer.value(Array(rest), "end tag")
    guard let index = open.last, text.octets[text.elements[index].nameRange].elementsEqual(name)
    else { return replacer.name(Array(name)) + tail }
    return elementName(index) + tail
  }

  private func elementName(_ index: Int) -> [UInt8] {
    let element = text.elements[index]
    guard names.isKnown[index] else { return replacer.name(Array(octets[element.nameRange])) }
    replacer.kept.insert(element.localName)
    return replacer.name(Array(element.prefix.utf8)) + Array(element.localName.utf8)
  }

  private mutating func scrubTag(_ index: Int) {
    let element = text.elements[index]
    output.append(ASCII.lessThan)
    output += elementName(index)
    var position = element.nameRange.upperBound
    let attributes = AttributeScrubber(
      text: text, element: element, isKnown: names.isKnown[index],
      knownAttributes: names.knownAttributes[index], replacer: replacer)
    for (place, attribute) in element.attributes.enumerated() {
      scrubGap(from: &position, to: attribute.nameRange)
      output += attributes.name(place)
      guard attribute.value.lowerBound >= position else { continue }
      scrubGap(from: &position, to: attribute.value)
      output += attributes.value(place)
    }
    scrubGap(from: &position, to: element.startTag.upperBound..<element.startTag.upperBound)
    if !element.closesItself { open.append(index) }
  }

  /// What is between the names and values of a tag up to the next: white space and punctuation, if it is one.
  private mutating func scrubGap(from position: inout Int, to next: Range<Int>) {
    if position < next.lowerBound {
      output += replacer.value(
        Array(octets[position..<next.lowerBound]), "tag", keeping: .nothing)
    }
    position = next.upperBound
  }

  // MARK: Text

  private mutating func scrubText(_ range: Range<Int>) {
    let source = octets[range]
    guard let index = open.last else {
      output += escaped(source, "text outside of the document")
      return
    }
    let isWhole = text.elements[index].content == range
    if isWhole, let made = contents[index] {
      output += made
    } else {
      output += replaced(source, of: index, escaped)
    }
  }

  /// Replaces text that sections, comments or instructions divide: it is one value, as for a reader. Returns where it
  /// ends if such a text begins at the place.
  private mutating func scrubDividedText(at place: Int) -> Int? {
    guard let index = open.last, place == text.elements[index].content.lowerBound else {
      return nil
    }
    let source = octets[text.elements[index].content]
    // Before anything is counted: there may be elements.
    guard source.contains(ASCII.lessThan), text.markup.hasTextAlone(index),
      let divided = ReversibleText(content: source, aside: aside)
    else { return nil }
    let made =
      contents[index] ?? replaced(divided.decoded[...], of: index) { replacer.value(Array($0), $1) }
    let isInPlace = contents[index] == nil && made.count == divided.decoded.count
    output += isInPlace ? divided.encoding(made) : made
    return source.endIndex
  }

  /// A comment or processing instruction beside text.
  private func aside(_ whole: ArraySlice<UInt8>, _ piece: SourceMarkup.Piece) -> [UInt8] {
    let content = Array(whole[piece.content])
    let made = piece.kind == .comment ? replacer.value(content, "comment") : instruction(content)
    return whole[..<piece.content.lowerBound] + made + whole[piece.content.upperBound...]
  }

  /// What stands in place of an element's text.
  ///
  /// - Parameter value: Replaces a value and counts it by the place that it gets.
  private func replaced(
    _ source: ArraySlice<UInt8>, of index: Int,
    _ value: (ArraySlice<UInt8>, _ place: String) -> [UInt8]
  ) -> [UInt8] {
    if source.isAllWhiteSpace { return Array(source) }
    guard names.isKnown[index] else { return value(source, "text of an unknown element") }
    let name = text.elements[index].localName
    if name == "X509Certificate" { return certificate(source) }
    if Self.octetNames.contains(name) {
      replacer.count(name, original: Array(source))
      return Base64Layout(source).withOtherOctets()
    }
    return kept(name, source) ?? value(source, name)
  }

  /// What stays of a time, a length or a public exponent.
  private func kept(_ name: String, _ source: ArraySlice<UInt8>) -> [UInt8]? {
    let core = PublicText.trimmed(Array(source))
    var made: [UInt8]?
    if Self.timeNames.contains(name) { made = TimeText.dateTime(core) }
    if Self.parameters[name]?.contains(String(decoding: core, as: UTF8.self)) == true {
      made = Array(core)
    }
    guard let made = replacer.time(made) else { return nil }
    let start = source.startIndex + core.startIndex
    return source[..<start] + made + source[(start + core.count)...]
  }

  private func escaped(_ source: ArraySlice<UInt8>, _ place: String) -> [UInt8] {
    let text = ReversibleText(xml: source)
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

  /// Elements whose text is one of few numbers, which say nothing about anyone.
  private static let parameters: [String: Set<String>] = [
    "Exponent": ["AQAB", "Aw==", "EQ=="],
    "HMACOutputLength": lengths, "KeySize": lengths,
  ]
  private static let lengths: Set<String> = [
    "0", "1", "8", "16", "32", "40", "64", "80", "96", "128", "160", "192", "224", "256", "384",
    "512",
  ]
}

/// Replaces names and values of the attributes of one element.
struct AttributeScrubber {
  let text: XMLText
  let element: XMLText.Element
  /// Whether the names of the element and its attributes are those of a standard.
  let isKnown: Bool
  let knownAttributes: [Bool]
  let replacer: Replacer

  func name(_ place: Int) -> [UInt8] {
    let source = text.octets[element.attributes[place].nameRange]
    let colon = source.firstIndex(of: UInt8(ascii: ":"))
    let local = source[(colon.map { $0 + 1 } ?? source.startIndex)...]
    let isDeclaration = source.elementsEqual("xmlns".utf8) || source.starts(with: "xmlns:".utf8)
    guard knownAttributes[place], !isDeclaration else { return replacer.name(Array(source)) }
    replacer.kept.insert(String(decoding: local, as: UTF8.self))
    return replacer.name(Array(source[..<local.startIndex])) + local
  }

  func value(_ place: Int) -> [UInt8] {
    let attribute = element.attributes[place]
    let escaped = ReversibleText(xml: text.octets[attribute.value])
    return escaped.encoding(value(attribute.name, escaped.decoded, isKnown: knownAttributes[place]))
  }

  private func value(_ name: String, _ value: [UInt8], isKnown: Bool) -> [UInt8] {
    let local = String(name.split(separator: ":").last ?? "")
    if name == "xmlns" || name.hasPrefix("xmlns:") {
      return replacer.value(value, "namespace", keeping: .names)
    }
    if isKnown, let kept = kept(local, value) { return kept }
    if local == "type" || local == "PrefixList" {
      return Array(
        value.split(separator: ASCII.space, omittingEmptySubsequences: false)
          .map { replacer.name(Array($0)) }.joined(separator: [ASCII.space]))
    }
    if self.isKnown, element.localName == "StatusCode", local == "Value",
      !value.contains(UInt8(ascii: "/")), !value.starts(with: "urn:".utf8)
    {
      return replacer.name(value)
    }
    return replacer.value(
      value, isKnown ? "attribute \(local)" : "attribute of another name",
      keeping: isKnown ? .names : .identifiers)
  }

  /// What stays of a time, a version or a switch.
  private func kept(_ local: String, _ value: [UInt8]) -> [UInt8]? {
    let core = PublicText.trimmed(value)
    var made: [UInt8]?
    if Self.times.contains(local) { made = TimeText.dateTime(core) }
    if Self.versions.contains(local), core.count <= 3, core.allSatisfy(PublicText.isVersion) {
      made = Array(core)
    }
    if Self.switches.contains(local), core == [0x30] || core == [0x31] { made = Array(core) }
    if local == "space", core.elementsEqual("preserve".utf8) || core.elementsEqual("default".utf8) {
      made = Array(core)
    }
    return replacer.time(made).map { value[..<core.startIndex] + $0 + value[core.endIndex...] }
  }

  private static let times: Set<String> = [
    "IssueInstant", "NotBefore", "NotOnOrAfter", "AuthnInstant", "AuthenticationInstant",
    "SessionNotOnOrAfter",
  ]
  private static let versions: Set<String> = ["Version", "MajorVersion", "MinorVersion"]
  private static let switches: Set<String> = [
    "mustUnderstand", "relay", "nil", "ForceAuthn", "IsPassive", "AllowCreate",
  ]
}
