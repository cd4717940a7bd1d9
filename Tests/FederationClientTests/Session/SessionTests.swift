import Claims
import Federation
import FederationClient
import HTTPExchange
import SecrecyTesting
import TestSupport
import Testing

@Suite("Sessions")
struct SessionTests {
  static func current(
    _ store: MemoryCredentialStore, _ time: ManualTime, _ renewal: Renewal = .logOut
  ) -> CurrentSession {
    CurrentSession(
      account: "acs", store: store, renewal: renewal, time: time, observer: SecrecyObserver())
  }

  @Test("A session ends with its credential, by idle time and by age, at the exact second")
  func states() {
    let session = Sample.session(
      expires: Sample.now.advanced(bySeconds: 100),
      lifetime: SessionLifetime(idle: 200, absolute: 300))
    let state = { (session: Session, seconds: Int64) in
      session.state(at: Sample.now.advanced(bySeconds: seconds))
    }
    #expect(state(session, 99) == .usable)
    #expect(state(session, 100) == .credentialExpired)
    #expect(state(session, 199) == .credentialExpired)
    #expect(state(session, 200) == .ended)
    var used = session
    used.lastUsedAt = Sample.now.advanced(bySeconds: 199)
    #expect(state(used, 299) == .credentialExpired)
    #expect(state(used, 300) == .ended)
    #expect(state(Sample.session(), 1_000_000_000) == .usable)
  }

  @Test("S0/S1 S2 S3 The next start finds the session; after log-out it does not")
  func restoreAndLogOut() async throws {
    let store = MemoryCredentialStore()
    let time = ManualTime(Sample.now)
    try await Self.current(store, time).signIn(Sample.session())
    let next = Self.current(store, time)
    #expect(try await next.restore()?.principal == Sample.mia)
    #expect(await next.session?.provider == "Facebook-1234567890")
    try await next.logOut()
    #expect(await next.session == nil)
    #expect(try await Self.current(store, time).restore() == nil)
  }

  @Test("A session that ended between two starts is removed, not restored")
  func restoresNothingOld() async throws {
    let store = MemoryCredentialStore()
    let time = ManualTime(Sample.now)
    try await Self.current(store, time).signIn(
      Sample.session(lifetime: SessionLifetime(idle: 60)))
    time.advance(bySeconds: 60)
    #expect(try await Self.current(store, time).restore() == nil)
    #expect(try store.read().sessions.isEmpty)
  }

  @Test("Use keeps a session with sliding expiry alive, until its absolute end")
  func sliding() async throws {
    let time = ManualTime(Sample.now)
    let store = MemoryCredentialStore()
    let current = Self.current(store, time)
    try await current.signIn(
      Sample.session(lifetime: SessionLifetime(idle: 100, absolute: 250)))
    let transport = ScriptedTransport { (_) throws(TokenError) in .of(200) }
    let filter = AuthorizedTransport(
      transport, session: current, origin: try HTTPURL("https://a.example/").origin)
    let request = HTTPRequest(.get, try HTTPURL("https://a.example/"))
    for _ in 0..<3 {
      time.advance(bySeconds: 80)
      _ = try await filter.response(to: request)
    }
    #expect(try store.read().sessions["acs"]?.lastUsedAt == time.now)
    time.advance(bySeconds: 10)
    await expect(throws: TokenError(.sessionTimedOut)) { try await filter.response(to: request) }
    #expect(transport.requests.count == 3)
    #expect(try store.read().sessions.isEmpty)
  }

  @Test("A session that timed out is not refreshed without a prompt, only by a sign-in")
  func timedOut() async throws {
    let time = ManualTime(Sample.now)
    let refreshes = Mutexed(0)
    let current = Self.current(
      MemoryCredentialStore(), time,
      Renewal(
        refresh: { (old) throws(TokenError) in
          refreshes.withLock { $0 += 1 }
          return old
        },
        signIn: { (_) throws(TokenError) in
          var session = Sample.session("sesame-2")
          session.lastUsedAt = time.now
          return .signedIn(session)
        }))
    try await current.signIn(Sample.session(lifetime: SessionLifetime(idle: 100)))
    time.advance(bySeconds: 100)
    let transport = ScriptedTransport([.of(200)])
    let filter = AuthorizedTransport(
      transport, session: current, origin: try HTTPURL("https://a.example/").origin)
    _ = try await filter.response(to: HTTPRequest(.get, HTTPURL("https://a.example/")))
    #expect(refreshes.current == 0)
    #expect(transport.requests[0].fields["Authorization"] == "Bearer sesame-2")
  }

  @Test("A failing store stops no request whose credential is valid")
  func failingStore() async throws {
    struct Failing: CredentialStore {
      func read() async throws(TokenError) -> StoredCredentials {
        throw TokenError(.sessionStoreFile)
      }
      func update(
        _ change: @Sendable (inout StoredCredentials) throws(TokenError) -> Void
      ) async throws(TokenError) -> StoredCredentials { throw TokenError(.sessionStoreFile) }
    }
    let current = CurrentSession(
      account: "a", store: Failing(), renewal: .logOut, time: ManualTime(Sample.now),
      observer: SecrecyObserver())
    await expect(throws: TokenError(.sessionStoreFile)) { try await current.restore() }
    await expect(throws: TokenError(.sessionStoreFile)) {
      try await current.signIn(Sample.session())
    }
    #expect(await current.session == nil)
  }

  @Test("RP-20 The same identifier at two providers is two people, and look-alikes are different")
  func principals() {
    #expect(Sample.mia != Principal(authority: "Google", subject: "100004711"))
    #expect(
      Principal(authority: "a", subject: "caf\u{E9}")
        != Principal(authority: "a", subject: "cafe\u{301}"))
    #expect(
      Principal(authority: "a", subject: "K") != Principal(authority: "a", subject: "\u{212A}"))
    #expect(Principal(authority: "a", subject: "b") == Principal(authority: "a", subject: "b"))
  }

  @Test("RP-9 A session shows no secret in any description")
  func redacts() {
    let session = Sample.session()
    var content = StoredCredentials()
    content.sessions["acs"] = session
    content.secrets["key"] = Secret("material")
    var dumped = ""
    dump(session, to: &dumped)
    dump(content, to: &dumped)
    dump(session.providerTokens, to: &dumped)
    for text in [
      dumped, "\(session)", String(reflecting: session), "\(content)", "\(session.claims.count)",
      "\(session.providerTokens)", String(reflecting: session.credential),
    ] {
      for secret in ["sesame", "refresh-1", "AAAB1", "material"] {
        #expect(!text.contains(secret))
      }
    }
  }
}
