#if Server
  import CommandServer
  import Foundation
  import GateService
  import HTTPTypes
  import Hummingbird
  import HummingbirdFederation
  import Logging
  import NIOCore
  import NIOPosix
  import SecurityKeys
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

    private struct Page: HTTPResponder {
      func respond(to request: Request, context: FederationContext) async throws -> Response {
        Response(status: .noContent)
      }
    }

    @Test("A proxy that speaks TLS is asked in TLS, by whom its certificate's authority is trusted")
    func tls() async throws {
      let folder = try GateFolder()
      let key = try PrivateKey(generating: .rsa2048)
      let now = SystemTime().now
      let certificate = try Certificate(
        selfSigning: key, name: "localhost", notBefore: now.advanced(bySeconds: -60),
        notAfter: now.advanced(bySeconds: 3_600))
      func pem(_ kind: String, _ der: [UInt8]) -> String {
        let text = Data(der).base64EncodedString(options: .lineLength64Characters)
        return "-----BEGIN \(kind)-----\n\(text)\n-----END \(kind)-----\n"
      }
      try folder.write("tls.crt", pem("CERTIFICATE", certificate.der))
      try folder.write("tls.key", pem("RSA PRIVATE KEY", key.exportedDER))
      let port = try await RunningProgram.freePort()
      var logger = Logger(label: "test")
      logger.logLevel = .critical
      let listener = try Listener(
        Page(), at: HostPort(host: "127.0.0.1", port: port),
        tls: TLSFiles(certificate: folder.path("tls.crt"), key: folder.path("tls.key")),
        connections: 8, logger: logger)
      let (isReady, ready) = AsyncStream<Void>.makeStream()
      let run = Task {
        try await Listener.run([listener], ready: { ready.yield() }, last: {})
      }
      for await _ in isReady { break }
      let address = try HTTPURL("https://127.0.0.1:\(port)/")
      let own = Array(pem("CERTIFICATE", certificate.der).utf8)
      let trusting = ProxyConnection(address: address, host: address.origin, authorities: own)
      #expect(try await trusting.answer(to: WiringRequest("GET", "/")).status == 204)
      let other = ProxyConnection(address: address, host: address.origin, authorities: nil)
      await #expect(throws: TokenError(.transportUntrustedServer)) {
        try await other.answer(to: WiringRequest("GET", "/"))
      }
      run.cancel()
      try await run.value
    }
  }
#endif
