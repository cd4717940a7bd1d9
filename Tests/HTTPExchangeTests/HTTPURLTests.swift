import HTTPExchange
import Testing
import TokenBasics

@Suite("HTTP addresses")
struct HTTPURLTests {
  @Test(
    "A plain address is read, its host in lower case and its default port filled in",
    arguments: [
      ("https://idp.example", "https://idp.example", "/", 443),
      ("HTTPS://IDP.Example:8443/a/b?c=d&e", "https://idp.example:8443", "/a/b?c=d&e", 8443),
      ("http://127.0.0.1:8080/x", "http://127.0.0.1:8080", "/x", 8080),
      ("http://[::1]:8080", "http://[::1]:8080", "/", 8080),
      ("http://127.0.0.9/x%2F%c3%A9", "http://127.0.0.9", "/x%2F%c3%A9", 80),
      ("http://127.255.0.10/", "http://127.255.0.10", "/", 80),
      ("http://localhost?x=%20", "http://localhost", "/?x=%20", 80),
    ])
  func reads(text: String, origin: String, target: String, port: Int) throws {
    let url = try HTTPURL(text)
    #expect(url.origin.description == origin)
    #expect(url.target == target)
    #expect(url.origin.port == port)
  }

  @Test(
    "An address that two parsers could read differently is rejected",
    arguments: [
      "", "idp.example", "//idp.example/", "https:idp.example", "https:///idp.example",
      "ftp://idp.example/", "file:///etc/passwd", "javascript:alert(1)",
      "https://rp.example@evil.example/", "https://rp.example\\@evil.example/",
      "https://rp.example\\evil.example", "https://rp.example%2f@evil.example",
      "https://ex\u{AD}ample.com/", "https://exämple.com/", "https://rp.example:0/",
      "https://rp.example:65536/", "https://rp.example:/", "https://rp.example:8 0/",
      "https://rp.example/#fragment", "https://rp.example/a b", "https://rp.example/\r\nX: y",
      "https://rp.example/\u{0}", "https://rp.example/a\u{7F}b", "https://.example/",
      "https://a..b/", "https://[::1", "https://",
      "https1.example/", "https://[fe80::1%25eth0]/", "https://idp.example/?a=b<c",
      "https://idp.example/%", "https://idp.example/%2", "https://idp.example/%zz",
      "https://idp.example/a%2g?b", "https://idp.example/?a=100%", "https://idp.example/?a=%u0041",
    ])
  func refuses(text: String) {
    #expect(throws: TokenError(.transportMalformedAddress)) { try HTTPURL(text) }
  }

  @Test(
    "Plain http is for loopback only",
    arguments: [
      "http://idp.example/", "http://127.0.0.1.evil.example/", "http://127.0.0.256/",
      "http://localhost.evil.example/", "http://0.0.0.0/", "http://169.254.169.254/",
      "http://127.0.0.09/", "http://127.0.0.01/", "http://127.00.0.1/", "http://0127.0.0.1/",
      "http://127.1/", "http://127/", "http://2130706433/", "http://0x7f000001/",
      "http://0x7f.0.0.1/", "http://127.0.0.0x1/", "http://017700000001/", "http://127.0.0.1./",
      "http://localhost./", "http://[::ffff:127.0.0.1]/",
    ])
  func refusesPlainHTTP(text: String) {
    #expect(throws: TokenError(.transportInsecureAddress)) { try HTTPURL(text) }
  }

  @Test("Parameters are percent-encoded, and no description shows them")
  func addsParameters() throws {
    let url = try HTTPURL("https://idp.example/a?x=1").adding([("wctx", "a+b c&d=é"), ("y", "")])
    #expect(url.text == "https://idp.example/a?x=1&wctx=a%2Bb%20c%26d%3D%C3%A9&y=")
    #expect(url.description == "https://idp.example/a?…")
    #expect(throws: TokenError(.transportMalformedAddress)) { try url.at(path: "/b%4") }
    #expect(try url.at(path: "/b?z=1").text == "https://idp.example/b?z=1")
  }
}
