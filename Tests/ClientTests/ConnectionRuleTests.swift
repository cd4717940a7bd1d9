#if Client
  import FederationNetwork
  import HTTPExchange
  import SecrecyTesting
  import TestSupport
  import Testing
  import TokenBasics

  @Suite("A transport that connects to this machine's loopback alone")
  struct LoopbackRuleTests {
    @Test(
      "The address that was connected to decides, not the name",
      arguments: [
        "10.0.0.1", "169.254.169.254", "128.0.0.1", "0.0.0.0", "::2", "fe80::1", "localhost", "",
      ])
    func others(address: String) {
      expect(throws: TokenError(.transportNotLoopback)) {
        try ConnectionRule.check(address, .loopback)
      }
    }

    @Test("A connection without an address is refused")
    func nothing() {
      expect(throws: TokenError(.transportNotLoopback)) { try ConnectionRule.check(nil, .loopback) }
    }

    @Test(
      "Loopback is every address of 127.0.0.0/8, and ::1",
      arguments: ["127.0.0.1", "127.8.8.8", "::1"])
    func own(address: String) throws { try ConnectionRule.check(address, .loopback) }

    @Test("A server on loopback is reached")
    func reached() async throws {
      let server = try LoopbackServer()
      server.reply(.octets(LoopbackMetadata.response("200 OK", [], [1])))
      try await server.start()
      var configuration = TransportConfiguration()
      configuration.reach = .loopback
      let response = try await AsyncHTTPClientTransport(configuration).response(
        to: HTTPRequest(.get, HTTPURL("http://localhost:\(server.port)/")))
      #expect(response.body == [1])
    }
  }

  @Suite("A transport that connects to machines of the internet alone")
  struct InternetRuleTests {
    @Test(
      "An address within a network of its own is refused, whatever name leads there",
      arguments: [
        "10.0.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.168.1.1",
        "100.64.0.1", "100.127.255.255", "0.0.0.0", "192.0.2.1", "198.18.0.1", "198.19.255.255",
        "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fd00::1",
        "fc00::1", "ff02::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::10.0.0.1",
        "2002:7f00:1::1", "2001:db8::1", "2001::1", "2001:1ff::1", "3fff::1", "3fff:fff:ffff::1",
        "64:ff9b:0:1::808:808", "1fff:ffff::1", "4000::1", "localhost", "",
      ])
    func inside(address: String) {
      expect(throws: TokenError(.transportNotPublic)) {
        try ConnectionRule.check(address, .internet)
      }
    }

    @Test("A connection without an address is refused")
    func nothing() {
      expect(throws: TokenError(.transportNotPublic)) { try ConnectionRule.check(nil, .internet) }
    }

    @Test(
      "The addresses beside those ranges are the internet's",
      arguments: [
        "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "128.0.0.1", "172.15.255.255",
        "172.32.0.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
        "223.255.255.255", "2001:200::1", "2606:4700::1", "3fff:1000::1", "::ffff:8.8.8.8",
        "64:ff9b::8.8.8.8", "2002:808:808::1",
      ])
    func outside(address: String) throws { try ConnectionRule.check(address, .internet) }

    @Test("A name that leads to this machine gets no request; without the rule the server has it")
    func reached() async throws {
      let server = try LoopbackServer()
      server.reply(.octets(LoopbackMetadata.response("200 OK", [], [1])))
      try await server.start()
      let request = HTTPRequest(.get, try HTTPURL("http://localhost:\(server.port)/"))
      var configuration = TransportConfiguration()
      configuration.reach = .internet
      await expect(throws: TokenError(.transportNotPublic)) {
        try await AsyncHTTPClientTransport(configuration).response(to: request)
      }
      #expect(server.requests.isEmpty)
      #expect(try await AsyncHTTPClientTransport().response(to: request).status == 200)
      #expect(server.requests.count == 1)
    }
  }
#endif
