#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import CommandSupport
import FederationClient
import LocalFiles

/// Prompts on standard error with answers from standard input.
enum Terminal {
  /// Whether standard input is a terminal.
  static var isThere: Bool { OpenFile.standardInput.isTerminal }

  /// Prompts and reads a line; nil at the end of the input.
  static func ask(_ question: String) -> String? {
    try? OpenFile.standardError.write(Array(question.utf8))
    return readLine()
  }

  /// Prompts and reads a line without echo.
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
}
