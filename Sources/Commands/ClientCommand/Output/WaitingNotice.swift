#if Client
  import CommandSupport
  import FederationClient
  import HTTPExchange
  import TokenErrors

  /// Says on standard error why nothing seems to happen.
  struct WaitingNotice: ActivityObserver {
    func during<Value: Sendable>(
      _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
    ) async throws(TokenError) -> Value { try await body() }

    func happened(_ activity: Activity) {
      guard "\(activity.name)" == "session.waiting" else { return }
      let seconds = activity.attributes.first { "\($0.name)" == "seconds" }?.value ?? ""
      CommandMessages.own.note(
        "another process renews this session; if it was killed, that takes \(seconds) s"
      )
    }

    func measured(_ activity: Activity, value: Double) {}
  }
#endif
