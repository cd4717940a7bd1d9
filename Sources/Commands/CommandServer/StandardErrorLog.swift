#if Server
  import CommandSupport
  package import HTTPExchange
  import LocalFiles
  package import TokenBasics

  /// Writes what happened to standard error, a line each: time, event, and its attributes as `name=value`. No token,
  /// claim or key is in it.
  package struct StandardErrorLog: ActivityObserver {
    private let isLogged: @Sendable (Activity) -> Bool
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - write: Where a line goes; nil for standard error.
    ///   - isLogged: What is written; by default everything.
    package init(
      write: (@Sendable (String) -> Void)? = nil,
      where isLogged: @escaping @Sendable (Activity) -> Bool = { _ in true }
    ) {
      self.write = write ?? { StandardError.line($0) }
      self.isLogged = isLogged
    }

    /// Runs `body` alone.
    package func during<Value: Sendable>(
      _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
    ) async throws(TokenError) -> Value { try await body() }

    /// Writes an event.
    package func happened(_ activity: Activity) {
      guard isLogged(activity) else { return }
      // 32 digits, as they were read: nothing else can be in the line.
      let trace = TraceContext.current.map { " trace=\($0.traceID)" } ?? ""
      write("\(SystemTime().now.withMilliseconds) \(Self.text(activity))\(trace)")
    }

    /// Does nothing.
    package func measured(_ activity: Activity, value: Double) {}

    /// The event and its attributes, in one line whatever is in them.
    static func text(_ activity: Activity) -> String {
      var text = activity.name.description
      for (name, value) in activity.attributes {
        text += " "
        text += name.description
        text += "="
        text += value
      }
      return ShownText.line(text)
    }
  }
#endif
