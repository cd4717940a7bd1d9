import AccessControl
import HTTPExchange
import TestSupport
import Testing

@Suite("Scripts of other origins at the local Access Control Service (CORS)")
struct CrossOriginTests {
  private let fixture: SiteFixture

  init() throws { fixture = try SiteFixture() }

  private func send(
    _ method: String, _ path: String, _ fields: [(String, String)]
  ) async throws -> HTTPExchange.HTTPResponse {
    await fixture.site.respond(
      to: WebRequest(method: method, path: path, fields: try HTTPFields(fields)))
  }

  private static let own = "https://client.example"

  @Test(
    "What is public is for any page; tokens are for pages of registered origins; sign-in is for none"
  )
  func readers() async throws {
    for (path, origin, allowed) in [
      ("/.well-known/openid-configuration", "https://evil.example", "*"),
      ("/v2/openid/keys", "https://evil.example", "*"),
      ("/v2/openid/token", Self.own, Self.own), ("/v2/openid/token", "https://evil.example", nil),
      ("/v2/openid/userinfo", Self.own, Self.own), ("/v2/openid/revoke", "null", nil),
      ("/v2/openid/authorize", Self.own, nil), ("/v2/openid/introspect", Self.own, nil),
      ("/", Self.own, nil),
    ] as [(String, String, String?)] {
      for method in ["GET", "POST"] {
        let response = try await send(method, path, [("Origin", origin)])
        #expect(response.fields["Access-Control-Allow-Origin"] == allowed, "\(path) \(origin)")
        #expect(response.fields["Access-Control-Allow-Credentials"] == nil)
      }
    }
    let plain = try await send("GET", "/v2/openid/keys", [])
    #expect(plain.fields["Access-Control-Allow-Origin"] == nil)
  }

  @Test("A preflight is answered where the request would be readable, and nowhere else")
  func preflights() async throws {
    let asked = [("Access-Control-Request-Method", "GET")]
    let good = try await send("OPTIONS", "/v2/openid/userinfo", asked + [("Origin", Self.own)])
    #expect(good.status == 204 && good.fields["Access-Control-Allow-Origin"] == Self.own)
    #expect(good.fields["Access-Control-Allow-Headers"] == "Authorization, Content-Type")
    #expect(good.fields["Vary"] == "Origin")
    for (path, fields) in [
      ("/v2/openid/userinfo", asked + [("Origin", "https://evil.example")]),
      ("/v2/openid/authorize", asked + [("Origin", Self.own)]),
      ("/v2/openid/userinfo", [("Origin", Self.own)]),
    ] {
      #expect(try await send("OPTIONS", path, fields).status == 405, "\(path)")
    }
  }
  @Test(
    "`origins` of a party open the token endpoint, UserInfo and revocation to its pages, and nothing else"
  )
  func origins() async throws {
    let page = "https://pages.example:8443"
    let origin = try HTTPURL(page + "/").origin
    for isListed in [true, false] {
      let fixture = try OAuthFixture { parties in
        if isListed { parties[0].origins = [origin] }
      }
      func answer(
        _ path: String, _ sender: String, method: String = "POST"
      ) async throws -> HTTPExchange.HTTPResponse {
        await fixture.site.site.respond(
          to: WebRequest(
            method: method, path: path,
            fields: try HTTPFields([("Origin", sender), ("Access-Control-Request-Method", "POST")]))
        )
      }
      for path in ["/v2/openid/token", "/v2/openid/userinfo", "/v2/openid/revoke"] {
        let allowed = isListed ? page : nil
        let response = try await answer(path, page)
        #expect(response.fields["Access-Control-Allow-Origin"] == allowed, "\(path)")
        #expect(response.fields["Access-Control-Allow-Credentials"] == nil)
        let preflight = try await answer(path, page, method: "OPTIONS")
        #expect(preflight.status == (isListed ? 204 : 405), "\(path)")
        #expect(preflight.fields["Access-Control-Allow-Origin"] == allowed, "\(path)")
        // Another port is another origin.
        let other = try await answer(path, "https://pages.example")
        #expect(other.fields["Access-Control-Allow-Origin"] == nil, "\(path)")
      }
      for path in ["/v2/openid/authorize", "/v2/openid/introspect", "/v2/openid/par"] {
        for method in ["GET", "POST", "OPTIONS"] {
          let response = try await answer(path, page, method: method)
          #expect(response.fields["Access-Control-Allow-Origin"] == nil, "\(path) \(method)")
        }
      }
    }
  }
}
