#if Client
  import FederationNetwork
  import HTTPExchange
  import SecrecyTesting
  import TestSupport
  import Testing
  import TokenErrors

  @Suite("A transport that connects to this machine's loopback alone")
  struct LoopbackRuleTests {
    @Test(
      "The address that was connected to decides, not the name",
      arguments: [
        "10.0.0.1", "169.254.169.254", "128.0.0.1", "0.0.0.0", "::2", "fe80::1", "localhost", "",
      ])
    func others(address: String) {
      expect(throws: TokenError(.transportNotLoopback)) {
        try LoopbackConnectionRule.check(address)
      }
    }

    @Test("A connection without an address is refused")
    func nothing() {
      expect(throws: TokenError(.transportNotLoopback)) { try LoopbackConnectionRule.check(nil) }
    }

    @Test(
      "Loopback is every address of 127.0.0.0/8, and ::1",
      arguments: ["127.0.0.1", "127.8.8.8", "::1"])
    func own(address: String) throws { try LoopbackConnectionRule.check(address) }

    @Test("A server on loopback is reached")
    func reached() async throws {
      let server = try LoopbackServer()
      server.reply(.octets(LoopbackMetadata.response("200 OK", [], [1])))
      try await server.start()
      var configuration = TransportConfiguration()
      configuration.isLoopbackOnly = true
      let response = try await AsyncHTTPClientTransport(configuration).response(
        to: HTTPRequest(.get, HTTPURL("http://localhost:\(server.port)/")))
      #expect(response.body == [1])
    }
  }
#endif
