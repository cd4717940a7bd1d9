package import TokenBasics

/// A server that this service calls: the unit that has its own limits, and its own line in health and metrics.
package struct Dependency: Hashable, Sendable {
  /// What the server is for.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An identity provider, with its documents and endpoints.
    case provider
    /// An issuer of bearer tokens, whose keys are fetched.
    case issuer
    /// The introspection endpoint of an issuer.
    case introspection
    /// The host of a relying party, which is told of a sign-out or publishes its metadata.
    case party
  }

  /// What the server is for.
  package let kind: Kind
  /// The name in the configuration, such as the identifier of a provider.
  package let name: String

  package init(_ kind: Kind, _ name: String) {
    self.kind = kind
    self.name = name
  }

  /// The kind and the name.
  package var description: String { "\(kind.rawValue) \(TokenError.excerpt(name))" }
}

/// The limits of each dependency.
package struct DependencyLimits: Hashable, Sendable {
  /// Calls at once; 256 by default, which carries 200 sign-ins per second with two calls of half a second each.
  package var calls = 256
  /// Calls that wait for one of ``calls`` to end; a further one is refused at once.
  package var queue = 256
  /// Seconds that a call may take, including its time in the queue; 10 by default. Documents have limits of their own.
  package var seconds = 10

  /// The default limits.
  package init() {}

  /// The same limits, with at most half of `descriptors` for the calls of one dependency.
  package func fitting(_ descriptors: Int) -> Self {
    var limits = self
    limits.calls = min(calls, max(1, descriptors / 2))
    limits.queue = min(queue, limits.calls)
    return limits
  }

  /// The range of ``calls``.
  package static let callRange = 1...10_000
  /// The range of ``queue``.
  package static let queueRange = 0...10_000
  /// The range of ``seconds``.
  package static let secondRange = 1...60

  /// The time that a call may take.
  var time: Duration { .seconds(seconds) }

  /// Consecutive calls without an answer after which further ones are refused at once.
  static let mostFailures = 5
  /// The pause between two calls that try whether the server answers again.
  static let pause = Duration.seconds(2)
}

/// What the calls of a dependency came to, for health and metrics.
package struct DependencyReport: Sendable {
  /// The server.
  package let dependency: Dependency
  /// Calls that run.
  package internal(set) var running = 0
  /// Calls that wait in the queue.
  package internal(set) var waiting = 0
  /// Whether calls are refused at once, since the last ones got no answer.
  package internal(set) var isPaused = false
  /// Consecutive calls that failed, the last of them included; 0 after a success.
  package internal(set) var failures = 0
  /// When the first of ``failures`` failed.
  package internal(set) var since: Instant?
  /// What the last of ``failures`` was: a code, or the status of an answer.
  package internal(set) var lastFailure = ""
  /// Calls by their outcome: `ok`, `4xx`, `5xx` or the code of an error.
  package internal(set) var outcomes: [String: Int] = [:]
  /// Calls that took at most as long as the bound of the same position in ``bounds``; the last entry counts all.
  package internal(set) var buckets = [Int](repeating: 0, count: bounds.count + 1)
  /// The seconds of all calls together.
  package internal(set) var seconds = 0.0

  /// The bounds of ``buckets`` in seconds.
  package static let bounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

  init(_ dependency: Dependency) { self.dependency = dependency }

  mutating func count(_ outcome: String, took seconds: Double) {
    outcomes[outcome, default: 0] += 1
    self.seconds += seconds
    for (position, bound) in Self.bounds.enumerated() where seconds <= bound {
      buckets[position] += 1
    }
    buckets[Self.bounds.count] += 1
  }
}
