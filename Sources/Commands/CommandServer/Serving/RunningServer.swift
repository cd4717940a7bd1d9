#if Server
  package import CommandSupport
  import HTTPExchange
  import Logging
  import SignIn
  import Synchronization
  package import TokenBasics

  /// Serves a configuration file until the process is told to end, and answers what was asked before.
  package final class RunningServer<Assembly: ServedAssembly>: Sendable {
    private struct State {
      var assembly: Assembly
      var tasks: [Task<Void, Never>] = []
      var refresh: ProviderRefresh?
    }

    /// The configuration file, and how it is read anew.
    private struct Source: Sendable {
      let path: String
      let read: @Sendable (_ former: Assembly) throws(CommandFailure) -> Assembly
    }

    private let messages: CommandMessages
    private let source: Source?
    private let state: Mutex<State>

    /// A server whose configuration stays as it is.
    package init(_ assembly: Assembly, _ messages: CommandMessages) {
      self.messages = messages
      source = nil
      state = Mutex(State(assembly: assembly))
    }

    /// A server that reads its file anew at SIGHUP.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - read: Reads the file and those that it names, in place of what is in force.
    package init(
      _ assembly: Assembly, at path: String, _ messages: CommandMessages,
      read: @escaping @Sendable (_ former: Assembly) throws(CommandFailure) -> Assembly
    ) {
      self.messages = messages
      source = Source(path: path, read: read)
      state = Mutex(State(assembly: assembly))
    }

    /// What is in force.
    package var assembly: Assembly { state.withLock { $0.assembly } }

    /// Serves.
    ///
    /// - Parameters:
    ///   - others: Listeners besides.
    ///   - ready: Called once everything listens.
    /// - Throws: exit status 2.
    package func run(
      beside others: [Listener] = [], ready: @escaping @Sendable () -> Void
    ) async throws(CommandFailure) {
      warn(assembly)
      do throws(TokenError) {
        try await assembly.shared?.check(at: SystemTime().now)
      } catch {
        // Until that is over the service refuses what it cannot vouch for.
        messages.warning("the shared store: \(error)")
      }
      if assembly.shared == nil, let error = await assembly.storeError(at: SystemTime().now) {
        messages.warning("the store: \(error); what needs it is answered with 503 until it works")
      }
      start()
      defer {
        stop()
        LogBuffer.standardError.flush(within: .milliseconds(500))
      }
      let hangUp = source.map { _ in HangUpSignal { self.reload() } }
      defer { hangUp?.stop() }
      let sweeper = Task { await sweepAgainAndAgain() }
      defer { sweeper.cancel() }
      do throws(TokenError) {
        try await Listener.run(listeners() + others, ready: ready)
      } catch {
        throw Assembly.failure([error])
      }
    }

    private func listeners() throws(TokenError) -> [Listener] {
      let (assembly, logger) = (assembly, Logger.server(of: messages.command))
      let addresses = assembly.addresses
      var listeners = [
        try Listener(
          ServiceResponder { self.assembly }, at: addresses.service, tls: addresses.tls,
          connections: Descriptors.connections(of: Descriptors.raise()),
          bodyLimit: assembly.bodyLimit, logger: logger)
      ]
      if let operations = addresses.operations {
        listeners.append(
          try Listener(
            operations: ServiceResponder { self.operations }, at: operations, logger: logger))
      }
      return listeners
    }

    /// Answers the requests of operators, by what is in force.
    package var operations: some WebService { OperationsService(assembly: assembly) }

    // MARK: Reading anew

    /// Begins to fetch what providers and issuers publish.
    package func start() { state.withLock { Self.begin(&$0) } }

    /// Ends it.
    package func stop() { state.withLock { Self.end(&$0) } }

    /// Reads the file, those that it names, and the files of TLS anew. If all are valid, they apply from the next request,
    /// and every session stays; if not, the errors are logged, and nothing changes.
    package func reload() {
      guard let source else { return }
      let next: Assembly
      do throws(CommandFailure) {
        next = try source.read(assembly)
        do throws(TokenError) {
          // Those of the listener: its connections stay.
          try assembly.addresses.tls?.reload()
        } catch {
          throw Assembly.failure([error])
        }
      } catch {
        messages.report(error)
        messages.warning(
          "\(source.path): not reloaded; the configuration of before stays in force")
        return
      }
      replace(with: next)
      warn(next)
      messages.note("\(source.path): reloaded")
    }

    /// Puts an assembly in the place of the one in force, with what that one changed meanwhile.
    package func replace(with next: Assembly) {
      let former = state.withLock { state in
        Self.end(&state)
        let former = state.assembly
        state.assembly = next
        Self.begin(&state)
        return former
      }
      do throws(TokenError) {
        try next.follow(former)
      } catch {
        messages.report(Assembly.failure([error]))
      }
    }

    private func warn(_ assembly: Assembly) {
      for warning in assembly.warnings { messages.warning(warning) }
    }

    private static func begin(_ state: inout State) {
      let assembly = state.assembly
      state.refresh = ProviderRefresh(assembly.providers, observer: assembly.counters)
      state.tasks = [Task { await assembly.work() }]
    }

    private static func end(_ state: inout State) {
      state.refresh?.cancel()
      state.tasks.forEach { $0.cancel() }
    }

    // MARK: Sweeping

    /// Once a minute until the task is cancelled.
    private func sweepAgainAndAgain() async {
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(60))
        await sweep(at: SystemTime().now)
      }
    }

    /// Removes expired values, and logs a store that does not keep what it is told to keep.
    package func sweep(at now: Instant) async {
      let assembly = assembly
      var failure: TokenError?
      do throws(TokenError) {
        try await assembly.sweep(at: now)
        failure = await assembly.storeError(at: now)
      } catch {
        failure = error
      }
      guard let failure else { return }
      assembly.counters.happened(
        Activity(
          "store.failed", [("code", failure.code.rawValue), ("error", failure.description)]))
    }
  }
#endif
