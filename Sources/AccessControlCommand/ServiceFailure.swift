#if Server
  import AccessControl
  import LocalFiles

  /// Why the service does not start: every error, a line each.
  struct ServiceFailure: Error {
    let errors: [TokenError]
    /// The file in which they are, where it is not the service's own.
    let file: String?

    init(_ errors: [TokenError], in file: String? = nil) {
      self.errors = errors
      self.file = file
    }

    /// Writes the errors to standard error.
    func report() {
      for error in errors {
        // 50000 stands for all that Access Control Service has no number for.
        let code = AccessControlCode(error)
        let number = code.number == 50_000 ? "" : "\(code): "
        StandardError.line(
          "acs: error: " + (file.map { "\(ShownPath.of($0)): " } ?? "") + number + error.description
        )
        StandardError.write("acs: hint: \(error.hint)")
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

  /// Writes what happened to standard error, a line each; no token, claim or key is in it.
  struct StandardErrorLog: ActivityObserver {
    func during<Value: Sendable>(
      _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
    ) async throws(TokenError) -> Value { try await body() }

    func happened(_ activity: Activity) {
      let text = activity.attributes.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
      StandardError.write("\(SystemTime().now.withMilliseconds) \(activity.name) \(text)")
    }

    func measured(_ activity: Activity, value: Double) {}
  }
#endif
