import Octets

/// Finds the tokens inside a text that people paste: a header, a form, a command, a page, JSON. Only `decode` and
/// `explain` read what it finds; a verifier takes a token as it travels or refuses it.
package struct TokenSearch {
  /// A token inside a text.
  package struct Found: Sendable {
    /// The token as it travels.
    package let octets: [UInt8]
    /// Where it stands, such as `the member id_token`.
    package let place: String
  }

  package private(set) var found: [Found] = []
  /// Bytes that may still be looked at: texts inside texts, each decoded in several ways, would have no end.
  private var budget: Int

  /// Searches a whole text.
  package init(_ octets: some Collection<UInt8>) {
    let octets = Array(octets.prefix(Self.longest))
    budget = 1 << 16 + 8 * octets.count
    search(octets[...], "the text", 0)
  }

  /// The tokens, each once.
  package static func tokens(in octets: some Collection<UInt8>) -> [Found] {
    TokenSearch(octets).found
  }

  /// In bytes; a longer text is no paste.
  private static let longest = Limits.hardByteLimit
  /// Tokens that are listed.
  private static let most = 16
  /// Texts inside texts: a string of JSON inside a form inside an archive.
  private static let deepest = 5

  private mutating func add(_ octets: some Collection<UInt8>, _ place: String) {
    let octets = Array(octets)
    guard found.count < Self.most, !found.contains(where: { $0.octets == octets }) else { return }
    found.append(Found(octets: octets, place: place))
  }

  /// Adds the tokens of a text; returns whether there is one.
  @discardableResult
  private mutating func search(_ octets: ArraySlice<UInt8>, _ place: String, _ depth: Int) -> Bool {
    let octets = TextSample.trimmed(octets)
    guard depth <= Self.deepest, octets.count > 16, octets.count <= budget else { return false }
    budget -= octets.count
    let before = found.count
    if TokenShape(octets) != nil {
      add(octets, place)
    } else if ContentEncoding.isUTF16(octets.span) {
      if let text = ContentEncoding.utf8(fromUTF16: octets) { search(text[...], place, depth + 1) }
    } else if searchJSON(octets, place, depth) {
    } else if searchPage(octets, depth) {
    } else {
      let octets = Self.withoutPropertyEscapes(octets)
      searchFields(octets, depth)
      searchRuns(octets, place)
      if found.count == before { searchDecoded(octets, place, depth) }
    }
    return found.count > before
  }

  // MARK: JSON and pages

  private mutating func searchJSON(
    _ octets: ArraySlice<UInt8>, _ place: String, _ depth: Int
  ) -> Bool {
    guard let first = octets.first, "{[\"".utf8.contains(first),
      let json = try? JSONParser.parse(Array(octets))
    else { return false }
    search(json, place == "the text" ? "" : place + ", ", "", depth)
    return true
  }

  private mutating func search(
    _ json: JSONValue, _ prefix: String, _ path: String, _ depth: Int
  ) {
    if let text = json.string {
      let place = path.isEmpty ? "the string" : "the member \(TokenError.excerpt(path, length: 80))"
      search(Array(text.utf8)[...], prefix + TokenError.unquoted(place), depth + 1)
    }
    for (number, element) in (json.array ?? []).enumerated() {
      search(element, prefix, "\(path)[\(number)]", depth)
    }
    for (name, value) in json.members ?? [] {
      search(value, prefix, path.isEmpty ? name : "\(path).\(name)", depth)
    }
  }

  /// The values of a page's fields.
  private mutating func searchPage(_ octets: ArraySlice<UInt8>, _ depth: Int) -> Bool {
    guard octets.contains(ASCII.lessThan) else { return false }
    let text = octets.span
    guard text.hasPart("<input") || text.hasPart("<INPUT") || text.hasPart("<textarea") else {
      return false
    }
    let before = found.count
    for tag in Array(octets).split(separator: ASCII.lessThan) {
      guard tag.prefix(5).equalsIgnoringCase("input") || tag.starts(with: "textarea".utf8) else {
        continue
      }
      let name = Self.attribute("name", of: tag).map { String(decoding: $0, as: UTF8.self) }
      let value =
        Self.attribute("value", of: tag)
        ?? tag.firstIndex(of: UInt8(ascii: ">")).map { tag[($0 + 1)...] }
      guard let value else { continue }
      search(
        ContentEncoding.withoutReferences(value)[...],
        "the field " + (name.map { TokenError.unquoted(TokenError.excerpt($0)) } ?? "of the page"),
        depth + 1)
    }
    return found.count > before
  }

  private static func attribute(
    _ name: String, of tag: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8>? {
    var rest = tag
    let name = Array(name.utf8)
    while let index = rest.firstIndex(where: { ASCII.isWhiteSpace($0) }) {
      rest = rest[(index + 1)...]
      guard rest.starts(with: name) else { continue }
      var value = rest.dropFirst(name.count).drop(while: ASCII.isWhiteSpace)
      guard value.popFirst() == ASCII.equals else { continue }
      value = value.drop(while: ASCII.isWhiteSpace)
      guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
      else {
        return value.prefix { !ASCII.isWhiteSpace($0) && $0 != UInt8(ascii: ">") }
      }
      return value.dropFirst().prefix { $0 != quote }
    }
    return nil
  }

  // MARK: Fields

  /// The values of fields that carry tokens, behind `=` or `:`.
  private mutating func searchFields(_ octets: ArraySlice<UInt8>, _ depth: Int) {
    guard octets.contains(ASCII.equals) || octets.contains(UInt8(ascii: ":")) else { return }
    for field in TokenField.all(in: octets) {
      var value = field.value
      if TokenShape(value) == nil, value.contains(ASCII.percent),
        let decoded = try? FormEncoding.decode(value, plus: .isPlus)
      {
        value = decoded[...]
      }
      let place = "the field \(field.name)"
      guard !search(value, place, depth + 1) else { continue }
      // Compressed, as the Redirect binding sends it.
      if field.name.hasPrefix("SAML"), field.name != "SAMLart",
        let content = TextSample.decoded(value),
        content.count > 40
      {
        add(value, place)
      }
    }
  }

  // MARK: Runs of digits

  /// The tokens that stand in a text as they travel.
  private mutating func searchRuns(_ octets: ArraySlice<UInt8>, _ place: String) {
    var lineNumber = 1
    for line in octets.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) {
      defer { lineNumber += 1 }
      let own = octets.contains(ASCII.lineFeed) ? "line \(lineNumber)" : place
      for run in line.split(whereSeparator: Self.endsRun) {
        searchRun(run, own == "the text" ? own + Self.name(before: run, in: line) : own)
      }
    }
    if let markup = Self.markup(octets) { add(markup, place) }
    guard found.isEmpty else { return }
    // One token whose lines were wrapped.
    let joined = octets.filter { !ASCII.isWhiteSpace($0) }
    if joined.count < octets.count, TokenShape.compact(joined[...]) != nil { add(joined, place) }
    searchWrappedCompact(octets)
    searchWrappedBase64(octets, place)
  }

  private mutating func searchRun(_ run: ArraySlice<UInt8>, _ place: String) {
    if run.starts(with: "ey".utf8) || run.contains(UInt8(ascii: ".")) {
      // Behind a name and `=` or `:`, and without a full stop at the end of a sentence.
      let start = run.indices.first { index in
        run[index...].starts(with: "ey".utf8)
          && (index == run.startIndex || !TextSample.isDigit(run[index - 1]))
      }
      if let start {
        var token = run[start...].prefix {
          TextSample.isDigit($0) || ".~=".utf8.contains($0)
        }
        while token.last == UInt8(ascii: ".") { token.removeLast() }
        if TokenShape.compact(token) != nil { add(token, place + Self.mark(run[..<start])) }
      }
    }
    if let mac = run.firstRange(ofBytes: "HMACSHA256="), run[mac].startIndex > run.startIndex {
      if TokenShape(run) == .swt { add(run, place) }
    }
    guard run.count > 64 else { return }
    // Behind a name too.
    let name = run.prefix(64).firstIndex { $0 == ASCII.equals || $0 == UInt8(ascii: ":") }
    let value = run.first == UInt8(ascii: "P") ? run : name.map { run[($0 + 1)...] } ?? []
    if value.first == UInt8(ascii: "P"), TokenShape(value) == .base64OfXML {
      add(value, place + Self.mark(run[..<value.startIndex]))
    }
  }

  /// What stands before a token, where that is a name with `=` or `:`.
  private static func mark(_ before: ArraySlice<UInt8>) -> String {
    guard let last = before.last, last == ASCII.equals || last == UInt8(ascii: ":"),
      before.count <= 40, before.dropLast().allSatisfy({ isPartOfName($0) }), before.count > 1
    else { return "" }
    return ", behind \(String(decoding: before, as: UTF8.self))"
  }

  /// The name before a value in quotation marks, as programs print their objects.
  private static func name(
    before run: ArraySlice<UInt8>, in line: ArraySlice<UInt8>
  ) -> String {
    guard run.count > 16 else { return "" }
    var before = line[..<run.startIndex].suffix(64)
    for scheme in ["Bearer ", "bearer "] where before.hasSuffix(scheme) {
      before = before.dropLast(scheme.utf8.count)
    }
    guard let quote = before.last, "\"'".utf8.contains(quote) else { return "" }
    while let last = before.last, !isPartOfName(last) { before.removeLast() }
    let start = before.lastIndex { !isPartOfName($0) }.map { $0 + 1 } ?? before.startIndex
    let name = before[start...]
    return name.isEmpty || name.count > 48
      ? "" : ", behind \(String(decoding: name, as: UTF8.self))"
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || "_.-".utf8.contains(byte)
  }

  /// The text with `=` and `:` in place of the escapes that Java writes for them in properties.
  private static func withoutPropertyEscapes(_ octets: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let backslash = UInt8(ascii: "\\")
    guard octets.firstRange(ofBytes: "\\=") != nil else { return octets }
    var text: [UInt8] = []
    var rest = octets
    while let byte = rest.popFirst() {
      if byte == backslash, let next = rest.first, "=:#!".utf8.contains(next) { continue }
      text.append(byte)
    }
    return text[...]
  }

  /// A compact token that goes on over several lines, among others: a console breaks long values so.
  private mutating func searchWrappedCompact(_ octets: ArraySlice<UInt8>) {
    let lines = octets.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated().prefix(1_024) {
      let line = TextSample.trimmed(line)
      guard let start = line.firstRange(ofBytes: "eyJ")?.lowerBound,
        line[start...].allSatisfy(Self.isPartOfToken)
      else { continue }
      let others = lines.dropFirst(number + 1).lazy.map { TextSample.trimmed($0) }
        .prefix { !$0.isEmpty && $0.allSatisfy(Self.isPartOfToken) }
      let token = Array(line[start...]) + others.joined()
      if TokenShape.compact(token[...]) != nil { add(token, "line \(number + 1) and below") }
    }
  }

  private static func isPartOfToken(_ byte: UInt8) -> Bool {
    TextSample.isDigit(byte) || byte == UInt8(ascii: ".")
  }

  private static func endsRun(_ byte: UInt8) -> Bool {
    ASCII.isWhiteSpace(byte) || "\"'<>`,;(){}[]|\\".utf8.contains(byte)
  }

  /// XML of a token among other text.
  private static func markup(_ octets: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let start = octets.firstIndex(of: ASCII.lessThan),
      let end = octets.lastIndex(of: UInt8(ascii: ">")), start < end
    else { return nil }
    let markup = octets[start...end]
    return TokenShape(markup) == .xml ? markup : nil
  }

  /// Base64 of XML that goes on over several lines, among others.
  private mutating func searchWrappedBase64(_ octets: ArraySlice<UInt8>, _ place: String) {
    let lines = octets.split(separator: ASCII.lineFeed).map { line in
      line.last == ASCII.carriageReturn ? line.dropLast() : line
    }
    guard
      let first = lines.firstIndex(where: { line in
        line.first == UInt8(ascii: "P") && line.allSatisfy(TextSample.isDigit)
      })
    else { return }
    let text = lines[first...].prefix { line in
      line.allSatisfy { TextSample.isDigit($0) || $0 == ASCII.equals }
    }.joined()
    if TokenShape(Array(text)[...]) == .base64OfXML { add(text, place) }
  }

  // MARK: Encodings around the whole

  private mutating func searchDecoded(_ octets: ArraySlice<UInt8>, _ place: String, _ depth: Int) {
    for inside in ContentEncoding.unescaped(octets) where search(inside[...], place, depth + 1) {
      return
    }
  }
}

