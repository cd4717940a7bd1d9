package import HTTPExchange

/// Writes what the calls of dependencies came to.
package enum DependencyMetrics {
  /// Writes the metrics; nothing for no dependencies.
  ///
  /// - Parameters:
  ///   - reports: A report of each dependency.
  ///   - prefix: What their names begin with, such as `claims_gate`.
  ///   - metrics: Where they are written.
  package static func write(
    _ reports: [DependencyReport], prefix: String, to metrics: inout MetricText
  ) {
    guard !reports.isEmpty else { return }
    let calls = "\(prefix)_dependency_calls_total"
    metrics.begin(
      calls, .counter, "Calls to a dependency by outcome: ok, 4xx, 5xx or an error code.")
    for report in reports {
      for (outcome, count) in report.outcomes.sorted(by: { $0.key < $1.key }) {
        metrics.sample(calls, labels(report) + [("outcome", outcome)], count)
      }
    }
    let gauges: [(name: String, help: String, value: (DependencyReport) -> Int)] = [
      ("calls_running", "Calls to a dependency that run.", { $0.running }),
      ("calls_waiting", "Calls to a dependency in its queue.", { $0.waiting }),
      ("failures", "Failed calls since the last success.", { $0.failures }),
      ("paused", "1 while calls are refused at once, else 0.", { $0.isPaused ? 1 : 0 }),
    ]
    for gauge in gauges {
      let name = "\(prefix)_dependency_\(gauge.name)"
      metrics.begin(name, .gauge, gauge.help)
      for report in reports { metrics.sample(name, labels(report), gauge.value(report)) }
    }
    let durations = "\(prefix)_dependency_call_duration_seconds"
    metrics.begin(durations, .histogram, "Seconds that calls to a dependency took.")
    for report in reports {
      let labels = labels(report)
      let bounds = DependencyReport.bounds.map { "\($0)" } + ["+Inf"]
      for (bound, count) in zip(bounds, report.buckets) {
        metrics.sample("\(durations)_bucket", labels + [("le", bound)], count)
      }
      metrics.sample("\(durations)_sum", labels, report.seconds)
      metrics.sample("\(durations)_count", labels, report.buckets.last ?? 0)
    }
  }

  private static func labels(_ report: DependencyReport) -> [(name: String, value: String)] {
    [("kind", report.dependency.kind.rawValue), ("name", report.dependency.name)]
  }
}
