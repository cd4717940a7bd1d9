import HTTPExchange
import SignInAttack
import TestSupport
import Testing

@Suite("The cookies of the browser")
struct BrowserCookiesTests {
  private let now = AdvancingTime().now

  /// What goes with a request after a response with these fields.
  private func sent(
    _ fields: [String], from: String = "https://app.example/a/b",
    to: String = "https://app.example/a/c",
    by initiator: String? = nil, _ method: HTTPMethod = .get
  ) throws -> String? {
    var cookies = BrowserCookies()
    var response = HTTPResponse(status: 200)
    for field in fields { try response.fields.append("Set-Cookie", field) }
    cookies.take(response, from: try HTTPURL(from), at: now)
    return cookies.field(
      for: try HTTPURL(to), from: try initiator.map { try HTTPURL($0).origin }, by: method)
  }

  @Test("A cookie goes back to its host and to no other")
  func host() throws {
    #expect(try sent(["a=1"]) == "a=1")
    #expect(try sent(["a=1"], to: "https://other.example/a/c") == nil)
    #expect(try sent(["a=1"], to: "https://sub.app.example/a/c") == nil)
  }

  @Test("Domain widens to the hosts below, and never to another domain or a whole one")
  func domain() throws {
    #expect(try sent(["a=1; Domain=app.example"], to: "https://sub.app.example/a/") == "a=1")
    #expect(try sent(["a=1; Domain=.app.example"], to: "https://sub.app.example/a/") == "a=1")
    #expect(try sent(["a=1; Domain=other.example"]) == nil)
    #expect(try sent(["a=1; Domain=example"], to: "https://sub.app.example/a/") == nil)
  }

  @Test("Of ten thousand cookies a hundred are kept, the last ones")
  func many() throws {
    let sent = try #require(try sent((0..<10_000).map { "a\($0)=1" }))
    #expect(sent.split(separator: ";").count == 100)
    #expect(sent.hasPrefix("a9900=1") && sent.hasSuffix("a9999=1"))
  }

  @Test("Path keeps a cookie below its folder")
  func path() throws {
    #expect(try sent(["a=1"], to: "https://app.example/other") == nil)
    #expect(try sent(["a=1; Path=/"], to: "https://app.example/other") == "a=1")
    #expect(try sent(["a=1; Path=/a"], to: "https://app.example/ab") == nil)
    #expect(try sent(["a=1; Path=/a"], to: "https://app.example/a/b/c") == "a=1")
  }

  @Test("The cookie with the longer path is sent first")
  func order() throws {
    #expect(try sent(["a=1; Path=/", "a=2; Path=/a"]) == "a=2; a=1")
  }

  @Test("Secure needs https, or loopback")
  func secure() throws {
    #expect(try sent(["a=1; Secure"]) == "a=1")
    let loopback = "http://127.0.0.1:8080/"
    #expect(try sent(["a=1; Secure"], from: loopback, to: loopback) == "a=1")
  }

  @Test("A prefix of a name is kept to what it promises")
  func prefixes() throws {
    #expect(try sent(["__Host-a=1; Secure; Path=/"]) == "__Host-a=1")
    #expect(try sent(["__Host-a=1; Secure"]) == nil)
    #expect(try sent(["__Host-a=1; Secure; Path=/; Domain=app.example"]) == nil)
    #expect(try sent(["__Secure-a=1"]) == nil)
    #expect(try sent(["__Secure-a=1; Secure"]) == "__Secure-a=1")
  }

  @Test("Lax goes with a link of another site and not with its form")
  func lax() throws {
    let site = "https://idp.test/"
    #expect(try sent(["a=1; SameSite=Lax"], by: site) == "a=1")
    #expect(try sent(["a=1; SameSite=Lax"], by: site, .post) == nil)
    #expect(try sent(["a=1; SameSite=Lax"], by: "https://idp.app.example/", .post) == "a=1")
  }

  @Test("Strict goes with nothing that another site leads to")
  func strict() throws {
    #expect(try sent(["a=1; SameSite=Strict"], by: "https://idp.test/") == nil)
    #expect(try sent(["a=1; SameSite=Strict"], by: "https://app.example/") == "a=1")
    #expect(try sent(["a=1; SameSite=Strict"]) == "a=1")
  }

  @Test("None has to be Secure, and goes with a form of another site")
  func none() throws {
    #expect(try sent(["a=1; SameSite=None; Secure"], by: "https://idp.test/", .post) == "a=1")
    #expect(try sent(["a=1; SameSite=None"]) == nil)
  }

  @Test("Another port is the same site, another scheme or address is none")
  func sites() throws {
    func isSame(_ one: String, _ other: String) throws -> Bool {
      BrowserCookies.isSameSite(try HTTPURL(one).origin, try HTTPURL(other).origin)
    }
    #expect(try isSame("http://127.0.0.1:1/", "http://127.0.0.1:2/"))
    #expect(try !isSame("http://127.0.0.1/", "http://localhost/"))
    #expect(try !isSame("https://localhost/", "http://localhost/"))
    #expect(try isSame("https://a.app.example/", "https://b.app.example/"))
    #expect(try !isSame("https://127.0.0.1/", "https://10.0.0.1/"))
  }

  @Test("A later cookie replaces, and one that is over removes")
  func ends() throws {
    #expect(try sent(["a=1", "a=2"]) == "a=2")
    #expect(try sent(["a=1", "a=; Max-Age=0"]) == nil)
    #expect(try sent(["a=1", "a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"]) == nil)
    #expect(try sent(["a=1; Expires=Thu, 01-Jan-2099 00:00:00 GMT"]) == "a=1")
    #expect(try sent(["a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT"]) == "a=1")
  }

  @Test("A dump shows no value")
  func secrecy() throws {
    var cookies = BrowserCookies()
    var response = HTTPResponse(status: 200)
    try response.fields.append("Set-Cookie", "session=hidden-value")
    cookies.take(response, from: try HTTPURL("https://app.example/"), at: now)
    #expect("\(cookies)" == "cookies session")
    #expect(Mirror(reflecting: cookies).children.isEmpty)
  }
}