/// The fields of forms and addresses that carry tokens.
struct TokenField {
  let name: String
  let value: ArraySlice<UInt8>

  /// The fields of a text, each behind something that is no part of a name and before `=` or `:`.
  static func all(in octets: ArraySlice<UInt8>) -> [TokenField] {
    var fields: [TokenField] = []
    for name in names {
      let bytes = Array(name.utf8)
      var index = octets.startIndex
      while let place = octets[index...].firstRange(ofBytes: name)?.lowerBound, fields.count < 32 {
        index = place + bytes.count
        if place > octets.startIndex, isName(octets[place - 1]) { continue }
        var rest = octets[index...].drop { "\"' \t".utf8.contains($0) }
        guard let mark = rest.popFirst(), mark == ASCII.equals || mark == UInt8(ascii: ":") else {
          continue
        }
        rest = rest.drop { " \t".utf8.contains($0) }
        let quote = rest.first.flatMap { "\"'".utf8.contains($0) ? $0 : nil }
        if quote != nil { rest = rest.dropFirst() }
        let value = rest.prefix { byte in
          if let quote { return byte != quote }
          return byte != ASCII.ampersand && !ASCII.isWhiteSpace(byte)
            && !"\"'<>`".utf8.contains(byte)
        }
        if value.count > 8 { fields.append(TokenField(name: name, value: value)) }
      }
    }
    return fields
  }

  /// In the order in which one is preferred.
  static let names = [
    "SAMLResponse", "SAMLRequest", "SAMLart", "wresult", "id_token", "access_token",
    "wrap_access_token", "logout_token", "assertion", "wrap_assertion", "client_assertion",
    "subject_token", "id_token_hint", "securityToken", "refresh_token", "vp_token", "credential",
    "actor_token", "token", "jwt",
  ]

  private static func isName(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "-")
  }
}

extension ArraySlice where Element == UInt8 {
  /// Where the bytes of `text` begin first.
  func firstRange(ofBytes text: String) -> Range<Int>? {
    let bytes = Array(text.utf8)
    guard let first = bytes.first else { return nil }
    var rest = self
    while let index = rest.firstIndex(of: first) {
      if rest[index...].starts(with: bytes) { return index..<index + bytes.count }
      rest = rest[(index + 1)...]
    }
    return nil
  }
}
