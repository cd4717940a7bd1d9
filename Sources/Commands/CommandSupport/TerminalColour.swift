import LocalFiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The colour of a word on a terminal: SGR of ECMA-48 (8.3.117).
package enum TerminalColour: Int, Sendable {
  case red = 31
  case yellow = 33
  case cyan = 36

  /// Whether standard error shows colours.
  private static let isShown = isShown(
    onTerminal: OpenFile.standardError.isTerminal, noColour: variable("NO_COLOR"),
    terminal: variable("TERM"))

  /// The word in this colour, or as it is where standard error shows none.
  func of(_ word: String) -> String {
    Self.isShown ? "\u{1B}[\(rawValue)m\(word)\u{1B}[0m" : word
  }

  /// Whether colours are shown: on a terminal that knows them, unless the person does without.
  ///
  /// - Parameters:
  ///   - onTerminal: Whether a terminal shows the text.
  ///   - noColour: The variable `NO_COLOR`; any value but none switches colours off.
  ///   - terminal: The variable `TERM`.
  package static func isShown(onTerminal: Bool, noColour: String?, terminal: String?) -> Bool {
    onTerminal && (noColour ?? "").isEmpty && !["", "dumb"].contains(terminal ?? "")
  }

  private static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
