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
        StandardError.write("claims-gate: error: \(error)")
        StandardError.write("claims-gate: hint: \(error.code.hint)")
      }
    }
  }

  /// Messages for the operator.
  enum StandardError {
    static func write(_ text: String) {
      try? OpenFile.standardError.write(Array((text + "\n").utf8))
    }
  }
#endif
