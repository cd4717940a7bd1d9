import HTTPExchange
import RegistryTesting
import SignIn
import TestSupport
import Testing

/// A name is one at a provider, and a code is for the provider that gave it.
@Suite("OpenID Connect: several providers at one site")
struct SeveralProvidersTests {
  private struct CodePages: PageRenderer {
    func html(_ page: SitePage) -> (html: String, policy: String) {
      if case .refusal(let refusal) = page { (refusal.code, "") } else { ("page", "") }
    }
  }

  private let honest: OpenIDFixture
  private let hostile: OpenIDFixture
  private let settings: SiteSettings
  private let sessions = MemorySessionStore()

  init() throws {
    honest = try OpenIDFixture()
    hostile = try OpenIDFixture(issuer: "https://evil.example/tenant")
    settings = try SiteSettings(origin: HTTPURL("https://app.example/").origin, prefix: "/sso/")
  }

  private func provider(
    _ id: String, _ fixture: OpenIDFixture, callback: String? = nil
  ) throws -> SignInProvider {
    let address = try callback.map { (text) in try HTTPURL(text) } ?? settings.openIDCallback(id)
    fixture.provider.change { $0.redirectURI = address.text }
    return SignInProvider(
      id: id, name: id, openID: try fixture.party { $0.redirectURI = address })
  }

  private func site(_ providers: [SignInProvider]) throws -> SignInSite {
    try SignInSite(
      settings, providers: providers, pages: CodePages(), sessions: sessions, clock: honest.time)
  }

  private func send(
    _ site: SignInSite, _ method: String, _ path: String, query: String? = nil,
    cookies: [String] = [], body: WebRequest? = nil
  ) async throws -> HTTPResponse {
    var pairs = [
      ("Cookie", cookies.map { String($0.prefix { $0 != ";" }) }.joined(separator: "; "))
    ]
    if let type = body?.contentType { pairs.append(("Content-Type", type)) }
    return await site.respond(
      to: WebRequest(
        method: method, path: path, query: query,
        fields: try HTTPFields(pairs.filter { !$0.1.isEmpty }), body: body?.body ?? []))
  }

