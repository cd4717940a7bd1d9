/// Text from any source, made safe for a terminal.
package enum ShownText {
  /// Control characters and invisible ones, such as those that change the direction of text, as
  /// `\u{…}`; line feeds as they are.
  package static func of(_ text: String) -> String { escaped(text, isHidden) }

  /// The same in one line: a line feed is shown as `\u{A}`, so that no text begins a line of its own.
  package static func line(_ text: String) -> String {
    escaped(text) { $0 == "\n" || isHidden($0) }
  }

  private static func escaped(
    _ text: String, _ isEscaped: (Unicode.Scalar) -> Bool
  ) -> String {
    guard text.unicodeScalars.contains(where: isEscaped) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if isEscaped(scalar) {
        shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar != "\n" && (scalar.value < 0x20 || scalar.value == 0x7F) }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return false
    }
  }
}
