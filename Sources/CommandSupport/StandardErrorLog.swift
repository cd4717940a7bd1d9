#if Server
  package import HTTPExchange
  import Instants
  import Octets
  package import TokenErrors

  /// Writes what happened to standard error, a line each: time, event, and its attributes as `name=value`. No token,
  /// claim or key is in it.
  package struct StandardErrorLog: ActivityObserver {
    private let isLogged: @Sendable (Activity) -> Bool
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - write: Where a line goes; elsewhere in tests.
    ///   - isLogged: What is written; by default everything.
    package init(
      write: @escaping @Sendable (String) -> Void = { StandardError.write($0) },
      where isLogged: @escaping @Sendable (Activity) -> Bool = { _ in true }
    ) {
      self.write = write
      self.isLogged = isLogged
    }

    /// Runs `body` alone.
    package func during<Value: Sendable>(
      _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
    ) async throws(TokenError) -> Value { try await body() }

    /// Writes an event.
    package func happened(_ activity: Activity) {
      guard isLogged(activity) else { return }
      write("\(SystemTime().now.withMilliseconds) \(Self.text(activity))")
    }

    /// Does nothing.
    package func measured(_ activity: Activity, value: Double) {}

    /// The event and its attributes. A control character would forge a line, so it is shown as `?`.
    static func text(_ activity: Activity) -> String {
      var text = activity.name.description
      for (name, value) in activity.attributes {
        text += " "
        text += name.description
        text += "="
        text += value
      }
      if ASCII.isPrintable(text.utf8.span) { return text }
      return text.unicodeScalars.map { scalar in
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
          || scalar.value == 0x2028 || scalar.value == 0x2029 ? "?" : String(scalar)
      }.joined()
    }
  }
#endif
