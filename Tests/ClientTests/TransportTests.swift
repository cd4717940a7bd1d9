#if Client
  import AsyncHTTPClientTransport
  import Foundation
  import HTTPExchange
  import SecrecyTesting
  import TestSupport
  import Testing
  import TokenErrors

  @Suite("The network through AsyncHTTPClient")
  struct TransportTests {
    func get(
      _ server: LoopbackServer, over transport: AsyncHTTPClientTransport,
      path: String = "/?code=hidden",
      limit: Int = 1 << 20, timeout: Duration = .seconds(10)
    ) async throws -> HTTPResponse {
      var request = HTTPRequest(.get, try HTTPURL("http://127.0.0.1:\(server.port)\(path)"))
      request.maximumResponseBytes = limit
      request.timeout = timeout
      return try await transport.response(to: request)
    }

    func replying(_ octets: [UInt8]) async throws -> LoopbackServer {
      let server = try LoopbackServer()
      server.reply(.octets(octets))
      try await server.start()
      return server
    }

    @Test("Method, address, fields and body arrive as they were given, and the answer comes back")
    func exchange() async throws {
      let server = try await replying(
        LoopbackMetadata.response("201 Created", ["X-A: 1", "x-a: 2"], Array("done".utf8)))
      let transport = try AsyncHTTPClientTransport()
      let url = try HTTPURL("http://127.0.0.1:\(server.port)/a%20b?c=d&e")
      var request = HTTPRequest(.post, url, body: Array("grant_type=x".utf8))
      request.fields = try HTTPFields([("Authorization", "Bearer t"), ("X-B", "ü")])
      let response = try await transport.response(to: request)
      #expect(response.status == 201)
      #expect(response.body == Array("done".utf8))
      #expect(response.fields.values("X-A") == ["1", "2"])
      let seen = try #require(server.requests.first)
      #expect(seen.hasPrefix("POST /a%20b?c=d&e HTTP/1.1\r\n"))
      #expect(seen.contains("\r\nAuthorization: Bearer t\r\n"))
      #expect(seen.contains("\r\nX-B: ü\r\n"))
      #expect(seen.hasSuffix("\r\n\r\ngrant_type=x"))
      #expect(!seen.contains("Accept-Encoding"))
    }

    @Test("A redirect is an answer like any other, and a cookie is not kept (RP-2, RP-3)")
    func redirect() async throws {
      let other = try await replying(LoopbackMetadata.response("200 OK", [], []))
      let server = try await replying(
        LoopbackMetadata.response(
          "307 Temporary Redirect",
          ["Location: http://localhost:\(other.port)/", "Set-Cookie: a=b; Path=/"], []))
      let transport = try AsyncHTTPClientTransport()
      for _ in 0..<2 {
        let response = try await get(server, over: transport)
        #expect(response.isRedirect)
      }
      #expect(other.requests.isEmpty)
      #expect(server.requests.count == 2)
      #expect(server.requests.allSatisfy { !$0.contains("ookie:") })
    }

    @Test("The body may be as large as allowed and not an octet larger, declared or not (DOS-24)")
    func limit() async throws {
      let body = [UInt8](repeating: 65, count: 100_000)
      let transport = try AsyncHTTPClientTransport()
      let declared = try await replying(LoopbackMetadata.response("200 OK", [], body))
      let undeclared = try await replying(LoopbackMetadata.head("200 OK", []) + body)
      for server in [declared, undeclared] {
        #expect(try await get(server, over: transport, limit: 100_000).body.count == 100_000)
        await expect(throws: TokenError(.transportTooLarge)) {
          try await get(server, over: transport, limit: 99_999)
        }
      }
    }

    @Test("What is compressed comes as it is: nothing is inflated (DOS-24)")
    func bomb() async throws {
      let server = try await replying(
        LoopbackMetadata.response("200 OK", ["Content-Encoding: gzip"], GzipBomb.octets))
      let response = try await get(server, over: AsyncHTTPClientTransport())
      #expect(response.body == GzipBomb.octets)
      #expect(response.body.count < 1_000_000)
    }

    @Test("One octet now and then does not keep a request alive (DOS-24)")
    func drip() async throws {
      let server = try LoopbackServer()
      server.reply(.drip(LoopbackMetadata.head("200 OK", [])))
      try await server.start()
      await expect(throws: TokenError(.transportTimeout)) {
        try await get(server, over: AsyncHTTPClientTransport(), timeout: .milliseconds(300))
      }
    }

    @Test("A server that takes a request and says nothing runs into the time limit")
    func silence() async throws {
      let server = try LoopbackServer()
      server.reply(.silence)
      try await server.start()
      await expect(throws: TokenError(.transportTimeout)) {
        try await get(server, over: AsyncHTTPClientTransport(), timeout: .milliseconds(300))
      }
    }

    @Test("A closed port is no connection, at once")
    func refused() async throws {
      let server = try LoopbackServer()
      let error = await expect(throws: TokenError(.transportNoConnection)) {
        try await get(server, over: AsyncHTTPClientTransport())
      }
      #expect(error?.found == "connection refused")
    }

    @Test("A name that stands for no machine is an unknown host")
    func unknownHost() async throws {
      let transport = try AsyncHTTPClientTransport()
      let error = await expect(throws: TokenError(.transportNoConnection)) {
        try await transport.response(
          to: HTTPRequest(.get, try HTTPURL("https://nobody.localhost.invalid/")))
      }
      #expect(error?.found == "unknown host")
      await transport.shutdown()
    }

    @Test(
      "What is not HTTP is refused as such",
      arguments: [
        "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 abc OK\r\n\r\n", "<html></html>",
        "HTTP/1.1 200 OK\r\nA\r\n\r\n", "HTTP/1.1 200 OK\r\nA: \u{1}\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      ])
    func malformed(octets: String) async throws {
      let server = try await replying(Array(octets.utf8))
      await expect(throws: TokenError(.transportMalformedResponse)) {
        try await get(server, over: AsyncHTTPClientTransport())
      }
    }

    @Test("A header without an end is refused")
    func endlessHeader() async throws {
      let server = try LoopbackServer()
      server.reply(.flood(Array("HTTP/1.1 200 OK\r\nA: ".utf8), count: 50_000_000))
      try await server.start()
      await expect(throws: TokenError(.transportMalformedResponse)) {
        try await get(server, over: AsyncHTTPClientTransport())
      }
      #expect(server.sent < 25_000_000)
    }

    @Test(
      "An answer that breaks off is not an answer",
      arguments: [
        "", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
      ])
    func brokenOff(octets: String) async throws {
      let server = try await replying(Array(octets.utf8))
      await expect(throws: TokenError(.transportUnreachable)) {
        try await get(server, over: AsyncHTTPClientTransport())
      }
    }

    @Test("Who cancels gets out, and the connection is closed")
    func cancellation() async throws {
      let server = try LoopbackServer()
      server.reply(.drip(LoopbackMetadata.head("200 OK", [])))
      try await server.start()
      let transport = try AsyncHTTPClientTransport()
      let task = Task { try await get(server, over: transport, timeout: .seconds(60)) }
      while server.requests.isEmpty { await Task.yield() }
      task.cancel()
      await expect(throws: TokenError(.transportCancelled)) { try await task.value }
      while server.connections > 0 { await Task.yield() }
    }

    @Test("The environment names no proxy; the configuration may")
    func proxy() async throws {
      let server = try await replying(LoopbackMetadata.response("200 OK", [], [1]))
      let proxy = try await replying(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
      for name in ["http_proxy", "HTTP_PROXY", "all_proxy"] {
        unsafe setenv(name, "http://127.0.0.1:\(proxy.port)", 1)
      }
      #expect(try await get(server, over: AsyncHTTPClientTransport()).body == [1])
      #expect(proxy.requests.isEmpty)
      var configuration = TransportConfiguration()
      configuration.proxy = .init(host: "127.0.0.1", port: proxy.port)
      // This one opens the tunnel and leaves.
      await expect(throws: TokenError(.transportUnreachable)) {
        try await get(server, over: AsyncHTTPClientTransport(configuration))
      }
      #expect(proxy.requests.first?.hasPrefix("CONNECT 127.0.0.1:\(server.port) HTTP/1.1") ?? false)
      #expect(server.requests.count == 1)
    }

    @Test(
      "A server is believed only with the right certificate for the right name (RP-7)",
      arguments: [
        ("tls-localhost", nil, false), ("tls-localhost", "tls-localhost", true),
        ("tls-localhost", "tls-other", false), ("tls-other", "tls-other", false),
        ("tls-expired", "tls-expired", false),
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
