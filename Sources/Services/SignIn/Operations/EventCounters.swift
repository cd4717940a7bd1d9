public import HTTPExchange
import Synchronization
public import TokenBasics

/// Counts what happens at a service, and writes it as Prometheus text; hands every activity on.
public final class EventCounters: ActivityObserver {
  private let next: any ActivityObserver
  /// What the names of its metrics begin with.
  package let prefix: String
  private let counts = Mutex<[Event: Int]>([:])

  private struct Event: Hashable {
    let name: String
    let code: String
  }

  /// - Parameters:
  ///   - next: Logs, counts or traces the same.
  ///   - prefix: What the names of its metrics begin with, such as `claims_gate`.
  public init(_ next: any ActivityObserver = NoObserver(), prefix: String) {
    self.next = next
    self.prefix = prefix
  }

  /// Hands the activity on; events are counted, not activities.
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
    let code = activity["code"] ?? ""
    counts.withLock { counts in
      counts[Event(name: "\(activity.name)", code: code), default: 0] += 1
    }
  }

  /// How often something with this code happened.
  public func count(of code: TokenError.Code) -> Int {
    counts.withLock { counts in
      counts.reduce(0) { $1.key.code == code.rawValue ? $0 + $1.value : $0 }
    }
  }

  /// Hands the measurement on.
  public func measured(_ activity: Activity, value: Double) {
    next.measured(activity, value: value)
  }

  /// The counters in the text format of Prometheus 0.0.4.
  ///
  /// - Parameter ends: Days until the keys of each provider end.
  public func text(ends: [(provider: String, days: Double)]) -> String {
    var metrics = MetricText()
    write(ends: ends, to: &metrics)
    return metrics.text
  }

  /// Writes the counters, and the days until the keys of each provider end.
  package func write(ends: [(provider: String, days: Double)], to metrics: inout MetricText) {
    let events = "\(prefix)_events_total"
    metrics.begin(events, .counter, "Events by name and, for refusals, error code.")
    let counts = counts.withLock { $0 }
      .sorted { ($0.key.name, $0.key.code) < ($1.key.name, $1.key.code) }
    for (event, count) in counts {
      metrics.sample(events, [("event", event.name), ("code", event.code)], count)
    }
    let days = "\(prefix)_provider_days_left"
    metrics.begin(days, .gauge, "Days until the last key of a provider ends.")
    for end in ends { metrics.sample(days, [("provider", end.provider)], end.days) }
  }
}
