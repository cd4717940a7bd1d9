#if Server
  import GateService

  /// Why the gate does not start: every error, a line each.
  struct GateFailure: Error {
    let errors: [TokenError]

    init(_ errors: [TokenError]) { self.errors = errors }

    /// Each error, and what to do about it.
    var lines: [String] { errors.flatMap { ["error: \($0)", "hint: \($0.hint)"] } }
  }
#endif
