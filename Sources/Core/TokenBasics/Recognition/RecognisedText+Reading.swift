import Octets

extension RecognisedText {
  /// What a text is. The one function that answers this, for every place where a text is given: it looks at the
  /// structure, form by form, and has no kind for what remains but ``TextKind/other``.
  ///
  /// It runs before an error is worded, never before a token is read.
  package static func of(_ whole: some Collection<UInt8>) -> RecognisedText { of(whole, depth: 0) }

  /// What a text is that another one is written around; ``TextKind/other`` where that one is itself in several others, so that
  /// no text makes the recogniser go on for ever.
  static func of(_ whole: some Collection<UInt8>, inside outer: TextSample) -> RecognisedText {
    guard outer.depth < deepest else { return RecognisedText(.other) }
    return of(whole, depth: outer.depth + 1)
  }

  /// How many texts around one are taken off.
  private static let deepest = 2

  private static func of(_ whole: some Collection<UInt8>, depth: Int) -> RecognisedText {
    let all = Array(whole)[...]
    if let binary = BinaryText.recognise(all) { return binary }
    let sample = TextSample(all, depth: depth)
    guard !sample.isEmpty else { return RecognisedText(.empty) }
    let recognisers: [(TextSample) -> RecognisedText?] = [
      SurrogateText.recognise, LinedText.recognise, MergeText.recognise, MarkupText.recognise,
      JSONText.recognise,
      KeyText.recognise, QuotedText.recognise, TokenText.severalLines, MailText.recognise,
      MarkupText.inside,
      ForeignText.recognise, RequestText.recognise, TokenText.recognise, DamagedText.recognise,
      EncodedText.recognise, PlainText.recognise,
    ]
    for recognise in recognisers {
      if let text = recognise(sample) { return text.finding(in: sample) }
    }
    return BinaryText.remaining(sample).finding(in: sample)
  }

  /// A copy with the places of the tokens and keys inside, for a kind of text that may have any.
  fileprivate func finding(in sample: TextSample) -> RecognisedText {
    var text = self
    if mayHoldKeys { text.key = KeySearch.first(in: sample.octets) }
    if mayHoldSettings { text.settings = IssuerSetting.all(in: sample) }
    guard tokens.isEmpty else { return text }
    switch kind {
    case .pgp, .yaml, .kubernetes, .binary, .json, .tokenHeader, .page, .errorPage: break
    default:
      let hasRow = TextAdvice.rows[kind] != nil || TextAdvice.documentRows[kind] != nil
      guard kind.isWrapper || hasRow, !isAlone else { return text }
    }
    text.tokens = TokenSearch.tokens(in: sample.octets)
      // The base64 of a mail is undone by the mail program.
      .filter { kind != .mail || sample.octets.contains($0.octets) }
      .map(\.place)
    return text
  }

  /// Whether the text is an address, a request or an answer, in which no other token is looked for.
  private var isAlone: Bool {
    switch kind {
    case .samlRequest, .errorAnswer, .hexDump, .terminalText, .numberedLines, .picture, .shownEnds,
      .jsonLines, .byteArray, .principal, .passwordHash, .cborToken, .otherFields:
      true
    default: false
    }
  }

  /// Whether the text may be the settings of a program that trusts an issuer.
  private var mayHoldSettings: Bool {
    switch kind {
    case .yaml, .kubernetes, .environment, .settingsFile, .otherDocument, .json: true
    default: false
    }
  }

  /// Whether the text is a document in which a certificate may stand as base64 behind a name.
  private var mayHoldKeys: Bool {
    switch kind {
    case .yaml, .environment, .settingsFile, .xml, .otherDocument, .ldif, .log, .sourceText, .table,
      .credentials, .prose, .other, .textAroundToken, .diff, .soapFault, .wsdl, .propertyList,
      .keyStoreListing, .certificateText:
      true
    default: false
    }
  }
}

