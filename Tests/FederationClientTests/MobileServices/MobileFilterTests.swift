import ClientScript
import FederationClient
import HTTPExchange
import SecrecyTesting
import Synchronization
import Testing
import TokenBasics

@Suite("The 401 filter at Mobile Services")
struct MobileFilterTests {
  static func user(_ token: String, _ id: String = "Facebook:100004711") -> MobileUser {
    MobileUser(id: id, token: Secret(token))
  }

  static let now = StillTime().now

  @Test("S0 The signed-in user's token is sent as X-ZUMO-AUTH, with the service's own fields")
  func header() async throws {
    let server = MobileFixtures.server(taking: "good")
    let service = try MobileFixtures.v1()
    let session = Self.user("good").session(at: service, provider: .facebook, now: Self.now)
    let filter = try await MobileFixtures.filter(service, server, session, .logOut)
    #expect(try await filter.response(to: MobileFixtures.request()).status == 200)
    let fields = try #require(server.requests.first).fields
    #expect(fields["X-ZUMO-AUTH"] == "good")
    #expect(fields["X-ZUMO-APPLICATION"] == MobileFixtures.key)
    #expect(fields["X-ZUMO-INSTALLATION-ID"] == "11111111-2222-3333-4444-555555555555")
    #expect(fields["X-ZUMO-VERSION"] == fields["User-Agent"])
    #expect(fields["Accept"] == "application/json")
  }

