#if Client
  import FederationFoundation
  import Foundation
  import HTTPExchange
  import SecrecyTesting
  import TestSupport
  import Testing
  import TokenBasics

  @Suite("Differences of the transport over URLSession")
  struct URLSessionTransportTests {
    func get(
      _ server: LoopbackServer, over transport: any HTTPTransport, limit: Int = 1 << 20
    ) async throws -> HTTPResponse {
      var request = HTTPRequest(.get, try HTTPURL("http://127.0.0.1:\(server.port)/?code=hidden"))
      request.maximumResponseBytes = limit
      return try await transport.response(to: request)
    }

    func replying(_ octets: [UInt8], certificate: String? = nil) async throws -> LoopbackServer {
      let server = try LoopbackServer(certificate: certificate)
      server.reply(.octets(octets))
      try await server.start()
      return server
    }

    @Test("A response compressed without request is decompressed up to the limit (DOS-24)")
    func bomb() async throws {
      let server = try await replying(
        LoopbackMetadata.response("200 OK", ["Content-Encoding: gzip"], GzipBomb.octets))
      await expect(throws: TokenError(.transportTooLarge)) {
        try await get(server, over: URLSessionTransport())
      }
      #expect(server.requests.allSatisfy { $0.contains("Accept-Encoding: identity\r\n") })
    }

    @Test("Fields of one name are joined")
    func repeated() async throws {
      let server = try await replying(
        LoopbackMetadata.response("200 OK", ["X-A: 1", "X-A: 2"], []))
      let answer = try await get(server, over: URLSessionTransport())
      #expect(answer.fields["X-A"] == "1, 2")
    }

    @Test(
      "A server whose certificate the machine does not trust gets no request (RP-7)",
      arguments: ["tls-localhost", "tls-other", "tls-expired", "tls-common-name"])
    func certificates(served: String) async throws {
      let server = try await replying(
        LoopbackMetadata.response("200 OK", [], [7]), certificate: served)
      let error = await expect(throws: TokenError(.transportUntrustedServer)) {
        try await URLSessionTransport().response(
          to: HTTPRequest(.get, HTTPURL("https://localhost:\(server.port)/?code=hidden")))
      }
      #expect(!String(reflecting: error).contains("hidden"))
      #expect(server.requests.isEmpty)
    }

    @Test("A proxy of the environment is an error, unless it is allowed")
    func proxy() async throws {
      // In a process of its own: other tests would use that proxy too.
      await #expect(processExitsWith: .success) {
        let tests = URLSessionTransportTests()
        let server = try await tests.replying(LoopbackMetadata.response("200 OK", [], [1]))
        let proxy = try await tests.replying(LoopbackMetadata.response("200 OK", [], [2]))
        unsafe setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
        let error = await expect(throws: TokenError(.transportProxy)) {
          try await tests.get(server, over: URLSessionTransport())
        }
        #expect(error?.found == "http_proxy")
        #expect(proxy.requests.isEmpty && server.requests.isEmpty)
        #expect(
          try await tests.get(server, over: URLSessionTransport(proxies: .system)).body == [2])
        unsafe setenv("no_proxy", "*", 1)
        #expect(try await tests.get(server, over: URLSessionTransport()).body == [1])
        unsafe unsetenv("no_proxy")
        unsafe unsetenv("http_proxy")
        // CGI sets these capitals from a header, so they are ignored.
        unsafe setenv("HTTP_PROXY", "http://127.0.0.1:\(proxy.port)", 1)
        #expect(try await tests.get(server, over: URLSessionTransport()).body == [1])
      }
    }

    @Test("After shutdown, a transport fails every request and does not trap")
    func shutdown() async throws {
      let server = try LoopbackServer()
      server.reply(.silence)
      try await server.start()
      let transport = URLSessionTransport()
      let waiting = Task { try await get(server, over: transport) }
      while server.requests.isEmpty { await Task.yield() }
      transport.shutdown()
      await expect(throws: TokenError(.transportUnreachable)) { try await waiting.value }
      await expect(throws: TokenError(.transportUnreachable)) {
        try await get(server, over: transport)
      }
    }

    @Test("Concurrent requests get their own responses, and none waits for ever")
    func many() async throws {
      let server = try await replying(LoopbackMetadata.response("200 OK", [], [7]))
      let transport = URLSessionTransport()
      let answers = try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for _ in 0..<200 { group.addTask { try await get(server, over: transport).body } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers == Array(repeating: [7], count: 200))
    }

    @Test("A request that is cancelled before it begins ends too")
    func cancelledEarly() async throws {
      let server = try LoopbackServer()
      server.reply(.silence)
      try await server.start()
      let transport = URLSessionTransport()
      for _ in 0..<100 {
        let task = Task { try await get(server, over: transport) }
        task.cancel()
        await expect(throws: TokenError(.transportCancelled)) { try await task.value }
      }
    }
  }
#endif
