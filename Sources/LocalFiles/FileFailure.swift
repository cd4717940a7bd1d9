#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
package import TokenErrors

/// An error with a file, with the system's message if it has one.
package struct FileFailure: Error {
  let number: Int32
  private let said: String?

  init(_ number: Int32) {
    self.number = number
    said = nil
  }

  /// An error without a number of the system.
  init(_ said: String) {
    number = 0
    self.said = said
  }

  /// The error of the last system call (`errno`).
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
