#if Server
  import CommandServer
  import CommandSupport
  import GateService
  import Synchronization

  /// The gate in force, until the file is read anew and is in order.
  final class RunningGate: Sendable {
    private struct State {
      var assembly: GateAssembly
      var work: [Task<Void, Never>] = []
      var refresh: ProviderRefresh?
    }

    private let path: String
    private let state: Mutex<State>

    /// - Parameter path: The gate's file.
    init(_ assembly: GateAssembly, at path: String) {
      self.path = path
      state = Mutex(State(assembly: assembly))
    }

    /// The gate in force.
    var assembly: GateAssembly { state.withLock { $0.assembly } }

    /// Begins to fetch what providers and issuers publish.
    func start() { state.withLock { Self.begin(&$0) } }

    /// Ends it.
    func stop() { state.withLock { Self.end(&$0) } }

    /// Reads the file and those that it names anew. Where they are in order they are in force with the next request, and
    /// every session stays; where not, that is said, and nothing changes.
    func reload() {
      let read = Reload.configuration(at: path, .own) { () throws(CommandFailure) in
        try GateAssembly(GateFile(path), .reload(assembly))
      }
      guard let next = read else { return }
      state.withLock { state in
        Self.end(&state)
        state.assembly = next
        Self.begin(&state)
      }
      next.warn()
      CommandMessages.own.note("\(path): reloaded")
    }

    private static func begin(_ state: inout State) {
      let assembly = state.assembly
      state.refresh = ProviderRefresh(
        assembly.gate.site.providers, observer: assembly.counters)
      state.work = [Task { await assembly.tokens?.run() }]
    }

    private static func end(_ state: inout State) {
      state.refresh?.cancel()
      state.work.forEach { $0.cancel() }
    }
  }
#endif
