import HTTPExchange
import RegistryTesting
import SecurityKeys
import SignIn
import TestSupport
import Testing

@Suite("The OpenID routes of a site")
struct OpenIDSiteTests {
  private struct CodePages: PageRenderer {
    func html(_ page: SitePage) -> (html: String, policy: String) {
      if case .refusal(let refusal) = page { (refusal.code, "") } else { ("page", "") }
    }
  }

  private let fixture: OpenIDFixture
  private let site: SignInSite
  private let observer = RecordingObserver()

  init() throws {
    fixture = try OpenIDFixture()
    let address = try HTTPURL(ScriptedProvider.redirectURI)
    let prefix = String(address.path.dropLast("openid/callback".count))
    site = try SignInSite(
      SiteSettings(origin: address.origin, prefix: prefix),
      providers: [SignInProvider(id: "op", name: "OP", openID: try fixture.party())],
      pages: CodePages(), clock: fixture.time, observer: observer)
  }

  private func get(
    _ route: String, query: String? = nil, cookies: [String] = []
  ) async throws -> HTTPResponse {
    let cookie = [
      ("Cookie", cookies.map { String($0.prefix { $0 != ";" }) }.joined(separator: "; "))
    ]
    return await site.respond(
      to: WebRequest(
        method: "GET", path: site.settings.prefix + route, query: query,
        fields: try HTTPFields(cookies.isEmpty ? [] : cookie)))
  }

