#if Server
  import GateService

  /// Writes refusals to standard error, a line each: time, event, and what `claims explain` has of an error. It
  /// contains no token, claim or key.
  struct StandardErrorLog: ActivityObserver {
    func during<Value: Sendable>(
      _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
    ) async throws(TokenError) -> Value { try await body() }

    func happened(_ activity: Activity) {
      guard activity.attributes.contains(where: { "\($0.name)" == "code" }) else { return }
      let text = activity.attributes.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
      StandardError.write("\(SystemTime().now.withMilliseconds) \(activity.name) \(text)")
    }

    func measured(_ activity: Activity, value: Double) {}
  }
#endif
