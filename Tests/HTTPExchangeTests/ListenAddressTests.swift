import HTTPExchange
import Testing

@Suite("Addresses to listen at")
struct ListenAddressTests {
  @Test(
    "A host or an address with its port is one; an address of IPv6 stands in brackets",
    arguments: [
      ("127.0.0.1:4180", "127.0.0.1", 4180, true), ("[::1]:4180", "::1", 4180, true),
      ("localhost:443", "localhost", 443, true), ("0.0.0.0:1", "0.0.0.0", 1, false),
      ("[::]:65535", "::", 65_535, false), ("gate.example:80", "gate.example", 80, false),
    ])
  func good(text: String, host: String, port: Int, isLoopback: Bool) throws {
    let address = try #require(ListenAddress(text))
    #expect(address.host == host && address.port == port && address.isLoopback == isLoopback)
    #expect(address.description == text)
  }

  @Test(
    "Anything else is none",
    arguments: [
      "", "4180", ":4180", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536",
      "127.0.0.1:+80", "127.0.0.1: 80", "::1:4180", "[::1]", "[::1]4180", "[gate]:80", "a b:80",
      "user@host:80", "host:80/", "host/:80", "host?:80", "http://host:80", "host:80:90", "hôst:80",
    ])
  func bad(text: String) {
    #expect(ListenAddress(text) == nil)
  }
}