  @Test(
    "A double click sends the code twice: who is signed in goes on, whoever is not gets the code")
  func doubleClick() async throws {
    let begun = try await get("sign-in", query: "return=%2Fpage")
    let pending = begun.fields.values("Set-Cookie").filter { $0.contains("signin-") }
    let location = try HTTPURL(try #require(begun.fields["Location"]))
    let answer = try fixture.provider.authorize(.redirect(location))
    let first = try await get("openid/callback", query: answer.query, cookies: pending)
    #expect(first.status == 303 && first.fields["Location"] == "/page")
    let session = first.fields.values("Set-Cookie").filter { $0.contains("session=") }
    let second = try await get("openid/callback", query: answer.query, cookies: pending + session)
    #expect(second.status == 303 && second.fields["Location"] == "/")
    let kept = first.fields.values("Set-Cookie").filter { $0.hasPrefix("__Host-signin-") }
    let third = try await get("openid/callback", query: answer.query, cookies: kept + session)
    #expect(third.status == 303 && third.fields["Location"] == "/page")
    let stranger = try await get("openid/callback", query: answer.query, cookies: pending)
    #expect(String(decoding: stranger.body, as: UTF8.self) == "signin.refused")
  }

  @Test("A provider that refuses the code of a later sign-in is not taken for a double click")
  func refusedStepUp() async throws {
    func begin(_ cookies: [String]) async throws -> (answer: WebRequest, pending: [String]) {
      let begun = try await get("sign-in", query: "return=%2Fadmin", cookies: cookies)
      let location = try HTTPURL(try #require(begun.fields["Location"]))
      let answer = try fixture.provider.authorize(
        .redirect(location), code: "code-\(cookies.count)")
      return (answer, begun.fields.values("Set-Cookie").filter { $0.contains("signin-") })
    }
    let (answer, pending) = try await begin([])
    let first = try await get("openid/callback", query: answer.query, cookies: pending)
    let session = first.fields.values("Set-Cookie").filter { $0.contains("session=") }
    #expect(first.status == 303 && !session.isEmpty)
    fixture.time.advance(bySeconds: 30)
    let later = try await begin(session)
    fixture.provider.change {
      $0.replaced["/token"] = .json("{\"error\":\"invalid_grant\"}", status: 400)
    }
    let refused = try await get(
      "openid/callback", query: later.answer.query, cookies: later.pending + session)
    #expect(refused.status == 400)
    #expect(String(decoding: refused.body, as: UTF8.self) == "signin.refused")
    // The answer that made the session, sent again, still leads on.
    let again = try await get("openid/callback", query: answer.query, cookies: pending + session)
    #expect(again.status == 303 && again.fields["Location"] == "/")
  }

  @Test("What is fetched for a sign-in is in the trace of its request")
  func trace() async throws {
    let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    let seen = Mutexed([String]())
    let inner = fixture.transport
    let transport = ScriptedTransport { (request) throws(TokenError) in
      if let trace = request.sentFields["traceparent"] {
        seen.withLock { $0.append("\(request.url.path) \(trace)") }
      }
      return try await inner.response(to: request)
    }
    var client = OpenIDClient(
      clientID: ScriptedProvider.clientID, authentication: .basic(Secret("s3cret:&+ ü")),
      redirectURI: try HTTPURL(ScriptedProvider.redirectURI))
    client.userInfo = .always
    let party = try OpenIDRelyingParty(client, provider: fixture.registry, transport: transport)
    let traced = try SignInSite(
      site.settings, providers: [SignInProvider(id: "op", name: "OP", openID: party)],
      pages: CodePages(), clock: fixture.time)
    let begun = await traced.respond(
      to: WebRequest(method: "GET", path: site.settings.prefix + "sign-in", query: "return=%2F"))
    let answer = try fixture.provider.authorize(
      .redirect(try HTTPURL(try #require(begun.fields["Location"]))))
    let cookies = begun.fields.values("Set-Cookie").map { String($0.prefix { $0 != ";" }) }
    let finished = await traced.respond(
      to: WebRequest(
        method: "GET", path: site.settings.prefix + "openid/callback", query: answer.query,
        fields: try HTTPFields([
          ("Cookie", cookies.joined(separator: "; ")), ("traceparent", text),
        ])))
    #expect(finished.status == 303)
    #expect(seen.current == ["/tenant/token \(text)", "/tenant/userinfo \(text)"])
  }

  @Test("Of the addresses without the provider's name there are two; any other is nothing")
  func oldAddresses() async throws {
    for route in [
      "openid", "openid/other", "openid/callback/x", "other/callback", "openid/op/other",
      "openid/stranger/callback",
    ] {
      #expect(try await get(route).status == 404, "\(route)")
    }
    for route in ["openid/callback", "openid/op/callback"] {
      let response = try await get(route)
      #expect(String(decoding: response.body, as: UTF8.self) == "signin.unsolicited", "\(route)")
    }
    #expect(try await get("openid/logout").status == 405)
  }

  @Test("Keys are published where there are some, and nowhere else")
  func keys() async throws {
    #expect(try await get("openid/op/keys").status == 404)
    #expect(try await get("openid/keys").status == 404)
    let key = try SigningKey(PrivateKey(pemOrDER: TestVector.bytes("keys/rp-ec256.key")))
    let party = try fixture.party { $0.authentication = .privateKey(key) }
    let other = try SignInSite(
      site.settings, providers: [SignInProvider(id: "op", name: "OP", openID: party)],
      pages: CodePages(), clock: fixture.time)
    let response = await other.respond(
      to: WebRequest(method: "GET", path: site.settings.prefix + "openid/op/keys"))
    #expect(response.status == 200 && response.fields["Content-Type"] == "application/jwk-set+json")
    #expect(String(decoding: response.body, as: UTF8.self).contains(key.publicKey.thumbprint))
  }

  @Test("A provider that cannot be used is 503 with a code, before anybody is sent there")
  func incompatible() async throws {
    fixture.provider.change {
      $0.discovery["id_token_signing_alg_values_supported"] = "[\"HS256\"]"
    }
    let response = try await get("sign-in")
    #expect(response.status == 503)
    #expect(String(decoding: response.body, as: UTF8.self) == "signin.incompatible-provider")
    let found = site.providers[0].method.incompatibilities(at: fixture.time.now)
    #expect(found.map(\.preventsSignIn) == [true])
  }

  @Test("Each route that works for long is an activity, with its outcome and without its secrets")
  func activities() async throws {
    let begun = try await get("sign-in")
    let pending = begun.fields.values("Set-Cookie").filter { $0.contains("signin-") }
    let location = try HTTPURL(try #require(begun.fields["Location"]))
    let answer = try fixture.provider.authorize(.redirect(location), code: "a-secret-code")
    _ = try await get("openid/callback", query: answer.query, cookies: pending)
    _ = try await get("openid/callback", query: "code=a-secret-code&state=x")
    #expect(observer.lines.contains("signin.begin  ends"))
    #expect(observer.lines.contains("signin.openid  ends"))
    #expect(observer.lines.contains { $0.hasPrefix("signin.openid  fails: signin.") })
    #expect(!observer.lines.contains { $0.contains("a-secret-code") })
  }
}
