@testable import HTTPExchange
import Testing
import TokenBasics

@Suite("Host and port")
struct HostPortTests {
  @Test(
    "A host or an address with its port is one; an address of IPv6 stands in brackets",
    arguments: [
      ("127.0.0.1:4180", "127.0.0.1", 4180, true), ("[::1]:4180", "::1", 4180, true),
      ("localhost:443", "localhost", 443, true), ("0.0.0.0:1", "0.0.0.0", 1, false),
      ("[::]:65535", "::", 65_535, false), ("gate.example:80", "gate.example", 80, false),
      ("[fe80::1%eth0]:80", "fe80::1%eth0", 80, false), ("my_redis:7", "my_redis", 7, false),
      ("[2001:db8::7]:443", "2001:db8::7", 443, false),
      ("[::ffff:10.0.0.1]:80", "::ffff:10.0.0.1", 80, false),
    ])
  func good(text: String, host: String, port: Int, isLoopback: Bool) throws {
    let place = try HostPort(text)
    #expect(place.host == host && place.port == port && place.isLoopback == isLoopback)
    #expect(place.description == text)
  }

  @Test("A name has at most 253 octets")
  func longest() throws {
    let name = String(repeating: "a", count: 253)
    #expect(try HostPort(name + ":1").host == name)
  }

  @Test("Upper case is lower case, in all but the zone")
  func lowerCase() throws {
    #expect(try HostPort("Gate.EXAMPLE:80").description == "gate.example:80")
    #expect(try HostPort("[FE80::A%Eth0]:80").description == "[fe80::a%Eth0]:80")
  }

  @Test("A port is there to be read, or there is a usual one")
  func usualPort() throws {
    for text in ["store.example", "[::1]"] {
      #expect(throws: HostPort.Refusal.portMissing) { try HostPort(text) }
      #expect(try HostPort(text, usualPort: 6_379).port == 6_379)
    }
    #expect(try HostPort("h:1", usualPort: 6_379).port == 1)
    #expect(throws: HostPort.Refusal.port) { try HostPort("h:", usualPort: 6_379) }
  }

  @Test(
    "Anything else is refused by name",
    arguments: [
      ("", .host), (String(repeating: "a", count: 254) + ":1", .host), ("4180", .portMissing),
      (":4180", .host), ("127.0.0.1", .portMissing),
      ("127.0.0.1:", .port), ("127.0.0.1:0", .port), ("127.0.0.1:65536", .port),
      ("127.0.0.1:000080", .port), ("127.0.0.1:+80", .port), ("127.0.0.1: 80", .port),
      ("::1", .bareIPv6), ("::1:4180", .bareIPv6), ("2001:db8::7", .bareIPv6), ("::", .bareIPv6),
      ("fe80::1%eth0", .bareIPv6), ("[::1]", .portMissing), ("[::1]4180", .port),
      ("[gate]:80", .brackets), ("[127.0.0.1]:80", .brackets), ("[::1", .brackets),
      ("[]:80", .brackets), ("[1:2]:80", .brackets), ("[::1%]:80", .brackets),
      ("a b:80", .host), ("user@host:80", .host), ("host:80/", .port), ("host/:80", .host),
      ("host?:80", .host), ("http://host:80", .port), ("host:80:90", .port), ("hôst:80", .host),
      ("-h:80", .host), (".h:80", .host), ("a..b:80", .host),
    ] as [(String, HostPort.Refusal)])
  func bad(text: String, refusal: HostPort.Refusal) {
    #expect(throws: refusal) { try HostPort(text) }
    // Addresses of the web have no user and no zone either.
    #expect(
      refusal == .portMissing || (try? HTTPURL("https://\(text)")) == nil
        || text.contains { "/?".contains($0) })
  }

  @Test("An origin says where to connect, without brackets")
  func origin() throws {
    #expect(try HTTPURL("https://[::1]:8443/").origin.place == HostPort(host: "::1", port: 8443))
    #expect(try HTTPURL("https://a.example/").origin.place == HostPort("a.example:443"))
  }
}
