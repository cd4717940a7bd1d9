import TokenBasics

/// The settings of a configuration file of oauth2-proxy: the part of TOML that it uses, one `name = value` per line, with
/// texts, numbers, true, false and lists of texts.
struct OAuth2ProxySettings {
  /// A setting with its line, for messages.
  struct Setting {
    let name: String
    let line: Int
    /// A list has its elements, any other value is one element.
    let values: [String]

    var text: String { values.first ?? "" }
    var isTrue: Bool { text == "true" }
  }

  let settings: [Setting]
  /// Lines that are not understood.
  let strays: [Int]

  init(_ text: String) {
    var settings: [Setting] = []
    var strays: [Int] = []
    var open: (name: String, line: Int, value: String)?
    for (number, whole) in text.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      let line = Self.trimmed(Self.withoutComment(whole))
      guard !line.isEmpty else { continue }
      if var list = open {
        list.value += line
        open = list
      } else if let sign = line.firstIndex(of: "="), !line.hasPrefix("[") {
        let name = Self.trimmed(line[..<sign]).replacing("-", with: "_")
        open = (name, number + 1, Self.trimmed(line[line.index(after: sign)...]))
      } else {
        strays.append(number + 1)
      }
      // A list may go on in the next lines.
      guard let found = open, !found.value.hasPrefix("[") || found.value.hasSuffix("]") else {
        continue
      }
      if let values = Self.values(found.value) {
        settings.append(Setting(name: found.name, line: found.line, values: values))
      } else {
        strays.append(found.line)
      }
      open = nil
    }
    if let open { strays.append(open.line) }
    self.settings = settings
    self.strays = strays
  }

  subscript(_ name: String) -> Setting? { settings.last { $0.name == name } }

  private static func trimmed(_ text: some StringProtocol) -> String {
    var rest = Substring(text)
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }

  /// A line up to a `#` that is in no quotation marks.
  private static func withoutComment(_ line: Substring) -> Substring {
    var quote: Character?
    for index in line.indices {
      let character = line[index]
      if let mark = quote {
        if character == mark { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == "#" {
        return line[..<index]
      }
    }
    return line
  }

  /// The elements of a value; nil for one that is not understood.
  private static func values(_ value: String) -> [String]? {
    guard value.hasPrefix("[") else { return plain(value).map { [$0] } }
    var found: [String] = []
    var part = ""
    var quote: Character?
    for character in value.dropFirst().dropLast() {
      if character == "," && quote == nil {
        if !trimmed(part).isEmpty {
          guard let text = plain(trimmed(part)) else { return nil }
          found.append(text)
        }
        part = ""
        continue
      }
      if character == quote {
        quote = nil
      } else if quote == nil, "\"'".contains(character) {
        quote = character
      }
      part.append(character)
    }
    guard quote == nil else { return nil }
    if !trimmed(part).isEmpty {
      guard let text = plain(trimmed(part)) else { return nil }
      found.append(text)
    }
    return found
  }

  /// A text without its quotation marks, a number, true or false.
  private static func plain(_ value: String) -> String? {
    guard let mark = value.first, mark == "\"" || mark == "'" else {
      return value.contains { "\"'[]{}".contains($0) } ? nil : value
    }
    guard value.count >= 2, value.last == mark else { return nil }
    let inside = String(value.dropFirst().dropLast())
    guard mark == "\"" else { return inside }
    return inside.contains("\"") && !inside.contains("\\\"")
      ? nil : inside.replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
  }
}
