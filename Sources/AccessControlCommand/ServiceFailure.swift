#if Server
  import AccessControl
  import LocalFiles

  /// Why the service does not start: every error, a line each.
  struct ServiceFailure: Error {
    let errors: [TokenError]

    init(_ errors: [TokenError]) { self.errors = errors }

    /// Writes the errors to standard error.
    func report() {
      for error in errors {
        StandardError.write("acs: error: \(error)")
        StandardError.write("acs: hint: \(error.code.hint)")
      }
    }
  }

  /// Messages for the operator.
  enum StandardError {
    static func write(_ text: String) {
      try? OpenFile.standardError.write(Array((text + "\n").utf8))
    }
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
