#if Server
  import GateService
  import LocalFiles

  /// Why the gate does not start: every error, a line each.
  struct GateFailure: Error {
    let errors: [TokenError]

    init(_ errors: [TokenError]) { self.errors = errors }

    /// Writes the errors to standard error.
    func report() {
      for error in errors {
        StandardError.line("claims-gate: error: \(error)")
        StandardError.write("claims-gate: hint: \(error.hint)")
      }
    }
  }

  /// Messages for the operator.
  enum StandardError {
    static func write(_ text: String) {
      try? OpenFile.standardError.write(Array((ShownText.of(text) + "\n").utf8))
    }

    /// Writes a message in one line: a line feed in a text must not begin another one.
    static func line(_ text: String) { write(ShownText.line(text)) }
  }
#endif
