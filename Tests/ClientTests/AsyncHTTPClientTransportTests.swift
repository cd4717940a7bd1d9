#if Client
  import FederationNetwork
  import Foundation
  import HTTPExchange
  import SecrecyTesting
  import TestSupport
  import Testing
  import TokenBasics

  @Suite("Further options of the transport over AsyncHTTPClient")
  struct AsyncHTTPClientTransportTests {
    func get(
      _ server: LoopbackServer, over transport: any HTTPTransport
    ) async throws -> HTTPResponse {
      var request = HTTPRequest(.get, try HTTPURL("http://127.0.0.1:\(server.port)/?code=hidden"))
      // However busy the machine is.
      request.timeout = .seconds(600)
      return try await transport.response(to: request)
    }

    func replying(_ octets: [UInt8]) async throws -> LoopbackServer {
      let server = try LoopbackServer()
      server.reply(.octets(octets))
      try await server.start()
      return server
    }

    @Test("A compressed response is returned as it is, not decompressed (DOS-24)")
    func bomb() async throws {
      let server = try await replying(
        LoopbackMetadata.response("200 OK", ["Content-Encoding: gzip"], GzipBomb.octets))
      let response = try await get(server, over: AsyncHTTPClientTransport())
      #expect(response.body == GzipBomb.octets)
      #expect(response.body.count < 1_000_000)
    }

    @Test("The environment names no proxy; the configuration may")
    func proxy() async throws {
      // In a process of its own: other tests would use that proxy too.
      await #expect(processExitsWith: .success) {
        let tests = AsyncHTTPClientTransportTests()
        let server = try await tests.replying(LoopbackMetadata.response("200 OK", [], [1]))
        let proxy = try await tests.replying(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
        for name in ["http_proxy", "HTTP_PROXY", "all_proxy"] {
          unsafe setenv(name, "http://127.0.0.1:\(proxy.port)", 1)
        }
        #expect(try await tests.get(server, over: AsyncHTTPClientTransport()).body == [1])
        #expect(proxy.requests.isEmpty)
        var configuration = TransportConfiguration()
        configuration.proxy = .init(host: "127.0.0.1", port: proxy.port)
        // This proxy opens the tunnel and closes it.
        await expect(throws: TokenError(.transportUnreachable)) {
          try await tests.get(server, over: AsyncHTTPClientTransport(configuration))
        }
        #expect(
          proxy.requests.first?.hasPrefix("CONNECT 127.0.0.1:\(server.port) HTTP/1.1") ?? false)
        #expect(server.requests.count == 1)
      }
    }

    @Test(
      "A server needs the right certificate for the right name (RP-7)",
      arguments: [
        ("tls-localhost", nil, false), ("tls-localhost", "tls-localhost", true),
        ("tls-localhost", "tls-other", false), ("tls-other", "tls-other", false),
        ("tls-expired", "tls-expired", false), ("tls-common-name", "tls-common-name", false),
      ] as [(String, String?, Bool)])
    func certificates(served: String, trusted: String?, isGood: Bool) async throws {
      let server = try LoopbackServer(certificate: served)
      server.reply(.octets(LoopbackMetadata.response("200 OK", [], [7])))
      try await server.start()
      var configuration = TransportConfiguration()
      if let trusted {
        configuration.trustRoots = .certificates(pem: TestVector.bytes("keys/\(trusted).crt"))
      }
      let transport = try AsyncHTTPClientTransport(configuration)
      let request = HTTPRequest(.get, try HTTPURL("https://localhost:\(server.port)/?code=hidden"))
      if isGood {
        #expect(try await transport.response(to: request).body == [7])
      } else {
        let error = await expect(throws: TokenError(.transportUntrustedServer)) {
          try await transport.response(to: request)
        }
        #expect(!String(reflecting: error).contains("hidden"))
        #expect(server.requests.isEmpty)
      }
    }

    @Test("Trust roots that cannot be read are an error, not the machine's")
    func badRoots() {
      var configuration = TransportConfiguration()
      configuration.trustRoots = .certificates(pem: Array("nothing".utf8))
      expect(throws: TokenError(.unreadableKey)) { try AsyncHTTPClientTransport(configuration) }
    }
  }
#endif
