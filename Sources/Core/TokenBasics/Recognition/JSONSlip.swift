import Octets

/// What people write where JSON is meant, by what stands at the place of a syntax error.
package enum JSONSlip: Sendable {
  case empty
  case byteOrderMark
  case duplicate
  case comment
  case singleQuotes
  case typographicQuotes
  case unquotedName
  case trailingComma
  case missingComma
  case end
  case yaml
  case specialNumber

  /// - Parameter error: What reading the octets as JSON gave; its place is in them.
  package init?(_ octets: [UInt8], _ error: TokenError) {
    if octets[...].isAllWhiteSpace {
      self = .empty
      return
    }
    if octets.starts(with: [0xEF, 0xBB, 0xBF]) {
      self = .byteOrderMark
      return
    }
    if error.code == .duplicateJSONName {
      self = .duplicate
      return
    }
    guard error.code == .malformedJSON,
      let slip = Self.slip(in: octets, at: Self.offset(error.node, in: octets))
    else { return nil }
    self = slip
  }

  /// The offset of `line L, column C`.
  private static func offset(_ place: String?, in octets: [UInt8]) -> Int {
    let numbers = (place ?? "").split { !$0.isNumber }.compactMap { Int($0) }
    guard numbers.count == 2 else { return octets.count }
    var start = 0
    for _ in 1..<max(numbers[0], 1) {
      guard let end = octets.firstIndex(of: ASCII.lineFeed, from: start) else { break }
      start = end + 1
    }
    return min(start + numbers[1] - 1, octets.count)
  }

  private static func slip(in octets: [UInt8], at offset: Int) -> JSONSlip? {
    let rest = octets[offset...].drop { ASCII.isWhiteSpace($0) }
    var before = octets[..<offset]
    while let last = before.last, ASCII.isWhiteSpace(last) { before.removeLast() }
    guard let first = rest.first else { return .end }
    if rest.starts(with: "//".utf8) || rest.starts(with: "/*".utf8) || first == UInt8(ascii: "#") {
      return .comment
    }
    if first == UInt8(ascii: "'") { return .singleQuotes }
    let text = String(decoding: rest.prefix(8), as: UTF8.self)
    if let mark = text.unicodeScalars.first,
      "\u{201C}\u{201D}\u{2018}\u{2019}\u{201E}".unicodeScalars.contains(mark)
    {
      return .typographicQuotes
    }
    if "]}".utf8.contains(first) || first == UInt8(ascii: ",") {
      return before.last == UInt8(ascii: ",") || first == UInt8(ascii: ",") ? .trailingComma : nil
    }
    if before.isEmpty { return yaml(rest) }
    let isName = ASCII.isLetter(first) || first == UInt8(ascii: "_")
    if "{,".utf8.contains(before.last ?? 0), isName { return .unquotedName }
    if first == UInt8(ascii: "\""), before.last != UInt8(ascii: ":") { return .missingComma }
    if ["NaN", "Infinity", "True", "False", "None", "undefined"].contains(where: {
      text.hasPrefix($0)
    }) {
      return .specialNumber
    }
    return nil
  }

  private static func yaml(_ text: ArraySlice<UInt8>) -> JSONSlip? {
    let line = text.prefix { $0 != ASCII.lineFeed }
    return line.contains(UInt8(ascii: ":")) || line.starts(with: "---".utf8)
      || line.starts(with: "- ".utf8) ? .yaml : nil
  }

  /// What to do about it.
  package var hint: String {
    switch self {
    case .empty: "the file is empty: there is nothing in it"
    case .byteOrderMark:
      "the file begins with a byte order mark, which no JSON has: save it as UTF-8 without one"
    case .duplicate:
      "the member stands there twice, and two readers would disagree: keep one of them"
    case .comment: "JSON has no comments: take it out"
    case .singleQuotes: "JSON has double quotation marks (\") in place of single ones"
    case .typographicQuotes:
      "these are typographic quotation marks, which a word processor writes: JSON has \" alone"
    case .unquotedName: "the name of a member stands in quotation marks (\")"
    case .trailingComma: "take out the comma behind the last member or element"
    case .missingComma: "a comma is missing before this, between two members or elements"
    case .end: "the file ends early: a quotation mark, bracket or brace is not closed"
    case .yaml: "this is YAML or another format, not JSON: write it as JSON"
    case .specialNumber: "JSON knows true, false, null, numbers and texts in quotation marks"
    }
  }
}
