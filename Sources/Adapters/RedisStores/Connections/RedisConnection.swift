#if Redis
  import NIOCore
  import NIOPosix
  import NIOSSL

  /// One connection, signed in and at its database.
  struct RedisConnection: Sendable {
    private let channel: any Channel
    private let handler: NIOLoopBound<RedisHandler>

    private typealias Connected = (any Channel, NIOLoopBound<RedisHandler>)

    /// - Throws: `store.unavailable`, `store.tls`, `store.refused`, `store.timeout`, `store.protocol`.
    init(_ settings: RedisSettings, tls: NIOSSLContext?) async throws(TokenError) {
      let timeout = TimeAmount.milliseconds(settings.timeout)
      let address = settings.address
      let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connectTimeout(timeout)
      let initialize: @Sendable (any Channel) -> EventLoopFuture<Connected> = { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let tls {
            // Addresses are compared with the certificate without a name to ask for (RFC 6066, 3).
            let isAddress = (try? SocketAddress(ipAddress: address.host, port: 0)) != nil
            try pipeline.addHandler(
              NIOSSLClientHandler(context: tls, serverHostname: isAddress ? nil : address.host))
          }
          let handler = RedisHandler(timeout: timeout)
          try pipeline.addHandler(handler)
          return (channel, NIOLoopBound(handler, eventLoop: channel.eventLoop))
        }
      }
      do {
        if let path = address.socket {
          (channel, handler) = try await bootstrap.connect(
            unixDomainSocketPath: path, channelInitializer: initialize)
        } else {
          (channel, handler) = try await bootstrap.connect(
            host: address.host, port: address.port, channelInitializer: initialize)
        }
      } catch {
        throw ConnectionFailure.error(error, at: address)
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

    /// Ends the connection as soon as every command that was sent has its reply.
    func finish() {
      channel.eventLoop.execute { [handler] in handler.value.finish() }
    }

    func isSame(as other: Self) -> Bool { channel === other.channel }

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
  }
#endif
