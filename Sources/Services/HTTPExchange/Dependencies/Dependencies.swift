import Synchronization
package import TokenBasics

/// The servers that a service calls, each behind a boundary of its own: the one place that makes them.
package final class Dependencies: Sendable {
  private let limits: DependencyLimits
  private let total: CallTotal
  private let clock: any TimeSource
  private let former: [Dependency: CallGate]
  private let gates = Mutex<[Dependency: CallGate]>([:])

  /// - Parameters:
  ///   - limits: The limits of each dependency.
  ///   - mostCalls: The calls of all dependencies together, each of which takes a descriptor.
  ///   - clock: The clock; another one in tests.
  ///   - former: The dependencies of the service whose place this one takes. What it knows of a server stays known.
  package init(
    _ limits: DependencyLimits = DependencyLimits(), mostCalls: Int = .max,
    clock: any TimeSource = SystemTime(), replacing former: Dependencies? = nil
  ) {
    self.limits = limits
    self.clock = clock
    total = former?.total ?? CallTotal(most: max(1, mostCalls))
    self.former = former?.gates.withLock { $0 } ?? [:]
  }

  /// The boundary of a dependency, which sends over `transport`.
  package func boundary(
    _ kind: Dependency.Kind, _ name: String, over transport: any HTTPTransport
  ) -> BoundedTransport {
    let dependency = Dependency(kind, name)
    let gate = gates.withLock { gates in
      if let gate = gates[dependency] { return gate }
      let gate = former[dependency] ?? CallGate(dependency, limits, total, clock)
      gate.set(limits)
      gates[dependency] = gate
      return gate
    }
    return BoundedTransport(transport, gate, clock)
  }

  /// The state of each dependency, in the order of their names.
  package var reports: [DependencyReport] {
    gates.withLock { Array($0.values) }.map(\.report)
      .sorted {
        ($0.dependency.kind.rawValue, $0.dependency.name)
          < ($1.dependency.kind.rawValue, $1.dependency.name)
      }
  }
}

/// Hosts that are called by one kind of request, each behind a boundary of its own.
package struct HostBoundaries: HTTPTransport {
  private let kind: Dependency.Kind
  private let dependencies: Dependencies
  private let transport: any HTTPTransport

  /// - Parameters:
  ///   - kind: What the hosts are for. The configuration names all of them, so that there are few.
  ///   - transport: Sends the requests.
  package init(
    _ kind: Dependency.Kind, in dependencies: Dependencies, over transport: any HTTPTransport
  ) {
    self.kind = kind
    self.dependencies = dependencies
    self.transport = transport
  }

  /// The response, whatever its status.
  /// - Throws: As ``BoundedTransport/response(to:)``.
  package func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
    try await dependencies.boundary(kind, request.url.origin.description, over: transport)
      .response(to: request)
  }
}
