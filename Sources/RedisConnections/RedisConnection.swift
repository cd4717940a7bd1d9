#if Redis
  import NIOCore
  import NIOPosix
  import NIOSSL
  import RedisStores

  /// One connection, signed in and at its database.
  struct RedisConnection: Sendable {
    private let channel: any Channel
    private let handler: NIOLoopBound<RedisHandler>

    /// - Throws: `store.unavailable`, `store.refused`, `store.timeout`, `store.protocol`.
    init(_ settings: RedisSettings, tls: NIOSSLContext?) async throws(TokenError) {
      let timeout = TimeAmount.milliseconds(settings.timeout)
      let host = settings.address.host
      do {
        (channel, handler) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
          .connectTimeout(timeout)
          .connect(host: host, port: settings.address.port) { channel in
            channel.eventLoop.makeCompletedFuture {
              let pipeline = channel.pipeline.syncOperations
              if let tls {
                // Addresses are compared with the certificate without a name to ask for (RFC 6066, 3).
                let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
                try pipeline.addHandler(
                  NIOSSLClientHandler(context: tls, serverHostname: isAddress ? nil : host))
              }
              let handler = RedisHandler(timeout: timeout)
              try pipeline.addHandler(handler)
              return (channel, NIOLoopBound(handler, eventLoop: channel.eventLoop))
            }
          }
      } catch {
        throw Self.failure(error, settings)
      }
      do throws(TokenError) {
        try await greet(settings)
      } catch {
        channel.close(promise: nil)
        throw error
      }
    }

    var isOpen: Bool { channel.isActive }

    func close() { channel.close(promise: nil) }

    func send(_ commands: [RESPCommand]) async throws(TokenError) -> [RESPReply] {
      let promise = channel.eventLoop.makePromise(of: [RESPReply].self)
      channel.eventLoop.execute { [handler] in handler.value.send(commands, promise) }
      do {
        return try await promise.futureResult.get()
      } catch {
        throw error as? TokenError ?? TokenError(.storeUnavailable, found: "\(type(of: error))")
      }
    }

    private func greet(_ settings: RedisSettings) async throws(TokenError) {
      var commands: [RESPCommand] = []
      if let password = settings.password {
        let user = settings.address.user.map { [Array($0.utf8)] } ?? []
        commands.append(RESPCommand("AUTH", user + [Array(password.revealed.utf8)]))
      }
      if settings.address.database != 0 {
        commands.append(RESPCommand("SELECT", "\(settings.address.database)"))
      }
      commands.append(RESPCommand("PING"))
      for (command, reply) in zip(commands, try await send(commands)) {
        _ = try reply.checked(command)
      }
    }

    static func failure(_ error: any Error, _ settings: RedisSettings) -> TokenError {
      if let error = error as? TokenError { return error }
      let cause: String
      switch error {
      case let error as NIOConnectionError:
        cause =
          error.connectionErrors.lazy.compactMap { $0.error as? IOError }.first
          .map { "errno \($0.errnoCode)" } ?? "no address of \(settings.address.host) answers"
      case let error as IOError: cause = "errno \(error.errnoCode)"
      default: cause = "\(type(of: error))"
      }
      return TokenError(.storeUnavailable, node: "\(settings.address)", found: cause)
    }
  }
#endif
