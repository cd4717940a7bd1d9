#if Server
  import CommandSupport
  package import HTTPExchange
  import LocalFiles
  package import TokenBasics

  /// Writes what happened to standard error, a line each: time, event, and its attributes, as ``LogFormat`` says. No token,
  /// claim or key is in it. Nobody waits for whoever reads it.
  package struct StandardErrorLog: ActivityObserver {
    private let isLogged: @Sendable (Activity) -> Bool
    private let format: LogFormat
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - format: The form of a line.
    ///   - write: Where a line goes; nil for standard error.
    ///   - isLogged: What is written; by default everything.
    package init(
      _ format: LogFormat = .text, write: (@Sendable (String) -> Void)? = nil,
      where isLogged: @escaping @Sendable (Activity) -> Bool = { _ in true }
    ) {
      self.format = format
      self.write = write ?? { LogBuffer.standardError.add($0) }
      if write == nil { LogBuffer.standardError.use(format) }
      self.isLogged = isLogged
    }

    /// Runs `body` alone.
    package func during<Value: Sendable>(
      _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
    ) async throws(TokenError) -> Value { try await body() }

    /// Writes an event.
    package func happened(_ activity: Activity) {
      guard isLogged(activity) else { return }
      var attributes = activity.attributes.map { (name: $0.name.description, value: $0.value) }
      if let trace = TraceContext.current { attributes.append(("trace", trace.traceID)) }
      write(
        format.line(SystemTime().now.withMilliseconds, activity.name.description, attributes))
    }

    /// Does nothing.
    package func measured(_ activity: Activity, value: Double) {}
  }
#endif
