import Octets

/// Places in JSON, as `jq` writes them: `.data["tls.crt"]`, `.items[0]`, and `.` for the whole.
enum JSONPath {
  /// Hands the strings to `body` with their paths, until it returns false.
  ///
  /// - Parameter most: How many values are looked at, strings or not.
  static func eachString(
    in json: JSONValue, most: Int = .max, _ body: (_ path: String, _ text: String) -> Bool
  ) {
    var left = most
    _ = walk(json, "", &left, body)
  }

  /// Returns false where the walk is over.
  private static func walk(
    _ json: JSONValue, _ path: String, _ left: inout Int, _ body: (String, String) -> Bool
  ) -> Bool {
    guard left > 0 else { return false }
    left -= 1
    if let text = json.string { return body(path.isEmpty ? "." : path, text) }
    for (number, element) in (json.array ?? []).enumerated() {
      guard walk(element, "\(path)[\(number)]", &left, body) else { return false }
    }
    for (name, value) in json.members ?? [] {
      guard walk(value, path + step(name), &left, body) else { return false }
    }
    return true
  }

  /// A step of a path; a name with other characters than an identifier has stands in brackets.
  private static func step(_ name: String) -> String {
    let isPlain =
      !name.isEmpty && name.utf8.count <= 64 && !ASCII.isDigit(name.utf8.first ?? 0)
      && name.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "_") }
    if isPlain { return ".\(name)" }
    let shown = TokenError.excerpt(name, length: 64).filter { !"'\\".contains($0) }
    return "[\(shown)]"
  }
}
