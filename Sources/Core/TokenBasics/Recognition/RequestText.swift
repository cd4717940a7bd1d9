import Octets

/// What travels in HTTP, and commands that send it.
enum RequestText {
  static func recognise(_ sample: TextSample) -> RecognisedText? {
    // A Simple Web Token has names like fields, and no white space.
    if TokenShape(sample.octets) != nil { return nil }
    if let cookie = CookieText.value(sample) { return cookie }
    return command(sample) ?? multipart(sample) ?? log(sample) ?? block(sample) ?? header(sample)
      ?? SchemeText.recognise(sample) ?? settings(sample) ?? form(sample) ?? address(sample)
  }

  /// A body of `multipart/form-data`.
  private static func multipart(_ sample: TextSample) -> RecognisedText? {
    guard sample.begins("--"), sample.hasLowercased("content-disposition: form-data") else {
      return nil
    }
    return RecognisedText(
      .multipart, detail: TokenField.names.first { sample.has("name=\"\($0)\"") })
  }

  // MARK: Headers

  /// A request or an answer with its headers, and maybe a body.
  private static func block(_ sample: TextSample) -> RecognisedText? {
    let lines = sample.lines
    guard let first = lines.first else { return nil }
    let words = first.split(separator: " ")
    let isAnswer = first.hasPrefix("HTTP/")
    let isRequest =
      words.count >= 3 && (words.last?.hasPrefix("HTTP/") ?? false)
      && words[0].utf8.allSatisfy { (0x41...0x5A).contains($0) }
    let isPseudo = first.hasPrefix(":method") || first.hasPrefix(":authority")
    guard isAnswer || isRequest || isPseudo || fieldCount(lines) >= 2 else { return nil }
    if let field = tokenField(sample) { return field }
    if isRequest, words[1].contains("?code=") || words[1].contains("&code=") {
      return RecognisedText(.authorizationCode, name: "a request with an authorization code")
    }
    let header = lines.dropFirst().first { line in
      line.lowercased().hasPrefix("authorization:") || tokenHeader(line) != nil
    }
    if let header, tokenHeader(header) == nil, let colon = header.firstIndex(of: ":"),
      let other = SchemeText.other(header[header.index(after: colon)...].drop { $0 == " " })
    {
      return other
    }
    // Without a header that has a token, it may stand in the body.
    if header == nil {
      return RecognisedText(
        .bareRequest, name: "an HTTP \(isAnswer ? "answer" : "request") with its headers")
    }
    return RecognisedText(
      .headerBlock, detail: header.flatMap { fieldName($0) },
      name: "an HTTP \(isAnswer ? "answer" : "request") with its headers")
  }

  private static func fieldCount(_ lines: [Substring]) -> Int {
    lines.prefix(24).count { line in
      guard let name = fieldName(line)?.lowercased() else { return false }
      return knownFields.contains(name)
        || ["x-", "sec-", "accept-", "if-", "content-", "access-control-", "proxy-"]
          .contains { name.hasPrefix($0) }
    }
  }

  /// Header fields of HTTP that a request or answer has; settings and mails have other names before a colon.
  private static let knownFields: Set<String> = [
    "host", "accept", "cookie", "set-cookie", "authorization", "origin", "referer", "user-agent",
    "cache-control", "connection", "pragma", "dnt", "etag", "location", "vary", "server",
    "www-authenticate", "upgrade-insecure-requests", "transfer-encoding", "dpop", "via",
    "forwarded", "strict-transport-security", "last-modified", "expires", "keep-alive",
    "priority", "te",
  ]

  /// The name before a colon, where it is one of a header field.
  private static func fieldName(_ line: Substring) -> String? {
    guard let colon = line.firstIndex(of: ":"), colon != line.startIndex,
      !line[colon...].hasPrefix("://")
    else { return nil }
    let name = line[..<colon]
    let isName =
      name.utf8.count <= 64 && ASCII.isLetter(name.utf8.first ?? 0)
      && name.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") }
    return isName ? String(name) : nil
  }

  /// The name of a header that has a token behind it.
  private static func tokenHeader(_ line: Substring) -> String? {
    guard let name = fieldName(line) else { return nil }
    let value = Array(line.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst())
    return TokenSearch.tokens(in: value).isEmpty ? nil : name
  }

  /// Whether a text begins as a header field, or as the value of one with its scheme.
  static func isHeader(_ octets: ArraySlice<UInt8>) -> Bool {
    let sample = TextSample(octets)
    return header(sample) != nil || SchemeText.recognise(sample) != nil
  }

