import HTTPExchange
import SignInAttack
import TestSupport
import Testing

@Suite("Where the driver sends requests")
struct ConsentTests {
  private func fixture(_ service: @escaping AttackFixture.Service) throws -> AttackFixture {
    try AttackFixture(AttackFixture.configuration(start: "/login", probe: "/me"), service)
  }

  @Test("A redirect beyond the origins of the file is not followed")
  func redirects() async throws {
    let fixture = try fixture { _ in .redirect("https://elsewhere.example/") }
    var browser = fixture.browser()
    await #expect(throws: TokenError(.attackOrigin)) {
      _ = try await browser.begin(at: fixture.configuration.start)
    }
    #expect(fixture.transport.requests.map(\.url.origin.host) == ["127.0.0.1"])
  }

  @Test("Neither is one to another port of the same host")
  func ports() async throws {
    let fixture = try fixture { _ in .redirect("http://127.0.0.1:9999/") }
    var browser = fixture.browser()
    await #expect(throws: TokenError(.attackOrigin)) {
      _ = try await browser.begin(at: fixture.configuration.start)
    }
    #expect(fixture.transport.requests.count == 1)
  }

  @Test("A form that would post itself beyond them is not posted")
  func forms() async throws {
    let fixture = try fixture { _ in
      .of(
        200, "text/html",
        "<form method=post action='https://elsewhere.example/'><input name=SAMLRequest value=a></form>"
      )
    }
    var browser = fixture.browser()
    await #expect(throws: TokenError(.attackOrigin)) {
      _ = try await browser.begin(at: fixture.configuration.start)
    }
    #expect(fixture.transport.requests.count == 1)
  }

  @Test("A redirect inside of them is followed")
  func inside() async throws {
    let fixture = try fixture { request in
      request.path == "/login" ? .redirect("/next") : .redirect(AttackFixture.issuer + "/sso?a=1")
    }
    var browser = fixture.browser()
    #expect(try await browser.begin(at: fixture.configuration.start).query == "a=1")
    #expect(fixture.transport.requests.map(\.url.path) == ["/login", "/next"])
  }

  @Test("Requests to the provider are not sent over the network")
  func provider() async throws {
    let fixture = try fixture { _ in .redirect(AttackFixture.issuer + "/sso?a=1") }
    var browser = fixture.browser()
    _ = try await browser.begin(at: fixture.configuration.start)
    #expect(fixture.transport.requests.allSatisfy { $0.url.origin.port == 8080 })
  }

  @Test("A service that wants its answer elsewhere gets none")
  func consumer() async throws {
    let configuration = try AttackFixture.configuration(.wsFederation)
    func request(_ reply: String) -> WebRequest {
      WebRequest(
        method: "GET", path: "/sso", query: "wa=wsignin1.0&wtrealm=urn%3Aapp&wreply=" + reply)
    }
    #expect(throws: TokenError(.attackOrigin)) {
      try SignInRequest(reading: request("https%3A%2F%2Felsewhere.example%2F"), configuration)
    }
    let own = try SignInRequest(
      reading: request("http%3A%2F%2F127.0.0.1%3A8080%2Facs"), configuration)
    #expect(own.consumer.path == "/acs" && own.audience == "urn:app")
  }

  @Test("A chain of redirects ends")
  func endless() async throws {
    let fixture = try fixture { _ in .redirect("/login") }
    var browser = fixture.browser()
    await #expect(throws: TokenError(.attackNoRequest)) {
      _ = try await browser.begin(at: fixture.configuration.start)
    }
    #expect(fixture.transport.requests.count == 25)
  }

  @Test("A page in front of the provider is filled in once")
  func login() async throws {
    var configuration = try AttackFixture.configuration(start: "/login", probe: "/me")
    configuration.login = [("organisation", "test")]
    let page =
      "<form method=post action=/choose><input name=organisation><input type=hidden name=t value=1></form>"
    let fixture = try AttackFixture(configuration) { request in
      request.method == "POST"
        && String(decoding: request.body, as: UTF8.self) == "organisation=test&t=1"
        ? .redirect(AttackFixture.issuer + "/sso?a=1") : .of(200, "text/html", page)
    }
    var browser = fixture.browser()
    #expect(try await browser.begin(at: fixture.configuration.start).query == "a=1")
    let refusing = try AttackFixture(configuration) { _ in
      .of(200, "text/html", page.replacing("/choose", with: "/login"))
    }
    browser = refusing.browser()
    await #expect(throws: TokenError(.attackNoRequest)) {
      _ = try await browser.begin(at: fixture.configuration.start)
    }
    #expect(refusing.transport.requests.count == 2)
  }
}
