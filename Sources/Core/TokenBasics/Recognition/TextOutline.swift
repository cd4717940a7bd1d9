import Octets

/// What can be said of a text of no known kind: how it is built, and the names in it. Values are never shown.
enum TextOutline {
  /// The names of the first members, in quotation marks; empty where there are none.
  static func list(_ names: [String]) -> String {
    names.prefix(4).map { TokenError.excerpt($0, length: 32) }.joined(separator: ", ")
      + (names.count > 4 ? " and others" : "")
  }

  /// The names before the colons of lines of YAML that are not indented.
  static func membersOfYAML(_ sample: TextSample) -> [String] {
    var names: [String] = []
    for line in sample.text.split(whereSeparator: \.isNewline).prefix(512) where names.count < 8 {
      guard let colon = line.firstIndex(of: ":"),
        line.first.map({ $0.isLetter || $0 == "_" }) ?? false
      else { continue }
      let name = String(line[..<colon])
      if isName(name), !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// The names of lines with `=` and a value behind it.
  static func settings(_ sample: TextSample) -> [String] {
    var names: [String] = []
    for line in sample.lines.prefix(512) where names.count < 8 {
      guard let equals = line.firstIndex(of: "="), !line.hasPrefix("#") else { continue }
      let value = line[line.index(after: equals)...].drop { $0 == " " }
      var name = String(line[..<equals].replacing("export ", with: ""))
      while name.last == " " { name.removeLast() }
      // Base64 has such a sign at its end alone.
      if isName(name), let first = value.first, first != "=" { names.append(name) }
    }
    return names
  }

  /// The names of the sections of a configuration file.
  static func sections(_ sample: TextSample) -> [String] {
    sample.lines.prefix(512).filter { $0.hasPrefix("[") && $0.hasSuffix("]") }
      .map { $0.filter { !"[]".contains($0) } }.filter { !$0.isEmpty }
  }

  /// A name, and no value that looks like one: secrets are longer, or have digits and both cases.
  private static func isName(_ name: String) -> Bool {
    guard !name.isEmpty, name.utf8.count <= 48 else { return false }
    return name.utf8.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || "_.- ".utf8.contains($0)
    }
  }

  /// The size of a text of no known kind.
  static func size(_ sample: TextSample) -> String {
    let lines = sample.octets.count { $0 == ASCII.lineFeed } + 1
    let words = sample.words.count
    if words == 1 { return "one word of \(sample.octets.count) bytes" }
    return lines == 1
      ? "a line of \(words) words" : "a text of \(lines) lines, \(sample.octets.count) bytes"
  }
}