  /// Begins at a provider: what is asked, and the cookie of the pending sign-in.
  private func begin(
    _ site: SignInSite, _ id: String
  ) async throws -> (address: HTTPURL, cookies: [String]) {
    let begun = try await send(site, "GET", "/sso/sign-in", query: "provider=\(id)")
    return (
      try HTTPURL(try #require(begun.fields["Location"])),
      begun.fields.values("Set-Cookie").filter { $0.hasPrefix("__Host-signin-") }
    )
  }

  private func code(_ response: HTTPResponse) -> String {
    String(decoding: response.body, as: UTF8.self)
  }

  @Test(
    "SVC-1, RFC 9700 4.4: A code of one provider never goes to another, whatever state it comes with"
  )
  func mixUp() async throws {
    let site = try site([provider("op", honest), provider("ev", hostile)])
    let asked = try await begin(site, "op")
    let mixed = try await begin(site, "ev")
    #expect(asked.address.query?.contains("openid%2Fop%2Fcallback") == true)
    let answer = try honest.provider.authorize(.redirect(asked.address))
    let state = try #require(HTTPRequest(.get, mixed.address).parameter("state"))
    let own = try #require(HTTPRequest(.get, asked.address).parameter("state"))
    let text = try #require(answer.query).replacing(own, with: state)
    let tokens = hostile.transport.requests.count { $0.url.path.hasSuffix("/token") }
    for path in ["/sso/openid/op/callback", "/sso/openid/ev/callback"] {
      let response = try await send(site, "GET", path, query: text, cookies: mixed.cookies)
      let expected: TokenError.Code =
        path.contains("/op/") ? .signInOtherEndpoint : .signInOtherIssuer
      #expect(response.status == 400 && code(response) == expected.rawValue)
    }
    #expect(hostile.transport.requests.count { $0.url.path.hasSuffix("/token") } == tokens)
    let done = try await send(
      site, "GET", "/sso/openid/op/callback", query: answer.query, cookies: asked.cookies)
    #expect(done.status == 303 && sessions.count == 1)
  }

  @Test("A provider answers at the addresses of its former name, which no other provider has")
  func formerName() async throws {
    let former = "https://app.example/sso/openid/provider-1/callback"
    for callback in [former, nil] {
      var named = try provider("op", honest, callback: callback)
      named.formerIDs = ["provider-1"]
      let site = try site([provider("ev", hostile), named])
      for path in ["provider-1", "op"] {
        let asked = try await begin(site, "op")
        let name = callback == nil ? "op" : "provider-1"
        #expect(asked.address.query?.contains("openid%2F\(name)%2Fcallback") == true)
        let answer = try honest.provider.authorize(.redirect(asked.address))
        let elsewhere = try await send(
          site, "GET", "/sso/openid/ev/callback", query: answer.query, cookies: asked.cookies)
        #expect(elsewhere.status == 400)
        let done = try await send(
          site, "GET", "/sso/openid/\(path)/callback", query: answer.query, cookies: asked.cookies)
        #expect(done.status == 303, "\(path)")
      }
      let signedOut = try await send(site, "GET", "/sso/openid/provider-1/signed-out")
      #expect(signedOut.status == 200)
    }
    // The name of another provider is none that this one may send.
    let other = "https://app.example/sso/openid/ev/callback"
    let taken = [try provider("op", honest, callback: other), try provider("ev", hostile)]
    let error = #expect(throws: TokenError.self) { try site(taken) }
    #expect(error?.code == .signInConfiguration)
  }

  @Test("Two OpenID providers with one redirect address are refused when the site is made")
  func oneAddress() throws {
    let shared = "https://app.example/sso/openid/callback"
    let both = [
      try provider("op", honest, callback: shared), try provider("ev", hostile, callback: shared),
    ]
    let error = #expect(throws: TokenError.self) { try site(both) }
    #expect(error?.code == .signInConfiguration)
    _ = try site([both[0]])
    // An identifier stands in the address.
    let odd = try provider("o/p", honest)
    let refused = #expect(throws: TokenError.self) { try site([odd]) }
    #expect(refused?.code == .signInConfiguration)
  }

  @Test("A refusal is logged with the provider that was asked for")
  func logged() async throws {
    let observer = RecordingObserver()
    let site = try SignInSite(
      settings, providers: [provider("op", honest), provider("ev", hostile)], pages: CodePages(),
      sessions: sessions, clock: honest.time, observer: observer)
    for fixture in [honest, hostile] {
      fixture.provider.change { $0.replaced["/.well-known/openid-configuration"] = .of(503) }
    }
    for id in ["op", "ev"] {
      let refused = try await send(site, "GET", "/sso/sign-in", query: "provider=\(id)")
      #expect(refused.status >= 400)
      let line = observer.lines.last { $0.hasPrefix("signin.refused") }
      #expect(line?.contains("provider=\(id) ") == true, "\(line ?? "")")
    }
  }

  @Test("The redirect address of earlier versions is served while there is one OpenID provider")
  func oldAddress() async throws {
    let alone = try site([provider("op", honest)])
    let asked = try await begin(alone, "op")
    let answer = try honest.provider.authorize(.redirect(asked.address))
    let done = try await send(
      alone, "GET", "/sso/openid/callback", query: answer.query, cookies: asked.cookies)
    #expect(done.status == 303)
    // The others are younger than those versions.
    for (path, isThere) in [("op/signed-out", true), ("signed-out", false), ("keys", false)] {
      let response = try await send(alone, "GET", "/sso/openid/" + path)
      #expect((response.status == 404) == !isThere, "\(path)")
    }
    let two = try site([provider("op", honest), provider("ev", hostile)])
    for path in ["openid/callback", "openid/logout", "openid/xx/callback", "openid/op/else"] {
      #expect(try await send(two, "GET", "/sso/" + path, query: "code=a&state=b").status == 404)
    }
  }

  @Test(
    "Two registrations at one issuer: the one that was chosen answers, and its session is its own")
  func oneIssuer() async throws {
    let first = try provider("one", honest)
    let site = try site([first, provider("two", honest)])
    let asked = try await begin(site, "two")
    let answer = try honest.provider.authorize(.redirect(asked.address))
    let done = try await send(
      site, "GET", "/sso/openid/two/callback", query: answer.query, cookies: asked.cookies)
    #expect(done.status == 303)
    let cookie = try #require(
      done.fields.values("Set-Cookie").first { $0.hasPrefix("__Host-session=") })
    let secret = Secret(String(cookie.dropFirst("__Host-session=".count).prefix { $0 != ";" }))
    #expect(try await site.session(cookie: secret)?.provider == "two")
    // A logout at the other registration ends nothing here; at its own it does, by the same token.
    let time = honest.time.now.seconds
    let token = try ProviderKey.first.token(
      [
        "iss": quoted(honest.provider.issuer), "aud": quoted(ScriptedProvider.clientID),
        "iat": "\(time)", "exp": "\(time + 120)", "jti": quoted("one-jti"), "sub": quoted("alice"),
        "events": object(["http://schemas.openid.net/event/backchannel-logout": "{}"]),
      ], type: "logout+jwt", keyID: "rsa-1")
    let message = ScriptedProvider.message(["logout_token": token], mode: "form_post")
    #expect(try await send(site, "POST", "/sso/openid/one/logout", body: message).status == 200)
    #expect(sessions.count == 1)
    #expect(try await send(site, "POST", "/sso/openid/two/logout", body: message).status == 200)
    #expect(sessions.count == 0)
    let again = try await send(site, "POST", "/sso/openid/two/logout", body: message)
    #expect(code(again) == TokenError.Code.replayUsed.rawValue)
  }

  @Test("SVC-2: A session at a provider that is not configured any more is none, and is removed")
  func removedProvider() async throws {
    let both = try site([provider("op", honest), provider("ev", hostile)])
    let asked = try await begin(both, "op")
    let answer = try honest.provider.authorize(.redirect(asked.address))
    let done = try await send(
      both, "GET", "/sso/openid/op/callback", query: answer.query, cookies: asked.cookies)
    let cookie = try #require(
      done.fields.values("Set-Cookie").first { $0.hasPrefix("__Host-session=") })
    let secret = Secret(String(cookie.dropFirst("__Host-session=".count).prefix { $0 != ";" }))
    #expect(try await site([provider("op", honest)]).session(cookie: secret) != nil)
    // The same identifier for another issuer is another provider.
    let id = try #require(SessionID(secret))
    let session = try #require(try await sessions.session(id))
    for providers in [[try provider("ev", hostile)], [try provider("op", hostile)]] {
      #expect(try await site(providers).session(cookie: secret) == nil)
      #expect(try await sessions.session(id) == nil)
      try await sessions.insert(session, id)
    }
  }

  @Test("After sign-out at the provider the browser comes to an address of that provider")
  func signedOut() async throws {
    let site = try site([provider("op", honest)])
    let page = try await send(site, "GET", "/sso/openid/op/signed-out")
    #expect(page.status == 200)
    #expect(try await send(site, "POST", "/sso/openid/op/signed-out").status == 405)
  }
}
