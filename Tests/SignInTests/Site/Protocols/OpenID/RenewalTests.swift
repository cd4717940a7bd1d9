import HTTPExchange
import IdentityProviderTesting
import RegistryTesting
import SecurityKeys
import SignIn
import Synchronization
import TestSupport
import Testing

/// Claims that are read anew with the refresh token (`refresh` of a provider).
@Suite("OpenID Connect: claims that are read anew")
struct RenewalTests {
  private struct CodePages: PageRenderer {
    func html(_ page: SitePage) -> (html: String, policy: String) {
      if case .refusal(let refusal) = page { (refusal.code, "") } else { ("page", "") }
    }
  }

  private let fixture: OpenIDFixture
  private let sessions = MemorySessionStore()
  private let observer = RecordingObserver()

  init() throws { fixture = try OpenIDFixture() }

  private func site(
    sessions: (any SessionStore)? = nil, used: any ReplayStore = MemoryReplayStore(),
    clock: (any TimeSource)? = nil, _ change: (inout OpenIDClient) throws -> Void = { _ in }
  ) throws -> SignInSite {
    let address = try HTTPURL(ScriptedProvider.redirectURI)
    let party = try fixture.party {
      $0.refreshInterval = 300
      $0.userInfo = .always
      try change(&$0)
    }
    return try SignInSite(
      SiteSettings(
        origin: address.origin, prefix: String(address.path.dropLast("openid/callback".count))),
      providers: [SignInProvider(id: "op", name: "OP", openID: party)], pages: CodePages(),
      sessions: sessions ?? self.sessions, used: used, clock: clock ?? fixture.time,
      observer: observer)
  }

  /// Signs in, and returns the session's cookie.
  private func signIn(_ site: SignInSite) async throws -> Secret {
    func get(_ route: String, _ query: String?, _ cookies: [String]) async throws -> HTTPResponse {
      let text = cookies.map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")
      return await site.respond(
        to: WebRequest(
          method: "GET", path: site.settings.prefix + route, query: query,
          fields: try HTTPFields(cookies.isEmpty ? [] : [("Cookie", text)])))
    }
    let begun = try await get("sign-in", nil, [])
    let location = try HTTPURL(try #require(begun.fields["Location"]))
    let answer = try fixture.provider.authorize(.redirect(location))
    let done = try await get(
      "openid/op/callback", answer.query, begun.fields.values("Set-Cookie"))
    let cookie = try #require(
      done.fields.values("Set-Cookie").first { $0.hasPrefix("__Host-session=") })
    return Secret(String(cookie.dropFirst("__Host-session=".count).prefix { $0 != ";" }))
  }

  private func refreshes() -> Int {
    fixture.transport.requests.count { $0.parameter("grant_type") == "refresh_token" }
  }

  /// The access token of the last refresh opens UserInfo.
  private func answerUserInfo(_ members: [String: String]) {
    fixture.provider.change { $0.replaced["/userinfo"] = .json(object(members)) }
  }

