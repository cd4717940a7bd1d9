#if Server
  import GateService
  import HTTPExchange
  import NIOCore
  import NIOPosix
  import Testing

  @testable import GateCommand

  @Suite("The doctor's connections to a proxy")
  struct ProxyConnectionTests {
    /// Answers whatever it is sent.
    private final class Answering: ChannelInboundHandler {
      typealias InboundIn = ByteBuffer
      typealias OutboundOut = ByteBuffer

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let answer = ByteBuffer(string: "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
      }
    }

    @Test(
      "A proxy at an IPv6 address is reached, as one at an IPv4 address is",
      arguments: ["::1", "127.0.0.1"])
    func addresses(host: String) async throws {
      let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(Answering())
          }
        }
      // A machine without IPv6 has nothing to reach.
      guard let channel = try? await bootstrap.bind(host: host, port: 0).get() else { return }
      let port = try #require(channel.localAddress?.port)
      let address = try HTTPURL("http://\(HostPort(host: host, port: port))/")
      let connection = ProxyConnection(address: address, host: address.origin, authorities: nil)
      let response = try await connection.answer(to: WiringRequest("GET", "/"))
      #expect(response.status == 204)
      try await channel.close()
    }
  }
#endif
