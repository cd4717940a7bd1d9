import AccessControl
import HTTPExchange
import Testing

@Suite("Addresses and methods of the local Access Control Service")
struct RouteTests {
  @Test(
    "An address answers its own methods, and names them to any other",
    arguments: [
      ("/", "GET, HEAD"), ("/v2/wsfederation", "GET"),
      ("/v2/metadata/IdentityProviders.js", "GET, HEAD"),
      ("/FederationMetadata/2007-06/FederationMetadata.xml", "GET, HEAD"),
      ("/.well-known/openid-configuration", "GET, HEAD"), ("/v2/openid/keys", "GET, HEAD"),
      ("/v2/openid/authorize", "GET, POST"), ("/v2/openid/token", "POST"),
      ("/v2/openid/logout", "GET, POST"), ("/v2/OAuth2-13", "POST"),
      ("/v2/OAuth2-13/authorize", "GET"), ("/v2/saml/sso", "GET, POST"),
      ("/v2/saml/slo", "GET, POST"), ("/v2/saml/metadata", "GET, HEAD"),
      ("/v2/sign-in", "GET, POST"),
      ("/v2/continue", "GET"), ("/v2/sign-out", "GET, POST"), ("/WRAPv0.9", "POST"),
      ("/v2/WRAPv0.9/", "POST"),
      ("/admin", "GET"), ("/admin/sign-in", "POST"), ("/admin/rules", "GET, POST"),
      ("/admin/try", "POST"), ("/admin/sign-out", "POST"),
    ])
  func methods(path: String, methods: String) async throws {
    let site = try SiteFixture().site
    let refused = await site.respond(to: WebRequest(method: "DELETE", path: path))
    #expect(refused.status == 405 && refused.fields["Allow"] == methods, "\(path)")
    #expect(refused.text.contains("ACS90007"), "\(path)")
    for method in methods.split(separator: ", ") {
      let answer = await site.respond(to: WebRequest(method: String(method), path: path))
      #expect(![404, 405].contains(answer.status), "\(method) \(path)")
    }
  }

  @Test("The front page links to the relying parties to which a browser can be sent back")
  func front() async throws {
    let page = try await SiteFixture().get("/").text
    #expect(page.contains("wtrealm=uri%3Atalks.example.org") && page.contains("link Talks "))
    #expect(!page.contains("urn%3Asp") && !page.contains("link urn:sp "), "\(page)")
  }

  @Test("Who is not let in is told how to ask, once; other answers have no challenge")
  func oneChallenge() async throws {
    let site = try SiteFixture().site
    for (method, path, status) in [
      ("GET", "/", 200), ("GET", "/v2/wsfederation", 400), ("GET", "/nothing", 404),
      ("DELETE", "/v2/openid/token", 405), ("GET", "/v2/openid/userinfo", 401),
      ("POST", "/v2/openid/token", 400), ("POST", "/v2/openid/introspect", 400),
    ] {
      let answer = await site.respond(
        to: WebRequest(
          method: method, path: path, contentType: "application/x-www-form-urlencoded"))
      let challenges = answer.fields.values("WWW-Authenticate").count
      #expect(challenges == (answer.status == 401 ? 1 : 0), "\(path): \(answer.status)")
      #expect(answer.status == status || path.hasPrefix("/v2/openid/"), "\(path): \(answer.status)")
    }
    let wrong = try await SiteFixture().post(
      "/WRAPv0.9", [("wrap_name", "x"), ("wrap_password", "y")])
    #expect(wrong.fields.values("WWW-Authenticate").count == (wrong.status == 401 ? 1 : 0))
  }

  @Test("SOAP has no status of its own for a method; its clients read the fault")
  func soap() async throws {
    let site = try SiteFixture().site
    let path = "/v2/wstrust/13/username"
    let refused = await site.respond(to: WebRequest(method: "GET", path: path))
    #expect(refused.status == 400 && refused.text.contains("ACS90007"))
    let asked = await site.respond(to: WebRequest(method: "POST", path: path))
    #expect(asked.text.contains("ACS10000"))
  }

  @Test(
    "What is no address is not found, whatever the method",
    arguments: ["/admin/rule", "/admin/", "/v2", "/v2/openid"])
  func unknown(path: String) async throws {
    let site = try SiteFixture().site
    for method in ["GET", "POST", "DELETE"] {
      let answer = await site.respond(to: WebRequest(method: method, path: path))
      // A slash at the end is no part of an address.
      #expect((answer.status == 404) == (path != "/admin/"), "\(method) \(path)")
    }
  }

  @Test("Each protocol says how programs authenticate at its address")
  func challenges() async throws {
    let fixture = try SiteFixture()
    for (path, fields, challenge) in [
      ("/v2/openid/token", [("client_id", "nobody")], "Basic realm=\"acs\", charset=\"UTF-8\""),
      (
        "/WRAPv0.9",
        [("wrap_scope", "app"), ("wrap_name", "x"), ("wrap_password", "x")], "WRAP"
      ),
      (
        "/v2/OAuth2-13",
        [
          ("grant_type", "client_credentials"), ("scope", "app"), ("client_id", "x"),
          ("client_secret", "x"),
        ], "Bearer realm=\"acs\""
      ),
    ] {
      let refused = try await fixture.post(path, fields)
      #expect(refused.status == 401, "\(path)")
      #expect(refused.fields["WWW-Authenticate"] == challenge, "\(path)")
    }
  }
}
