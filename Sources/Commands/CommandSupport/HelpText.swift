/// A help text of the argument parser, whose usage line is as long as a verb has options.
enum HelpText {
  /// The width of a terminal as it opens.
  private static let columns = 80
  private static let title = "USAGE: "

  /// The text with its usage line in lines of at most 80 columns, an option beside its value.
  static func wrapped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix(title) && $0.count > columns ? usage($0) : String($0) }
      .joined(separator: "\n")
  }

  private static func usage(_ line: Substring) -> String {
    var lines: [String] = []
    var current = ""
    for part in parts(of: line) {
      if current.isEmpty {
        current = part
      } else if current.count + 1 + part.count <= columns {
        current += " " + part
      } else {
        lines.append(current)
        current = String(repeating: " ", count: title.count + 2) + part
      }
    }
    return (lines + [current]).joined(separator: "\n")
  }

  /// The words of the line; what belongs together is one: `[--skew <SECONDS>]`, `--audience <NAME> ...`.
  private static func parts(of line: Substring) -> [String] {
    var parts: [String] = []
    var depth = 0
    for word in line.split(separator: " ") {
      let follows = parts.last?.hasPrefix("-") == true && word.hasPrefix("<")
      if let last = parts.indices.last, depth > 0 || follows || word == "..." {
        parts[last] += " " + word
      } else {
        parts.append(String(word))
      }
      depth += word.count { $0 == "[" } - word.count { $0 == "]" }
    }
    return parts
  }
}
