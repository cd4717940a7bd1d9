/// Characters that a person cannot see, or not where they are: the one set of them.
///
/// Whatever shows a stranger's text to a person (pages, terminals, logs, errors, lint) replaces these.
extension Unicode.Scalar {
  /// Whether it is a control character: category Cc, which never grows (Unicode 16.0, 4.5).
  package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

  /// Whether it only lays text out in lines: tab, line feed and carriage return.
  package var isLayout: Bool { value == 0x09 || value == 0x0A || value == 0x0D }

  /// Whether a person would not see it, or not where it is: controls, line feed and tab among them, marks that
  /// turn the direction of text, fillers, spaces other than U+0020, and code points without a character.
  package var isHidden: Bool {
    if isASCII { return isControl }
    if properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint { return true }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned,
      .privateUse, .surrogate:
      return true
    default: return false
    }
  }

  /// How it is shown where it is hidden, such as `\u{202E}`.
  package var notation: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }
}
