#if Server
  import LocalFiles
  import AccessControl

  /// Why the service does not start: every error, a line each.
  struct ServiceFailure: Error {
    let errors: [TokenError]
    /// The file in which they are, where it is not the service's own.
    let file: String?

    init(_ errors: [TokenError], in file: String? = nil) {
      self.errors = errors
      self.file = file
    }

    /// Each error, and what to do about it.
    var lines: [String] {
      errors.flatMap { error in
        // 50000 stands for all that Access Control Service has no number for.
        let code = ACSRefusal(error)
        let number = code.number == .other ? "" : "\(code): "
        return [
          "error: " + (file.map { "\(ShownPath.of($0)): " } ?? "") + number + error.description,
          "hint: \(error.hint)",
        ]
      }
    }
  }
#endif
