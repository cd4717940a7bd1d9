#if Client
  import FederationNetwork
  import Foundation
  import HTTPExchange
  import SecrecyTesting
  import TestSupport
  import Testing
  import TokenBasics

  /// The requirements of both transports. Those of only one are in a suite of its own.
  @Suite("The transports over AsyncHTTPClient and over URLSession")
  struct TransportTests {
    func get(
      _ server: LoopbackServer, over transport: any HTTPTransport,
      path: String = "/?code=hidden",
      limit: Int = 1 << 20, timeout: Duration = .seconds(600)
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

    @Test(
      "Method, address, fields and body are sent unchanged, and the response is returned",
      arguments: TestedTransport.allCases)
    func exchange(kind: TestedTransport) async throws {
      let server = try await replying(
        LoopbackMetadata.response("201 Created", ["X-A: 1", "x-a: 2"], Array("done".utf8)))
      let transport = try kind.make()
      let url = try HTTPURL("http://127.0.0.1:\(server.port)/a%20b?c=d&e")
      var request = HTTPRequest(.post, url, body: Array("grant_type=x".utf8))
      request.fields = try HTTPFields([("Authorization", "Bearer t"), ("X-B", "ü")])
      let response = try await transport.response(to: request)
      #expect(response.status == 201)
      #expect(response.body == Array("done".utf8))
      #expect(response.fields.values("X-A") == ["1", "2"])
      #expect(!String(reflecting: response).contains("done"))
      let seen = try #require(server.requests.first)
      #expect(seen.hasPrefix("POST /a%20b?c=d&e HTTP/1.1\r\n"))
      #expect(seen.contains("\r\nAuthorization: Bearer t\r\n"))
      #expect(seen.contains("\r\nX-B: ü\r\n"))
      #expect(seen.hasSuffix("\r\n\r\ngrant_type=x"))
      // No compression is requested.
      #expect(!seen.contains("gzip"))
    }

    @Test(
      "The trace of the request that is answered goes along", arguments: TestedTransport.allCases)
    func trace(kind: TestedTransport) async throws {
      let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
      let server = try await replying(LoopbackMetadata.response("200 OK", [], []))
      let transport = try kind.make()
      let trace = try TraceContext(HTTPFields([("traceparent", text)]))
      _ = try await TraceContext.$current.withValue(trace) {
        try await get(server, over: transport)
      }
      _ = try await get(server, over: transport)
      let sent = server.requests.map { $0.lowercased().contains("\r\ntraceparent: \(text)\r\n") }
      #expect(sent == [true, false])
    }

    @Test(
      "A redirect is a response like any other, and a cookie is not stored (RP-2, RP-3)",
      arguments: TestedTransport.allCases)
    func redirect(kind: TestedTransport) async throws {
      let other = try await replying(LoopbackMetadata.response("200 OK", [], []))
      let server = try await replying(
        LoopbackMetadata.response(
          "307 Temporary Redirect",
          ["Location: http://localhost:\(other.port)/", "Set-Cookie: a=b; Path=/"], []))
      let transport = try kind.make()
      for _ in 0..<2 {
        let response = try await get(server, over: transport)
        #expect(response.isRedirect)
      }
      #expect(other.requests.isEmpty)
      #expect(server.requests.count == 2)
      #expect(server.requests.allSatisfy { !$0.contains("ookie:") })
    }

    @Test(
      "A challenge of any scheme is a response with its body, and nothing is sent after it",
      arguments: [
        #"Basic realm="talks""#, #"Digest realm="talks", nonce="n""#, "Negotiate", "NTLM",
        #"Bearer error="invalid_token""#, "MFP-Challenge", "",
      ], TestedTransport.allCases)
    func challenge(_ challenge: String, kind: TestedTransport) async throws {
      let server = try await replying(
        LoopbackMetadata.response(
          "401 Unauthorized", ["WWW-Authenticate: \(challenge)"], Array("why".utf8)))
      let response = try await get(server, over: kind.make())
      #expect(response.status == 401)
      #expect(response.fields["WWW-Authenticate"] == challenge)
      #expect(response.body == Array("why".utf8))
      #expect(server.requests.count == 1)
    }

    @Test(
      "A time limit may be as long or as short as a duration gets",
      arguments: [Duration.seconds(Int64.max), .milliseconds(1), .zero, .seconds(-1)],
      TestedTransport.allCases)
    func limits(timeout: Duration, kind: TestedTransport) async throws {
      let server = try LoopbackServer()
      server.reply(
        timeout > .seconds(1) ? .octets(LoopbackMetadata.response("200 OK", [], [1])) : .silence)
      try await server.start()
      let transport = try kind.make()
      if timeout > .seconds(1) {
        #expect(try await get(server, over: transport, timeout: timeout).body == [1])
      } else {
        await expect(throws: TokenError(.transportTimeout)) {
          try await get(server, over: transport, timeout: timeout)
        }
      }
    }

    @Test(
      "The body may be as large as allowed and not an octet larger, declared or not (DOS-24)",
      arguments: TestedTransport.allCases)
    func limit(kind: TestedTransport) async throws {
      let body = [UInt8](repeating: 65, count: 100_000)
      let transport = try kind.make()
      let declared = try await replying(LoopbackMetadata.response("200 OK", [], body))
      let undeclared = try await replying(LoopbackMetadata.head("200 OK", []) + body)
      for server in [declared, undeclared] {
        #expect(try await get(server, over: transport, limit: 100_000).body.count == 100_000)
        await expect(throws: TokenError(.transportTooLarge)) {
          try await get(server, over: transport, limit: 99_999)
        }
      }
    }

    @Test(
      "One octet now and then does not keep a request alive (DOS-24)",
      arguments: TestedTransport.allCases)
    func drip(kind: TestedTransport) async throws {
      let server = try LoopbackServer()
      server.reply(.drip(LoopbackMetadata.head("200 OK", [])))
      try await server.start()
      await expect(throws: TokenError(.transportTimeout)) {
        try await get(server, over: kind.make(), timeout: .milliseconds(300))
      }
    }

    @Test(
      "A server that accepts a request and sends nothing runs into the time limit",
      arguments: TestedTransport.allCases)
    func silence(kind: TestedTransport) async throws {
      let server = try LoopbackServer()
      server.reply(.silence)
      try await server.start()
      await expect(throws: TokenError(.transportTimeout)) {
        try await get(server, over: kind.make(), timeout: .milliseconds(300))
      }
    }

    @Test("A closed port is no connection, at once", arguments: TestedTransport.allCases)
    func refused(kind: TestedTransport) async throws {
      let server = try LoopbackServer()
      let error = await expect(throws: TokenError(.transportNoConnection)) {
        try await get(server, over: kind.make())
      }
      #expect(error?.found == "connection refused")
    }

    @Test(
      "A name that stands for no machine is an unknown host", arguments: TestedTransport.allCases)
    func unknownHost(kind: TestedTransport) async throws {
      let transport = try kind.make()
      let error = await expect(throws: TokenError(.transportNoConnection)) {
        try await transport.response(
          to: HTTPRequest(.get, try HTTPURL("https://nobody.localhost.invalid/")))
      }
      #expect(error?.found == "unknown host")
    }

    @Test(
      "What is not HTTP is refused as such",
      arguments: [
        "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 abc OK\r\n\r\n", "<html></html>",
        "HTTP/1.1 200 OK\r\nA\r\n\r\n", "HTTP/1.1 200 OK\r\nA: \u{1}\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      ], TestedTransport.allCases)
    func malformed(octets: String, kind: TestedTransport) async throws {
      let server = try await replying(Array(octets.utf8))
      await expect(throws: TokenError(.transportMalformedResponse)) {
        try await get(server, over: kind.make())
      }
    }

    @Test("A header without an end is refused", arguments: TestedTransport.allCases)
    func endlessHeader(kind: TestedTransport) async throws {
      let server = try LoopbackServer()
      server.reply(.flood(Array("HTTP/1.1 200 OK\r\nA: ".utf8), count: 50_000_000))
      try await server.start()
      let code: TokenError.Code =
        kind == .urlSession ? .transportUnreachable : .transportMalformedResponse
      await expect(throws: TokenError(code)) { try await get(server, over: kind.make()) }
      #expect(server.sent < 25_000_000)
    }

    @Test(
      "A truncated response is an error",
      arguments: [
        "", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
      ], TestedTransport.allCases)
    func brokenOff(octets: String, kind: TestedTransport) async throws {
      let server = try await replying(Array(octets.utf8))
      await expect(throws: TokenError(.transportUnreachable)) {
        try await get(server, over: kind.make())
      }
    }

    @Test("Cancelling ends the request and the connection", arguments: TestedTransport.allCases)
    func cancellation(kind: TestedTransport) async throws {
      let server = try LoopbackServer()
      server.reply(.drip(LoopbackMetadata.head("200 OK", [])))
      try await server.start()
      let transport = try kind.make()
      let task = Task { try await get(server, over: transport, timeout: .seconds(60)) }
      while server.requests.isEmpty { await Task.yield() }
      task.cancel()
      await expect(throws: TokenError(.transportCancelled)) { try await task.value }
      while server.connections > 0 { await Task.yield() }
    }
  }
#endif