  private static func header(_ sample: TextSample) -> RecognisedText? {
    // A browser's tools quote a line too.
    let line = sample.text.prefix { !$0.isNewline }
    guard let name = fieldName(line) else { return nil }
    let lower = name.lowercased()
    if lower == "www-authenticate" || lower == "proxy-authenticate" {
      return RecognisedText(
        .errorAnswer, name: "the header field \(name), by which a server refuses a request")
    }
    if lower == "data", line.contains(",") { return RecognisedText(.dataAddress) }
    if lower == "cookie" || lower == "set-cookie" {
      return CookieText.recognise(name, sample)
    }
    if lower.hasSuffix("authorization") {
      let value = line[line.index(line.startIndex, offsetBy: name.count + 1)...]
        .drop { $0 == " " || $0 == "\t" }
      if let other = SchemeText.other(value) { return other }
      return inHeader(value, name, sample)
    }
    guard
      TokenField.names.contains(name) || lower.hasPrefix("x-") || lower.contains("token")
        || lower.contains("assertion") || lower.contains("auth")
        || name.contains("-") && tokenHeader(line) != nil
    else { return nil }
    return RecognisedText(
      TokenField.names.contains(name) ? .formFields : .headerField, detail: name,
      name: TokenField.names.contains(name) ? "the field \(name)" : "the header field \(name)")
  }

  /// A token or an opaque one behind the scheme.
  private static func inHeader(
    _ value: Substring, _ name: String, _ sample: TextSample
  ) -> RecognisedText {
    let credentials = value.drop { $0 != " " }.drop { $0 == " " }
    if !credentials.isEmpty {
      let text = RecognisedText.of(Array(credentials.utf8), inside: sample)
      if text.kind == .opaqueToken || text.kind == .placeholder { return text }
    }
    return RecognisedText(.headerField, detail: name, name: "the header field \(name)")
  }

  // MARK: Commands and settings

  private static func command(_ sample: TextSample) -> RecognisedText? {
    var line = sample.text[...]
    for prompt in ["$ ", "> ", "# ", "PS> "] where line.hasPrefix(prompt) {
      line = line.dropFirst(prompt.count)
    }
    let word = line.prefix { !$0.isWhitespace && $0 != "(" }.lowercased()
    let commands = [
      "curl", "curl.exe", "wget", "http", "https", "httpie", "xh", "fetch", "invoke-restmethod",
      "invoke-webrequest", "irm", "iwr", "export", "openssl", "claims", "await", "kubectl",
      "grpcurl",
    ]
    guard commands.contains(word), line.contains(where: \.isWhitespace) || word == "fetch" else {
      return nil
    }
    let place = TokenSearch.tokens(in: sample.octets).first?.place
    if place == nil, let other = SchemeText.inside(sample) { return other }
    let hasField =
      sample.hasLowercased("bearer ") || sample.hasLowercased("authorization")
      || !FormText.fields(sample.octets).isEmpty
    return RecognisedText(
      place == nil && !hasField ? .bareCommand : .command,
      detail: place == "the text" ? nil : place, name: "a command line (\(word))")
  }

  /// YAML and lines of settings.
  private static func settings(_ sample: TextSample) -> RecognisedText? {
    if let document = KubernetesText.recognise(sample) { return document }
    let lines = sample.lines
    guard lines.count >= 2 else { return nil }
    if lines.first?.hasPrefix("---") == true, lines.first?.hasPrefix("-----") == false {
      return YAMLText.named(sample)
    }
    let settings = lines.filter { $0.hasPrefix("#") || $0.hasPrefix("- ") || YAMLText.isPair($0) }
    // The lines of a block of text have no colon.
    let isYAML =
      settings.count == lines.count || settings.count >= 3 && settings.count * 4 >= lines.count * 3
    if isYAML, let first = settings.first(where: { !$0.hasPrefix("#") }),
      first.hasPrefix("- ") || YAMLText.isPair(first)
    {
      return first.hasPrefix("error") ? RecognisedText(.errorMessage) : YAMLText.named(sample)
    }
    let names = lines.filter { line in
      guard let equals = line.firstIndex(of: "="), !line.hasPrefix("#") else {
        return line.hasPrefix("#")
      }
      let name = line[..<equals].replacing("export ", with: "").filter { $0 != " " }
      return !name.isEmpty && name.utf8.count <= 60
        && name.utf8.allSatisfy {
          ASCII.isLetter($0) || ASCII.isDigit($0) || "_.-".utf8.contains($0)
        }
    }
    guard names.count == lines.count else { return nil }
    let shown = TextOutline.list(TextOutline.settings(sample))
    return RecognisedText(
      .environment, detail: TokenSearch.tokens(in: sample.octets).first?.place,
      name: TextKind.environment.rawValue + (shown.isEmpty ? "" : ": \(shown)"))
  }

  // MARK: Forms and addresses

  private static func form(_ sample: TextSample) -> RecognisedText? {
    let words = sample.text.prefix { !$0.isWhitespace }
    let isLine = words.utf8.count == sample.text.utf8.count
    guard isLine || sample.lines.count == 1 && sample.words.count < 3 || hasScheme(sample) else {
      return nil
    }
    if let name = TokenField.names.first(where: { sample.begins("\($0)=3D") }) {
      return RecognisedText(.quotedPrintable, detail: name)
    }
    return tokenField(sample) ?? otherFields(sample)
  }

