public import SignIn
import Synchronization

/// Counts what happens at the gate, and writes it as Prometheus text; hands every activity on.
public final class GateCounters: ActivityObserver {
  private let next: any ActivityObserver
  private let counts = Mutex<[String: Int]>([:])

  /// - Parameter next: Logs, counts or traces the same.
  public init(_ next: any ActivityObserver = NoObserver()) { self.next = next }

  /// Runs `body` and counts it with its outcome.
  ///
  /// - Throws: Errors of `body`.
  public func during<Value: Sendable>(
    _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
  ) async throws(TokenError) -> Value {
    try await next.during(activity, body)
  }

  /// Counts an event by its name and code.
  public func happened(_ activity: Activity) {
    next.happened(activity)
    let code = activity.attributes.first { "\($0.name)" == "code" }?.value ?? ""
    counts.withLock { $0["event=\"\(activity.name)\",code=\"\(code)\"", default: 0] += 1 }
  }

  /// Hands the measurement on.
  public func measured(_ activity: Activity, value: Double) {
    next.measured(activity, value: value)
  }

  /// The counters in the text format of Prometheus 0.0.4.
  ///
  /// - Parameter ends: Days until the keys of each provider end.
  public func text(ends: [(provider: String, days: Double)]) -> String {
    var text = "# TYPE claims_gate_events_total counter\n"
    for (labels, count) in counts.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      text += "claims_gate_events_total{\(labels)} \(count)\n"
    }
    text += "# TYPE claims_gate_provider_days_left gauge\n"
    for (provider, days) in ends {
      text += "claims_gate_provider_days_left{provider=\"\(provider)\"} \(days)\n"
    }
    return text
  }
}