/// What is no text.
enum BinaryText {
  static func recognise(_ octets: ArraySlice<UInt8>) -> RecognisedText? {
    if ContentEncoding.isUTF16(octets.span) {
      let first = octets.first { $0 != 0 && $0 < 0x80 && !ASCII.isWhiteSpace($0) }
      return RecognisedText(.utf16, detail: first == ASCII.lessThan ? "XML" : nil)
    }
    if let file = FileSignature.recognise(octets) {
      return file.kind == .document ? file.finding(in: TextSample(octets)) : file
    }
    if let kind = ContentEncoding.compression(octets.span) { return RecognisedText(kind) }
    // The digit 0 is a SEQUENCE of DER too.
    guard octets.first == 0x30, !ContentEncoding.isText(Array(octets.prefix(256))) else {
      return nil
    }
    return DERShape.kind(octets).map { RecognisedText($0, form: .der) }
  }

  static func remaining(_ sample: TextSample) -> RecognisedText {
    let controls = sample.octets.prefix(4_096).contains { $0 < 0x20 && !ASCII.isWhiteSpace($0) }
    if controls || Array(sample.octets.prefix(4_096)).span.firstNotUTF8.map({ $0 < 4_000 }) == true
    {
      return RecognisedText(.binary, name: "binary data of \(sample.octets.count) bytes")
    }
    return RecognisedText(.other, name: TextOutline.size(sample))
  }
}

/// What a version control program writes into a file where two changes meet.
enum MergeText {
  static func recognise(_ sample: TextSample) -> RecognisedText? {
    guard sample.has("<<<<<<< "), sample.has(">>>>>>> ") else { return nil }
    guard let place = sample.lines.firstIndex(where: { $0.hasPrefix("<<<<<<< ") }) else {
      return nil
    }
    return RecognisedText(.mergeConflict, node: "line \(place + 1)")
  }
}

/// XML and HTML.
enum MarkupText {
  static func recognise(_ sample: TextSample) -> RecognisedText? {
    guard sample.first == ASCII.lessThan, !sample.begins("<?php"), !sample.begins("<%")
    else { return nil }
    if PlainText.isPlaceholder(sample) { return RecognisedText(.placeholder) }
    if isPage(sample) { return page(sample) }
    if sample.has("=3D\"") || sample.has("=3D'") { return RecognisedText(.quotedPrintable) }
    if sample.begins("<![CDATA[") { return RecognisedText(.cdata) }
    if sample.has("=\u{201C}") || sample.has("=\u{201D}") {
      return RecognisedText(
        .typographic, detail: "quotation marks of ASCII (\")",
        name: "XML with typographic quotation marks in place of \"")
    }
    guard let root = MarkupShape.root(sample.octets) else {
      return RecognisedText(.xml, detail: nil)
    }
    switch root {
    case "EntityDescriptor", "EntitiesDescriptor": return RecognisedText(.metadata)
    case "RSAKeyValue", "KeyValue", "KeyInfo", "DSAKeyValue", "ECKeyValue":
      return RecognisedText(sample.has("X509Certificate") ? .certificateInXML : .keyValue)
    case "X509Data", "X509Certificate", "KeyDescriptor": return RecognisedText(.certificateInXML)
    case "definitions", "description": return RecognisedText(.wsdl)
    case "Envelope" where sample.has(":Fault") || sample.has("<Fault"):
      return RecognisedText(.soapFault)
    case "input", "textarea", "form": return page(sample)
    case "AuthnRequest": return RecognisedText(.samlRequest, name: "a SAML request (AuthnRequest)")
    case "Error", "ErrorResponse", "error":
      return RecognisedText(.errorAnswer, name: "an error of a server in XML")
    case "VirtualHost", "Location", "Directory", "IfModule":
      return RecognisedText(.settingsFile, name: "a configuration file of Apache")
    case "svg": return RecognisedText(.picture, name: "a picture (SVG)")
    default: break
    }
    guard MarkupShape.tokens.contains(root) else { return other(root, sample) }
    let damaged = DamagedText.recognise(sample)
    if let damaged, damaged.kind == .shortened || damaged.kind == .masked { return damaged }
    guard MarkupShape.isClosed(sample.octets) else { return RecognisedText(.cut) }
    if root == "Envelope", let answer = DocumentVocabulary.recognise(root: root, sample) {
      return answer
    }
    if let qualified = MarkupShape.qualifiedRoot(sample.octets),
      let several = GluedText.markup(sample.octets, root: qualified)
    {
      return several
    }
    return root.hasPrefix("Logout")
      ? RecognisedText(.token, detail: root, name: "a message of SAML (\(root))")
      : RecognisedText(.token)
  }