  /// The fields of a form in which none has a token, and that are not those of a Simple Web Token.
  private static func otherFields(_ sample: TextSample) -> RecognisedText? {
    guard sample.words.count == 1, !sample.has("://") else { return nil }
    guard sample.octets.contains(ASCII.ampersand) else {
      let names = TextOutline.settings(sample)
      return names.isEmpty || sample.begins("ey")
        ? nil
        : RecognisedText(.otherFields, name: "one field or setting: \(TextOutline.list(names))")
    }
    let pairs = sample.text.drop { $0 == "?" || $0 == "#" }.split(separator: "&").prefix(32)
    let names = pairs.compactMap { pair in pair.firstIndex(of: "=").map { String(pair[..<$0]) } }
    guard names.count == pairs.count, names.count > 1,
      names.allSatisfy({ name in
        !name.isEmpty && name.utf8.count <= 32
          && name.utf8.allSatisfy {
            ASCII.isLetter($0) || ASCII.isDigit($0) || "_.-".utf8.contains($0)
          }
      }),
      !names.contains(where: { ["Issuer", "Audience", "ExpiresOn", "HMACSHA256"].contains($0) })
    else { return nil }
    if names.contains("code") { return RecognisedText(.authorizationCode) }
    if names.contains("error") { return RecognisedText(.errorAnswer) }
    return RecognisedText(.otherFields, name: "fields of a form: \(TextOutline.list(names))")
  }

  /// The first of the fields of a form in the text.
  static func tokenField(_ sample: TextSample) -> RecognisedText? {
    let fields = FormText.fields(sample.octets)
    guard let first = fields.first else { return nil }
    if first == "SAMLRequest" {
      return RecognisedText(
        .samlRequest, detail: first, name: "a SAML request (the field SAMLRequest)")
    }
    return RecognisedText(
      first == "SAMLart" ? .artifact : .formFields, detail: first,
      name: "the field" + (fields.count > 1 ? "s " : " ") + fields.joined(separator: ", "))
  }

  private static func hasScheme(_ sample: TextSample) -> Bool {
    sample.beginsLowercased("https://") || sample.beginsLowercased("http://")
  }

  private static func address(_ sample: TextSample) -> RecognisedText? {
    if sample.begins("code="), sample.words.count == 1 {
      return RecognisedText(.authorizationCode)
    }
    return AddressText.recognise(sample)
  }

  // MARK: Logs

  /// Lines with a time or an address first, and what a server notes behind it.
  private static func log(_ sample: TextSample) -> RecognisedText? {
    guard let line = sample.lines.first, sample.words.count > 3, isLogLine(line) else { return nil }
    let found = TokenSearch.tokens(in: sample.octets)
    let isChat = isChatLine(line)
    let fields = FormText.fields(sample.octets)
    if found.isEmpty, fields.isEmpty, !sample.hasLowercased("bearer ") {
      var text = RecognisedText(.log, name: isChat ? "messages of a chat" : nil)
      if isChat {
        text.remark = "these are messages of a chat, and none of them holds anything of the kind"
      }
      return text
    }
    if fields.first == "SAMLRequest", fields.count == 1 { return tokenField(sample) }
    if found.count > 1 {
      var text = RecognisedText(
        .log, name: "\(isChat ? "messages of a chat" : "a log") with \(found.count) tokens")
      text.tokens = found.map(\.place)
      return text
    }
    let field = found.first.map(\.place) ?? fields.first.map { "the field \($0)" }
    return RecognisedText(
      .logLine, detail: field == "the text" ? nil : field,
      name: isChat ? "messages of a chat" : nil)
  }

  /// A date and a time with a comma between them, and who wrote it, as messengers export a chat.
  private static func isChatLine(_ line: Substring) -> Bool {
    let text = line.drop { $0 == "[" }
    let time = text.prefix { $0.isNumber || ".:/-, ".contains($0) }
    guard time.contains(","), time.contains(":"), time.utf8.count <= 24 else { return false }
    let behind = text.dropFirst(time.count).drop { "] -".contains($0) }
    let name = behind.prefix { $0 != ":" }
    return behind.dropFirst(name.count).hasPrefix(": ") && name.first?.isLetter == true
      && name.split(separator: " ").count <= 4
  }

  private static func isLogLine(_ line: Substring) -> Bool {
    let isAccess =
      ["\"GET ", "\"POST ", "\"PUT ", "\"HEAD ", "\"OPTIONS "].contains { line.contains($0) }
    if isAccess { return true }
    let text = line.drop { "[<(\"".contains($0) }
    let beginning = text.prefix(10)
    let isDated =
      beginning.filter(\.isNumber).count >= 6 && beginning.contains { "-/.:".contains($0) }
      && beginning.first?.isNumber == true
    // RFC 3164, 4.1.2: the name of a month, a day and a time.
    let words = text.prefix(20).split(separator: " ")
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let isSyslog =
      words.count >= 3 && months.contains(String(words[0]))
      && words[2].filter { $0 == ":" }.count == 2
    let isLevelled = ["INFO", "WARN", "ERROR", "DEBUG", "TRACE", "FATAL"].contains { level in
      line.hasPrefix(level) || line.contains("[\(level)") || line.contains(" \(level) ")
    }
    return isDated || isSyslog || isLevelled
  }
}