  @Test("S0 An expired token: one sign-in by the same provider, then the request again with bypass")
  func retry() async throws {
    let server = MobileFixtures.server(taking: "good")
    let service = try MobileFixtures.v1()
    let asked = Mutex<[String?]>([])
    let stale = Self.user("stale").session(at: service, provider: .google, now: Self.now)
    let fresh = Self.user("good").session(at: service, provider: .google, now: Self.now)
    let renewal = service.renewal(for: stale, over: server) { session in
      asked.withLock { $0.append(session.provider) }
      return .signedIn(fresh)
    }
    let store = MemoryCredentialStore()
    var filter = try await MobileFixtures.filter(service, server, stale, renewal, store: store)
    filter.replayParameters = [("bypass", "true")]
    let answer = try await filter.response(to: MobileFixtures.request())
    #expect(answer.status == 200)
    #expect(String(decoding: answer.body, as: UTF8.self) == #"{"text":"hi"}"#)
    #expect(asked.withLock { $0 } == ["google"])
    #expect(
      server.requests.map(\.url.target) == [
        "/tables/TodoItem?%24top=1", "/tables/TodoItem?%24top=1&bypass=true",
      ])
    #expect(server.requests.map { $0.fields["X-ZUMO-AUTH"] } == ["stale", "good"])
    // The next start restores the new token.
    let kept = try store.read().sessions["talks"]
    #expect(kept?.credential.secret.revealed == "good")
    #expect(kept?.provider == "google")
  }

  @Test("S0 A second 401 is final")
  func once() async throws {
    let server = MobileFixtures.server(taking: "never")
    let service = try MobileFixtures.v1()
    let stale = Self.user("stale").session(at: service, provider: .google, now: Self.now)
    let fresh = Self.user("fresh").session(at: service, provider: .google, now: Self.now)
    let renewal = service.renewal(for: stale, over: server) { _ in .signedIn(fresh) }
    let filter = try await MobileFixtures.filter(service, server, stale, renewal)
    #expect(try await filter.response(to: MobileFixtures.request()).status == 401)
    #expect(server.requests.count == 2)
  }

  @Test("S0 A custom account is never prompted for again: the 401 logs it out")
  func custom() async throws {
    let server = MobileFixtures.server(taking: "good")
    let service = try MobileFixtures.appService()
    let stale = Self.user("stale", "Custom:42").session(at: service, provider: nil, now: Self.now)
    let renewal = service.renewal(for: stale, over: server) { _ in
      Issue.record("asked")
      return .cancelled
    }
    let store = MemoryCredentialStore()
    let filter = try await MobileFixtures.filter(service, server, stale, renewal, store: store)
    await expect(throws: TokenError(.sessionOver)) {
      try await filter.response(to: MobileFixtures.request())
    }
    #expect(await filter.session.session == nil)
    #expect(try store.read().sessions["talks"] == nil)
    #expect(server.requests.count == 1)
  }

  @Test("S0 shouldRetryAuth: a filter that does not renew returns the 401")
  func noRetry() async throws {
    let server = MobileFixtures.server(taking: "good")
    let service = try MobileFixtures.v1()
    let stale = Self.user("stale").session(at: service, provider: .google, now: Self.now)
    var filter = try await MobileFixtures.filter(service, server, stale, .logOut)
    filter.renews = false
    #expect(try await filter.response(to: MobileFixtures.request()).status == 401)
    #expect(await filter.session.session != nil)
  }

  @Test("S0 A closed sign-in is reported as cancelled, and 403 is no expiry")
  func cancelled() async throws {
    let server = MobileFixtures.server(taking: "good")
    let service = try MobileFixtures.v1()
    let stale = Self.user("stale").session(at: service, provider: .google, now: Self.now)
    let renewal = service.renewal(for: stale, over: server) { _ in .cancelled }
    let filter = try await MobileFixtures.filter(service, server, stale, renewal)
    await expect(throws: TokenError(.sessionCancelled)) {
      try await filter.response(to: MobileFixtures.request())
    }
    let forbidden = ScriptedServer(.json("{}", status: 403))
    let other = try await MobileFixtures.filter(service, forbidden, stale, renewal)
    #expect(try await other.response(to: MobileFixtures.request()).status == 403)
    #expect(forbidden.requests.count == 1)
  }

  @Test("S0 App Service refreshes without a prompt, once for all waiting requests")
  func refresh() async throws {
    let refreshes = Mutex(0)
    let server = ScriptedServer { request, _ in
      if request.url.path == "/.auth/refresh" {
        refreshes.withLock { $0 += 1 }
        return request.fields["X-ZUMO-AUTH"] == "stale"
          ? .json(#"{"user":{"userId":"sid:1"},"authenticationToken":"good"}"#) : .answer(401)
      }
      return request.fields["X-ZUMO-AUTH"] == "good" ? .json("1") : .answer(401)
    }
    let service = try MobileFixtures.appService()
    let stale = Self.user("stale", "sid:1").session(
      at: service, provider: .azureActiveDirectory, now: Self.now)
    let renewal = service.renewal(for: stale, over: server)
    let filter = try await MobileFixtures.filter(service, server, stale, renewal)
    let request = try MobileFixtures.request()
    let statuses = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<100 {
        group.addTask { try? await filter.response(to: request).status }
      }
      return await group.reduce(into: [Int?]()) { $0.append($1) }
    }
    #expect(statuses.allSatisfy { $0 == 200 })
    #expect(refreshes.withLock { $0 } == 1)
  }

  @Test("S0 If the refresh is rejected the person signs in", arguments: [400, 401, 403])
  func refreshRefused(status: Int) async throws {
    let server = ScriptedServer { request, _ in
      if request.url.path == "/.auth/refresh" { return .answer(status) }
      return request.fields["X-ZUMO-AUTH"] == "good" ? .json("1") : .answer(401)
    }
    let service = try MobileFixtures.appService()
    let stale = Self.user("stale", "sid:1").session(at: service, provider: .google, now: Self.now)
    let fresh = Self.user("good", "sid:1").session(at: service, provider: .google, now: Self.now)
    let renewal = service.renewal(for: stale, over: server) { _ in .signedIn(fresh) }
    let filter = try await MobileFixtures.filter(service, server, stale, renewal)
    #expect(try await filter.response(to: MobileFixtures.request()).status == 200)
  }

  @Test("RP-2 Neither the token nor the application key goes to another host")
  func otherHost() async throws {
    let server = ScriptedServer(.answer(200))
    let service = try MobileFixtures.v1()
    let session = Self.user("good").session(at: service, provider: .google, now: Self.now)
    let filter = try await MobileFixtures.filter(service, server, session, .logOut)
    let inner = MobileServiceTransport(server, service: service)
    for address in ["https://talks.example.net.evil/", "https://talks.example.net:444/"] {
      let request = HTTPRequest(.get, try HTTPURL(address))
      await expect(throws: TokenError(.sessionOtherOrigin)) {
        try await filter.response(to: request)
      }
      await expect(throws: TokenError(.sessionOtherOrigin)) {
        try await inner.response(to: request)
      }
    }
    #expect(server.requests.isEmpty)
  }
}