  /// XML of which the root is neither a token nor anything else that is read.
  private static func other(_ root: String, _ sample: TextSample) -> RecognisedText {
    if let found = TokenSearch.tokens(in: sample.octets).first,
      found.place != "the text" || found.octets.starts(with: "ey".utf8)
    {
      return RecognisedText(
        .textAroundToken, detail: found.place == "the text" ? nil : found.place,
        name: "XML with the root \(TokenError.excerpt(root)) and a token in it")
    }
    if MetadataSearch.isInside(sample) {
      return RecognisedText(
        .metadataInside,
        name: "XML with the root \(TokenError.excerpt(root)) and SAML metadata in it")
    }
    return DocumentVocabulary.recognise(root: root, sample)
      ?? RecognisedText(.xml, name: "XML with the root \(TokenError.excerpt(root))")
  }

  /// Metadata behind other text: what a browser says of XML without a style, or the headers of an answer.
  static func inside(_ sample: TextSample) -> RecognisedText? {
    guard sample.first != ASCII.lessThan,
      let start = sample.octets.firstIndex(of: ASCII.lessThan),
      let root = MarkupShape.root(sample.octets[start...]),
      ["EntityDescriptor", "EntitiesDescriptor"].contains(root)
    else { return nil }
    if sample.begins("diff ") || sample.begins("--- ") || sample.begins("@@ ") { return nil }
    return RecognisedText(
      .markupInside,
      name: "SAML metadata with \(sample.begins("HTTP/") ? "HTTP headers" : "other text") before it"
    )
  }

  /// Whether the text begins as an HTML page does; `<!DOCTYPE html` and tags are told without case.
  private static func isPage(_ sample: TextSample) -> Bool {
    for beginning in [
      "<!doctype html", "<html", "<head", "<body", "<form", "<script", "<input", "<textarea",
      "<div",
      "<meta", "<title", "<p>", "<center", "<h1",
    ] where sample.beginsLowercased(beginning) {
      let next = sample.lower.utf8.dropFirst(beginning.utf8.count).first
      if next.map({ !ASCII.isLetter($0) }) ?? true { return true }
    }
    // Behind a declaration, a comment or white space.
    guard sample.begins("<?xml") || sample.begins("<!--") else { return false }
    return sample.hasLowercased("<html") || sample.hasLowercased("<!doctype html")
  }

  private static func page(_ sample: TextSample) -> RecognisedText {
    if let found = TokenSearch.tokens(in: sample.octets).first, found.place.hasPrefix("the field") {
      return RecognisedText(
        .formPage, detail: String(found.place.dropFirst("the field ".count)), name: "an HTML page")
    }
    // The value may be cut or altered: the name of the field says enough.
    if let field = TokenField.names.first(where: {
      sample.has("name=\"\($0)\"") || sample.has("name='\($0)'")
    }) {
      return RecognisedText(.formPage, detail: field, name: "an HTML page")
    }
    let title = title(sample)
    if sample.hasLowercased("type=\"password\"") || sample.hasLowercased("type='password'")
      || ["sign in", "sign-in", "log in", "login", "log on", "anmelden"].contains(where: {
        title.contains($0)
      })
    {
      return RecognisedText(.signInPage, name: "an HTML page")
    }
    let errors = ["404", "403", "500", "502", "503", "not found", "error", "forbidden", "denied"]
    if errors.contains(where: { title.contains($0) }) {
      return RecognisedText(.errorPage, detail: title, name: "an HTML page")
    }
    return RecognisedText(.page)
  }

  private static func title(_ sample: TextSample) -> String {
    for name in ["title", "h1"] {
      guard let start = sample.lower.firstRange(of: "<\(name)>")?.upperBound,
        let end = sample.lower[start...].firstRange(of: "</")?.lowerBound
      else { continue }
      return String(sample.lower[start..<end].prefix(80))
    }
    return ""
  }
}