  @Test("GATE-21: A group that the provider took away is gone once the claims are due, not before")
  func claims() async throws {
    answerUserInfo(["sub": "\"alice\"", "groups": "[\"admin\",\"user\"]"])
    let site = try site()
    let cookie = try await signIn(site)
    #expect(
      try await site.session(cookie: cookie)?.principal.claims["groups"] == ["admin", "user"])
    answerUserInfo(["sub": "\"alice\"", "groups": "[\"user\"]"])
    fixture.provider.change { $0.payload = { $0["name"] = "\"Alice Roe\"" } }
    fixture.time.advance(bySeconds: 299)
    #expect(
      try await site.session(cookie: cookie)?.principal.claims["groups"] == ["admin", "user"])
    #expect(refreshes() == 0)
    fixture.time.advance(bySeconds: 1)
    let renewed = try #require(try await site.session(cookie: cookie))
    #expect(renewed.principal.claims["groups"] == ["user"])
    #expect(renewed.principal.claims["name"] == ["Alice Roe"])
    #expect(renewed.renewal?.refreshToken.revealed == "refresh-2")
    #expect(renewed.lastUse == fixture.time.now)
    let id = try #require(SessionID(cookie))
    let stored = try #require(try await sessions.session(id))
    #expect(stored.principal.claims["groups"] == ["user"])
    #expect(stored.renewal?.due == fixture.time.now.advanced(bySeconds: 300))
    // The next is due an interval later, with the token that came.
    _ = try await site.session(cookie: cookie)
    #expect(refreshes() == 1)
    fixture.time.advance(bySeconds: 300)
    #expect(try await site.session(cookie: cookie)?.renewal?.refreshToken.revealed == "refresh-3")
    // A session comes back from a store with all of it.
    let read = try #require(SignedInSession(json: renewed.json))
    #expect(
      read.renewal?.refreshToken.revealed == "refresh-2"
        && read.renewal?.due == renewed.renewal?.due)
    #expect(!"\(renewed)".contains("refresh-2"))
  }

  @Test("Without a new ID token the claims of the last one stay, and UserInfo is read anew")
  func withoutIDToken() async throws {
    answerUserInfo(["sub": "\"alice\"", "email": "\"a@x.example\""])
    let site = try site()
    let cookie = try await signIn(site)
    answerUserInfo(["sub": "\"alice\"", "email": "\"b@x.example\""])
    fixture.provider.change {
      $0.answer = {
        $0["id_token"] = nil
        $0["refresh_token"] = nil
      }
    }
    fixture.time.advance(bySeconds: 300)
    let renewed = try #require(try await site.session(cookie: cookie))
    #expect(renewed.principal.claims["email"] == ["b@x.example"])
    #expect(renewed.principal.claims["name"] == ["Alice"])
    #expect(renewed.renewal?.refreshToken.revealed == "refresh-1")
  }

  @Test(
    "When and how a person signed in stays as it was where a new ID token does not say it",
    arguments: [true, false])
  func authentication(saysContext: Bool) async throws {
    answerUserInfo(["sub": "\"alice\""])
    fixture.provider.change {
      $0.payload = {
        $0["auth_time"] = "1893499000"
        $0["acr"] = "\"mfa\""
        $0["groups"] = "[\"admin\"]"
      }
    }
    let site = try site()
    let cookie = try await signIn(site)
    fixture.provider.change { $0.payload = { if saysContext { $0["acr"] = "\"password\"" } } }
    fixture.time.advance(bySeconds: 300)
    let renewed = try #require(try await site.session(cookie: cookie))
    #expect(renewed.principal.authenticatedAt == Instant(secondsSinceEpoch: 1_893_499_000))
    #expect(renewed.principal.authenticationContexts == [saysContext ? "password" : "mfa"])
    // Nothing else stays that the new one does not say.
    #expect(renewed.principal.claims["groups"].isEmpty)
  }

  @Test("A session from before the file lost its refresh is used as others are, and stays")
  func withoutInterval() async throws {
    answerUserInfo(["sub": "\"alice\""])
    let cookie = try await signIn(site())
    let later = try site { $0.refreshInterval = nil }
    fixture.time.advance(bySeconds: 300)
    let session = try #require(try await later.session(cookie: cookie))
    let used = try #require(try await later.session(cookie: cookie))
    #expect(used.lastUse == fixture.time.now && session.renewal != nil)
  }

  @Test(
    "A session ends that the provider ended, or whose tokens are of another subject, audience or sign-in",
    arguments: [
      ("sub", "\"mallory\""), ("aud", "[\"client 1\",\"other\"]"), ("auth_time", "7"),
      ("auth_time", "\"x\""), ("azp", "\"other\""), ("iss", "\"https://evil.example/\""),
    ])
  func others(member: String, value: String) async throws {
    answerUserInfo(["sub": "\"alice\""])
    fixture.provider.change { $0.payload = { $0["auth_time"] = "1893499000" } }
    let site = try site()
    let cookie = try await signIn(site)
    fixture.provider.change {
      $0.payload = {
        $0["auth_time"] = "1893499000"
        $0[member] = value
        if member == "aud" { $0["azp"] = "\"client 1\"" }
      }
    }
    fixture.time.advance(bySeconds: 300)
    #expect(try await site.session(cookie: cookie) == nil)
    #expect(sessions.count == 0)
    #expect(observer.lines.contains { $0.hasPrefix("session.ended-by-provider") })
  }

  @Test(
    "A session ends by invalid_grant and by UserInfo of another subject; an unchanged time keeps it"
  )
  func ends() async throws {
    answerUserInfo(["sub": "\"alice\""])
    fixture.provider.change { $0.payload = { $0["auth_time"] = "1893499000" } }
    let site = try site()
    let cookie = try await signIn(site)
    fixture.time.advance(bySeconds: 300)
    #expect(try await site.session(cookie: cookie) != nil)
    answerUserInfo(["sub": "\"mallory\""])
    fixture.time.advance(bySeconds: 300)
    #expect(try await site.session(cookie: cookie) == nil)
    answerUserInfo(["sub": "\"alice\""])
    let second = try await signIn(site)
    fixture.provider.change { $0.refreshes = 7 }
    fixture.time.advance(bySeconds: 300)
    #expect(try await site.session(cookie: second) == nil)
  }

  @Test("While the provider is away the claims count for one more interval, then nothing is known")
  func outage() async throws {
    answerUserInfo(["sub": "\"alice\""])
    let site = try site()
    let cookie = try await signIn(site)
    fixture.provider.change { $0.replaced["/token"] = .of(503) }
    fixture.time.advance(bySeconds: 300)
    for _ in 0..<3 { #expect(try await site.session(cookie: cookie) != nil) }
    #expect(refreshes() == 1, "one attempt, not one for each request")
    fixture.time.advance(bySeconds: 299)
    #expect(try await site.session(cookie: cookie) != nil)
    fixture.time.advance(bySeconds: 1)
    let code = await refusalCode { _ = try await site.session(cookie: cookie) }
    #expect(code == .signInClaimsUnavailable)
    #expect(sessions.count == 1, "nobody is signed out")
    let id = try #require(SessionID(cookie))
    let used = try await sessions.session(id)?.lastUse
    #expect(used == fixture.time.now.advanced(bySeconds: -1), "who came in the meantime was here")
    #expect(observer.lines.contains { $0.hasPrefix("session.not-renewed") })
    fixture.provider.change { $0.replaced["/token"] = nil }
    fixture.time.advance(bySeconds: 60)
    #expect(try await site.session(cookie: cookie) != nil)
  }

  @Test("The new token is stored before it is used: where UserInfo fails it is not lost")
  func storedFirst() async throws {
    answerUserInfo(["sub": "\"alice\""])
    let site = try site()
    let cookie = try await signIn(site)
    fixture.provider.change { $0.replaced["/userinfo"] = .of(500) }
    fixture.time.advance(bySeconds: 300)
    let kept = try #require(try await site.session(cookie: cookie))
    #expect(kept.principal.subject == "alice")
    let id = try #require(SessionID(cookie))
    let stored = try #require(try await sessions.session(id))
    #expect(stored.renewal?.refreshToken.revealed == "refresh-2")
    answerUserInfo(["sub": "\"alice\""])
    fixture.time.advance(bySeconds: 60)
    #expect(try await site.session(cookie: cookie)?.renewal?.refreshToken.revealed == "refresh-3")
  }

  @Test("Of ten requests at ten nodes one refreshes, and all go on")
  func race() async throws {
    answerUserInfo(["sub": "\"alice\""])
    let used = MemoryReplayStore()
    let nodes = try (0..<10).map { _ in try site(used: used) }
    let cookie = try await signIn(nodes[0])
    fixture.time.advance(bySeconds: 300)
    let found = try await withThrowingTaskGroup(of: Bool.self) { group in
      for node in nodes {
        group.addTask { try await node.session(cookie: cookie) != nil }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(found == 10 && refreshes() == 1)
    #expect(!fixture.provider.complaints.contains("invalid_grant"))
  }

  // MARK: Another node reads them

  /// Answers sign-ins; each attempt to read claims is another node's.
  private final class TakenAttempts: ReplayStore {
    let isTaken = Mutex(false)

    func remember(
      _ identity: TokenIdentity, until end: Instant, at now: Instant
    ) async throws(TokenError) -> Bool { isTaken.withLock { !$0 } }
  }

  /// The clock of a test in which something happens while a request waits.
  private final class EventfulTime: TimeSource {
    let time: ManualTime
    let waits = Mutex(0)
    let events = Mutex<[Int: @Sendable () async -> Void]>([:])

    init(_ time: ManualTime) { self.time = time }

    var now: Instant { time.now }

    func wait(_ duration: Duration) async {
      let number = waits.withLock { waits in
        waits += 1
        return waits
      }
      await events.withLock { $0[number] }?()
    }
  }

  /// A session whose claims another node reads.
  private func taken(
    _ clock: EventfulTime
  ) async throws -> (site: SignInSite, cookie: Secret, id: SessionID, session: SignedInSession) {
    answerUserInfo(["sub": "\"alice\""])
    let used = TakenAttempts()
    let site = try site(used: used, clock: clock)
    let cookie = try await signIn(site)
    used.isTaken.withLock { $0 = true }
    let id = try #require(SessionID(cookie))
    return (site, cookie, id, try #require(try await sessions.session(id)))
  }

  @Test("While another node reads the claims requests go on for an interval, and then wait for it")
  func waits() async throws {
    let clock = EventfulTime(fixture.time)
    let (site, cookie, _, session) = try await taken(clock)
    for seconds in [300, 299] as [Int64] {
      fixture.time.advance(bySeconds: seconds)
      let found = try #require(try await site.session(cookie: cookie))
      #expect(found.renewal?.due == session.renewal?.due)
    }
    #expect(clock.waits.withLock { $0 } == 0)
    fixture.time.advance(bySeconds: 1)
    let code = await refusalCode { _ = try await site.session(cookie: cookie) }
    #expect(code == .signInClaimsUnavailable)
    #expect(clock.waits.withLock { $0 } == 50 && refreshes() == 0)
  }

  @Test("A request that waits gets the claims that the other node read, and no session that ended")
  func waitsForOthers() async throws {
    for isEnded in [false, true] {
      let clock = EventfulTime(fixture.time)
      let (site, cookie, id, session) = try await taken(clock)
      let due = try #require(session.renewal?.due)
      let sessions = sessions
      @Sendable func keep(_ token: String, due: Instant) async {
        var next = session
        next.renewal = SessionRenewal(Secret(token), due: due)
        try? await sessions.replace(next, id)
      }
      clock.events.withLock {
        // The new token is kept before the claims are.
        $0[2] = { await keep("refresh-2", due: due) }
        $0[4] = {
          if isEnded {
            try? await sessions.remove(id)
          } else {
            await keep("refresh-2", due: due.advanced(bySeconds: 600))
          }
        }
      }
      fixture.time.advance(bySeconds: 600)
      let found = try await site.session(cookie: cookie)
      #expect(found?.renewal?.due == (isEnded ? nil : due.advanced(bySeconds: 600)))
      #expect((found == nil) == isEnded && clock.waits.withLock { $0 } == 4)
    }
  }

  @Test("A session that was ended while its claims were read stays ended")
  func endedMeanwhile() async throws {
    answerUserInfo(["sub": "\"alice\""])
    let site = try site()
    let cookie = try await signIn(site)
    let id = try #require(SessionID(cookie))
    let session = try #require(try await sessions.session(id))
    try await sessions.remove(id)
    try await sessions.replace(session, id)
    #expect(try await sessions.session(id) == nil)
  }

  @Test(
    "offline_access is asked for where the provider has it; without a token the session stays and it is said"
  )
  func offline() async throws {
    answerUserInfo(["sub": "\"alice\""])
    func scope(_ site: SignInSite) async throws -> String? {
      let begun = await site.respond(
        to: WebRequest(method: "GET", path: site.settings.prefix + "sign-in"))
      let location = try HTTPURL(try #require(begun.fields["Location"]))
      return HTTPRequest(.get, location).parameter("scope")
    }
    #expect(try await scope(site()) == "openid")
    fixture.provider.change {
      $0.discovery["scopes_supported"] = "[\"openid\",\"offline_access\"]"
      $0.answer = { $0["refresh_token"] = nil }
    }
    await fixture.registry.refresh()
    #expect(try await scope(site()) == "openid offline_access")
    #expect(try await scope(site { $0.refreshInterval = nil }) == "openid")
    let named = try site { $0.scopes = ["openid", "offline_access"] }
    #expect(try await scope(named) == "openid offline_access")
    let silent = try site()
    let cookie = try await signIn(silent)
    #expect(observer.lines.contains { $0.hasPrefix("signin.no-refresh-token") })
    fixture.time.advance(bySeconds: 900)
    #expect(try await silent.session(cookie: cookie)?.renewal == nil)
    #expect(refreshes() == 0)
  }
}
