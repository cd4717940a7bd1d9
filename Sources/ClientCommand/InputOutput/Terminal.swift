#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import FederationClient
import LocalFiles

/// Questions to the person in front of the command: asked on standard error, answered on standard input.
enum Terminal {
  /// Whether somebody can be asked.
  static var isThere: Bool { OpenFile.standardInput.isTerminal }

  /// A line; nil at the end of the input.
  static func ask(_ question: String) -> String? {
    try? OpenFile.standardError.write(Array(question.utf8))
    return readLine()
  }

  /// A line that does not show on the terminal while it is typed or pasted.
  static func askSecretly(_ question: String) -> Secret? {
    var shown = termios()
    guard unsafe tcgetattr(0, &shown) == 0 else { return ask(question).map(Secret.init) }
    var hidden = shown
    hidden.c_lflag &= ~tcflag_t(ECHO)
    unsafe tcsetattr(0, TCSAFLUSH, &hidden)
    defer {
      unsafe tcsetattr(0, TCSAFLUSH, &shown)
      StandardError.write("")
    }
    return ask(question).map(Secret.init)
  }

  /// Text of others without what a terminal obeys.
  static func plain(_ text: String) -> String {
    var plain = ""
    for scalar in text.unicodeScalars {
      let category = scalar.properties.generalCategory
      plain.unicodeScalars.append(category == .control || category == .format ? "?" : scalar)
    }
    return plain
  }
}
