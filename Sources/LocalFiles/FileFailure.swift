#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
package import TokenErrors

/// What went wrong with a file, in the system's words where it has some.
package struct FileFailure: Error {
  let number: Int32
  private let said: String?

  init(_ number: Int32) {
    self.number = number
    said = nil
  }

  /// What no number of the system says.
  init(_ said: String) {
    number = 0
    self.said = said
  }

  /// What the last call of the system failed with.
  package static var last: Self { Self(errno) }

  package var text: String { said ?? (unsafe String(cString: strerror(number))) }
  package var isClosedPipe: Bool { number == EPIPE }

  /// The failure as an error of that code.
  package func error(
    _ code: TokenError.Code, _ path: String, expected: String? = nil
  ) -> TokenError {
    TokenError(code, node: path, expected: expected, found: text)
  }
}
