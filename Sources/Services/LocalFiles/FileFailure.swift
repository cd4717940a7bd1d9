#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import SecurityKeys
package import TokenBasics

/// An error with a file, with the system's message if it has one.
package struct FileFailure: Error {
  let number: Int32
  private let said: String?

  package init(_ number: Int32) {
    self.number = number
    said = nil
  }

  /// An error without a number of the system.
  package init(_ said: String) {
    number = 0
    self.said = said
  }

  /// The error of the last system call (`errno`).
  package static var last: Self { Self(errno) }

  package var text: String { said ?? (unsafe String(cString: strerror(number))) }
  package var isClosedPipe: Bool { number == EPIPE }
  /// Of an address at which another process listens.
  package var isAddressInUse: Bool { number == EADDRINUSE }

  /// The failure as an error of that code, at the path as ``ShownPath`` shows it.
  package func error(
    _ code: TokenError.Code, _ path: String, expected: String? = nil
  ) -> TokenError {
    TokenError(
      code, node: ShownPath.of(path), expected: expected, found: text,
      hint: number == EISDIR ? "this is a folder: name a file in it" : nil)
  }

  /// The failure to read the file at that path, in one line.
  package func sentence(reading path: String) -> String {
    if ShownPath.isShown(path) { return "cannot read \(ShownPath.of(path)): \(text)" }
    let mark = SecretMark.of(path)
    let isMissing = [ENOENT, ENOTDIR, ENAMETOOLONG].contains(number)
    return isMissing
      ? "no such file (\(mark)); a token is passed on standard input"
      : "cannot read a file (\(mark)): \(text)"
  }

  /// The failure to write or make the file at that path, in one line.
  package func sentence(_ verb: String, _ path: String) -> String {
    ShownPath.isShown(path)
      ? "cannot \(verb) \(ShownPath.of(path)): \(text)"
      : "cannot \(verb) a file (\(SecretMark.of(path))): \(text)"
  }
}
