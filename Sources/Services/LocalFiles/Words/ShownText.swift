import Octets
import TokenErrors

/// Text from any source, made safe for a terminal.
package enum ShownText {
  /// What a person cannot see, such as controls and marks that turn the direction of text, as `\u{…}`; line feeds
  /// as they are.
  package static func of(_ text: String) -> String { escaped(text, isHidden) }

  /// The same in one line: a line feed is shown as `\u{A}`, so that no text begins a line of its own.
  package static func line(_ text: String) -> String {
    escaped(text) { $0 == "\n" || isHidden($0) }
  }

  private static func escaped(
    _ text: String, _ isEscaped: (Unicode.Scalar) -> Bool
  ) -> String {
    // Printable ASCII, as nearly every text is, without a look at the properties of its characters.
    if ASCII.isPrintable(text.utf8.span) { return text }
    guard text.unicodeScalars.contains(where: isEscaped) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if isEscaped(scalar) {
        shown += scalar.notation
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    scalar != "\n" && scalar.isHidden
  }
}
