#if Server
  package import HTTPExchange
  package import Hummingbird
  import HummingbirdCore
  import HummingbirdTLS
  import LocalFiles
  package import Logging
  import NIOCore
  package import TokenBasics

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  /// An address at which a command answers requests.
  package struct Listener: Sendable {
    /// Where.
    package let address: HostPort
    private let run:
      @Sendable (_ isRunning: @escaping @Sendable (any Channel) async -> Void) async throws -> Void

    /// A listener.
    ///
    /// - Parameters:
    ///   - tls: The files of TLS; nil for plain HTTP.
    ///   - connections: The most connections.
    ///   - bodyLimit: The most octets of a body that the responder reads.
    ///   - times: How long a peer may let it wait.
    /// - Throws: `listen.tls`.
    package init<Responder: HTTPResponder>(
      _ responder: Responder, at address: HostPort, tls: TLSFiles? = nil, connections: Int,
      bodyLimit: Int = 1 << 20, times: WaitingTimes = WaitingTimes(), logger: Logger
    ) throws(TokenError)
    where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
      self.address = address
      let open = Connections(most: connections)
      let channel = HTTP1Channel.Configuration(
        additionalChannelHandlers: [GuardInstaller(open, times, bodyLimit: bodyLimit)])
      var server = HTTPServerBuilder { responder in
        OnOwnLoop(HTTP1Channel(responder: responder, configuration: channel))
      }
      if let tls {
        let configuration = try tls.configuration()
        do {
          server = try .tls(server, tlsConfiguration: configuration)
        } catch {
          throw TokenError(.listenTLS, found: "\(type(of: error))")
        }
      }
      // Those that give way are closed a moment later, so a few more are let in.
      let configuration = ApplicationConfiguration(
        address: address.socket.map { .unixDomainSocket(path: $0) }
          ?? .hostname(address.host, port: address.port), serverName: nil,
        availableConnectionsDelegate: .maximum(
          connections + Descriptors.operations, logger: logger))
      run = { [server] isRunning in
        try await Application(
          responder: responder, server: server, configuration: configuration,
          onServerRunning: isRunning, logger: logger
        ).runService()
      }
    }

    /// Answers requests at all of the addresses until the process is told to end, or one of them cannot be had.
    ///
    /// At the end nothing new is accepted, and what is under way has nine seconds.
    ///
    /// - Parameters:
    ///   - listeners: At least one.
    ///   - ready: Called once all of them listen.
    ///   - last: Called where something is still under way then; ends the process, without the clean-up of libraries:
    ///     the command may be ending by itself at that moment, and OpenSSL's clean-up does not bear two threads.
    /// - Throws: `listen.in-use`, `listen.refused`.
    package static func run(
      _ listeners: [Listener], ready: @escaping @Sendable () -> Void = {},
      last: @escaping @Sendable () -> Void = { _exit(0) }
    ) async throws(TokenError) {
      let (running, isRunning) = AsyncStream<Void>.makeStream()
      let failure = await withTaskGroup(of: TokenError?.self) { group in
        for listener in listeners {
          group.addTask { await listener.serve(last) { isRunning.yield() } }
        }
        group.addTask {
          var count = 0
          for await _ in running {
            count += 1
            if count == listeners.count { break }
          }
          if count == listeners.count { ready() }
          return nil
        }
        var failure: TokenError?
        for await result in group {
          guard let result else { continue }
          failure = failure ?? result
          isRunning.finish()
          group.cancelAll()
        }
        return failure
      }
      if let failure { throw failure }
    }

    /// Does something while listeners answer requests, and ends them afterwards.
    ///
    /// - Returns: The result of `work`; nil where the process is told to end before.
    /// - Throws: `listen.*`, and what `work` throws.
    package static func run<Value: Sendable>(
      _ listeners: [Listener], during work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
      let (running, isRunning) = AsyncStream<Void>.makeStream()
      return try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask {
          try await run(listeners, ready: { isRunning.yield() }, last: {})
          isRunning.finish()
          return nil
        }
        group.addTask {
          for await _ in running { break }
          try Task.checkCancellation()
          return try await work()
        }
        defer { group.cancelAll() }
        return try await group.next().flatMap(\.self)
      }
    }

    private func serve(
      _ last: @escaping @Sendable () -> Void, _ listens: @escaping @Sendable () -> Void
    ) async -> TokenError? {
      do {
        try await run { channel in
          listens()
          // A listener closes when the process is told to end. Whatever a request still waits for then, a provider
          // that does not answer or a lock of the store, does not keep the process.
          channel.closeFuture.whenComplete { _ in
            channel.eventLoop.scheduleTask(in: .seconds(9), last)
          }
        }
        return nil
      } catch is CancellationError {
        return nil
      } catch let error as IOError {
        return failure(error.errnoCode)
      } catch {
        return TokenError(
          .listenRefused, node: address.description, found: TokenError.excerpt("\(error)"))
      }
    }

    private func failure(_ number: CInt) -> TokenError {
      let failure = FileFailure(number)
      return failure.isAddressInUse
        ? TokenError(.listenInUse, node: address.description)
        : TokenError(.listenRefused, node: address.description, found: failure.text)
    }
  }
#endif
