#if Client
  import HTTPExchange
  import NIOCore
  import NIOPosix
  package import TokenBasics

  /// Ports of 127.0.0.1 that nothing listens at.
  package enum LoopbackPorts {
    /// Those ports, a free one in place of each 0; all are different.
    ///
    /// They are free when they are looked for: who listens at them later may find that another was faster.
    ///
    /// - Throws: `transport.unreachable` where one of them is taken.
    package static func free(_ wanted: [Int]) async throws(TokenError) -> [Int] {
      var held: [any Channel] = []
      var ports: [Int] = []
      var failure: TokenError?
      for port in wanted {
        do {
          let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            // As a server does: connections that just ended do not keep the port.
            .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: port).get()
          held.append(channel)
          if let port = channel.localAddress?.port { ports.append(port) }
        } catch {
          failure = TokenError(
            .transportUnreachable, node: "127.0.0.1:\(port)", found: "\(type(of: error))")
          break
        }
      }
      for channel in held { try? await channel.close().get() }
      if let failure { throw failure }
      return ports
    }
  }
#endif
