import ClientScript
import Claims
import Federation
import FederationClient
import HTTPExchange
import SecrecyTesting
import TestSupport
import Testing

/// The 401 filter over a transport in memory.
@Suite("The 401 filter")
struct AuthorizedTransportTests {
  static let address = "https://talks.example.org/feed"

  /// A service that accepts only `good`, and counts requests.
  static func service(taking good: String) -> ScriptedTransport {
    ScriptedTransport { (request) throws(TokenError) in
      let isGood = request.fields["Authorization"] == "Bearer \(good)"
      return isGood ? .of(200, "text/plain", request.bodyText) : .of(401)
    }
  }

  static func filter(
    _ transport: some HTTPTransport, _ session: Session?, _ renewal: Renewal,
    time: ManualTime = ManualTime(), store: MemoryCredentialStore = MemoryCredentialStore()
  ) async throws -> AuthorizedTransport {
    let current = CurrentSession(
      account: "acs", store: store, renewal: renewal, time: time, observer: SecrecyObserver())
    if let session { try await current.signIn(session) }
    return AuthorizedTransport(transport, session: current, origin: try HTTPURL(address).origin)
  }

  static func renewed(_ session: Session, _ credential: String) -> Session {
    var copy = session
    copy.credential = Credential(session.credential.scheme, Secret(credential))
    return copy
  }

  static func request(_ body: String = "") throws -> HTTPRequest {
    HTTPRequest(.post, try HTTPURL(address), body: Array(body.utf8))
  }

  @Test(
    "S3 A service gets its credential in its own scheme",
    arguments: [
      (CredentialScheme.bearer, "Authorization", "Bearer …"),
      (.oauth, "Authorization", "OAuth …"),
      (.wrap, "Authorization", "WRAP access_token=\"…\""),
      (.token, "Authorization", "Token token=\"…\""),
      (.zumo, "X-ZUMO-AUTH", "…"),
    ])
  func schemes(scheme: CredentialScheme, field: String, value: String) async throws {
    let transport = ScriptedTransport([.of(200)])
    let filter = try await Self.filter(transport, Sample.session(scheme: scheme), .logOut)
    var request = try Self.request()
    try request.fields.append(field, "somebody else's")
    _ = try await filter.response(to: request)
    #expect(
      transport.requests[0].fields.values(field)
        == [value.replacing("…", with: "sesame-1")])
  }

  @Test(
    "RP-14 A credential that would end its quotes or its field is not sent",
    arguments: [
      ("a\"b", CredentialScheme.wrap), ("a\\b", .token), ("a\r\nX: y", .bearer), ("", .bearer),
      ("a b", .oauth),
    ])
  func malformed(credential: String, scheme: CredentialScheme) async throws {
    let transport = ScriptedTransport([.of(200)])
    let filter = try await Self.filter(
      transport, Sample.session(credential, scheme: scheme), .logOut)
    await expect(throws: TokenError(.transportMalformedField)) {
      try await filter.response(to: Self.request())
    }
    #expect(transport.requests.isEmpty)
  }

  @Test(
    "RP-2 The credential is sent to no other scheme, host or port",
    arguments: [
      "https://evil.example/feed", "https://talks.example.org:8443/feed",
      "https://talks.example.org.evil.example/feed", "http://127.0.0.1/feed",
    ])
  func otherOrigin(address: String) async throws {
    let transport = ScriptedTransport([.of(200)])
    let filter = try await Self.filter(transport, Sample.session(), .logOut)
    await expect(throws: TokenError(.sessionOtherOrigin)) {
      try await filter.response(to: HTTPRequest(.get, HTTPURL(address)))
    }
    #expect(transport.requests.isEmpty)
  }

  @Test("RP-2 A redirect is returned, not followed")
  func redirect() async throws {
    let transport = ScriptedTransport([
      HTTPResponse(status: 302, fields: try HTTPFields([("Location", "https://evil.example/")]))
    ])
    let filter = try await Self.filter(transport, Sample.session(), .logOut)
    #expect(try await filter.response(to: Self.request()).status == 302)
    #expect(transport.requests.count == 1)
  }

  @Test("S0/S1 S2 A refused request is sent once more with its body, after one renewal")
  func replays() async throws {
    let transport = Self.service(taking: "sesame-2")
    let filter = try await Self.filter(
      transport, Sample.session(),
      Renewal(refresh: { (old) throws(TokenError) in Self.renewed(old, "sesame-2") }))
    let response = try await filter.response(to: Self.request("body"))
    #expect(response.body == Array("body".utf8))
    #expect(transport.requests.map(\.bodyText) == ["body", "body"])
    #expect(transport.requests.map(\.url.text) == [Self.address, Self.address])
  }

  @Test("S0/S1 The second request has the service's extra query parameters")
  func replayParameters() async throws {
    let transport = Self.service(taking: "sesame-2")
    var filter = try await Self.filter(
      transport, Sample.session(),
      Renewal(refresh: { (old) throws(TokenError) in Self.renewed(old, "sesame-2") }))
    filter.replayParameters = [("bypass", "true")]
    let url = try HTTPURL(Self.address + "?a=b")
    _ = try await filter.response(to: HTTPRequest(.get, url))
    #expect(transport.requests.map(\.url.query) == ["a=b", "a=b&bypass=true"])
  }

  @Test("S0/S1 A caller can disable the renewal after a 401")
  func noRenewal() async throws {
    let transport = Self.service(taking: "sesame-2")
    var filter = try await Self.filter(
      transport, Sample.session(),
      Renewal(refresh: { (old) throws(TokenError) in Self.renewed(old, "sesame-2") }))
    filter.renews = false
    #expect(try await filter.response(to: Self.request()).status == 401)
    #expect(transport.requests.count == 1)
  }

  @Test("A second 401 is final")
  func finalRefusal() async throws {
    let transport = Self.service(taking: "never")
    let renewals = Mutexed(0)
    let filter = try await Self.filter(
      transport, Sample.session(),
      Renewal(refresh: { (old) throws(TokenError) in
        renewals.withLock { $0 += 1 }
        return Self.renewed(old, "sesame-2")
      }))
    #expect(try await filter.response(to: Self.request()).status == 401)
    #expect(transport.requests.count == 2)
    #expect(renewals.current == 1)
  }

  @Test("A credential past its expiry is renewed before it is sent, and only then")
  func clock() async throws {
    let time = ManualTime(Sample.now)
    let transport = Self.service(taking: "sesame-2")
    let filter = try await Self.filter(
      transport, Sample.session(expires: Sample.now.advanced(bySeconds: 600)),
      Renewal(refresh: { (old) throws(TokenError) in
        var renewed = Self.renewed(old, "sesame-2")
        renewed.expires = nil
        return renewed
      }), time: time)
    time.advance(bySeconds: 600)
    #expect(try await filter.response(to: Self.request()).status == 200)
    #expect(transport.requests.count == 1)
  }

  @Test("A thousand requests meet an expired token; one renewal, and all succeed")
  func thousand() async throws {
    let transport = Self.service(taking: "sesame-2")
    let renewals = Mutexed(0)
    let filter = try await Self.filter(
      transport, Sample.session(),
      Renewal(refresh: { (old) throws(TokenError) in
        renewals.withLock { $0 += 1 }
        for _ in 0..<100 { await Task.yield() }
        return Self.renewed(old, "sesame-2")
      }))
    let statuses = await Self.statuses(of: 1000, through: filter)
    #expect(statuses == Array(repeating: .success(200), count: 1000))
    #expect(renewals.current == 1)
  }

  @Test(
    "A thousand requests meet a renewal that fails; all fail once, with the cause",
    arguments: [TokenError.Code.sessionRenewalRefused, .transportUnreachable])
  func thousandFail(code: TokenError.Code) async throws {
    let transport = Self.service(taking: "sesame-2")
    let renewals = Mutexed(0)
    // The renewal waits until every request was rejected.
    let filter = try await Self.filter(
      transport, Sample.session(),
      Renewal(refresh: { (old) throws(TokenError) in
        renewals.withLock { $0 += 1 }
        while transport.requests.count < 1000 { await Task.yield() }
        for _ in 0..<1000 { await Task.yield() }
        throw TokenError(code, found: "the cause")
      }))
    let statuses = await Self.statuses(of: 1000, through: filter)
    #expect(statuses == Array(repeating: .failure(TokenError(code)), count: 1000))
    #expect(renewals.current == 1)
    #expect(transport.requests.count == 1000)
    // A rejection ends the session, an unreachable service does not.
    #expect((await filter.session.session == nil) == (code == .sessionRenewalRefused))
  }

  static func statuses(
    of count: Int, through filter: AuthorizedTransport
  ) async -> [Result<Int, TokenError>] {
    await withTaskGroup(of: Result<Int, TokenError>.self) { group in
      for _ in 0..<count {
        group.addTask {
          do throws(TokenError) {
            let request = HTTPRequest(.get, try HTTPURL(address))
            return .success(try await filter.response(to: request).status)
          } catch {
            return .failure(error)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test("A cancelled task stops waiting, the others get the renewal")
  func cancellation() async throws {
    let transport = Self.service(taking: "sesame-2")
    let gate = Mutexed(false)
    let filter = try await Self.filter(
      transport, Sample.session(),
      Renewal(refresh: { (old) throws(TokenError) in
        while !gate.current { await Task.yield() }
        return Self.renewed(old, "sesame-2")
      }))
    let request = try Self.request()
    let first = Task { try await filter.response(to: request).status }
    let second = Task { try await filter.response(to: request).status }
    while transport.requests.count < 2 { await Task.yield() }
    first.cancel()
    await expect(throws: TokenError(.transportCancelled)) { try await first.value }
    gate.withLock { $0 = true }
    #expect(try await second.value == 200)
  }

  @Test("A renewal of the application may throw an error of its own, which the request gets")
  func ownError() async throws {
    struct Offline: Error {}
    let store = MemoryCredentialStore()
    let filter = try await Self.filter(
      Self.service(taking: "sesame-2"), Sample.session(),
      Renewal(refresh: { _ in throw Offline() }), store: store)
    let error = await expect(throws: TokenError(.sessionRenewalFailed)) {
      try await filter.response(to: Self.request())
    }
    #expect(error?.underlying is Offline)
    #expect(error?.found == "Offline")
    // The error is not about the session, so it stays.
    #expect(try store.read().sessions.count == 1)
  }

  @Test("S0/S1 An account with its own password is logged out, never prompted for again")
  func custom() async throws {
    let store = MemoryCredentialStore()
    let filter = try await Self.filter(
      Self.service(taking: "sesame-2"), Sample.session(), .logOut, store: store)
    await expect(throws: TokenError(.sessionOver)) {
      try await filter.response(to: Self.request())
    }
    #expect(try store.read().sessions.isEmpty)
    await expect(throws: TokenError(.sessionNone)) {
      try await filter.response(to: Self.request())
    }
  }

  @Test("S0/S1 A refresh that is refused leads to the sign-in of the session's provider")
  func interactive() async throws {
    let providers = Mutexed<[String?]>([])
    let filter = try await Self.filter(
      Self.service(taking: "sesame-3"), Sample.session(),
      Renewal(
        refresh: { (_) throws(TokenError) in throw TokenError(.sessionRenewalRefused) },
        signIn: { (old) throws(TokenError) in
          providers.withLock { $0.append(old.provider) }
          return .signedIn(Self.renewed(old, "sesame-3"))
        }))
    #expect(try await filter.response(to: Self.request()).status == 200)
    #expect(providers.current == ["Facebook-1234567890"])
  }

  @Test("A cancelled sign-in is not a failed one, and the session stays")
  func cancelledSignIn() async throws {
    let filter = try await Self.filter(
      Self.service(taking: "x"), Sample.session(),
      Renewal(signIn: { (_) throws(TokenError) in .cancelled }))
    await expect(throws: TokenError(.sessionCancelled)) {
      try await filter.response(to: Self.request())
    }
    #expect(await filter.session.session != nil)
  }

  @Test("RP-10 A request is not repeated in the name of another person who signed in meanwhile")
  func otherPrincipal() async throws {
    let transport = Self.service(taking: "sesame-3")
    let other = Principal(authority: "Google", subject: "100004711")
    let filter = try await Self.filter(
      transport, Sample.session(),
      Renewal(signIn: { (_) throws(TokenError) in
        .signedIn(Sample.session("sesame-3", principal: other))
      }))
    await expect(throws: TokenError(.sessionOtherPrincipal)) {
      try await filter.response(to: Self.request())
    }
    #expect(transport.requests.count == 1)
    #expect(await filter.session.session?.principal == other)
  }

  @Test("A renewal by another process is adopted instead of using the refresh token twice")
  func otherProcess() async throws {
    let store = MemoryCredentialStore()
    let filter = try await Self.filter(
      Self.service(taking: "sesame-2"), Sample.session(),
      Renewal(refresh: { (_) throws(TokenError) in throw TokenError(.sessionRenewalRefused) }),
      store: store)
    try store.update { $0.sessions["acs"] = Sample.session("sesame-2", refresh: "refresh-2") }
    #expect(try await filter.response(to: Self.request()).status == 200)
  }

  @Test("A log-out during a renewal prevails: the renewed session is discarded")
  func logOutMeanwhile() async throws {
    let store = MemoryCredentialStore()
    let isFlying = Mutexed(false)
    let gate = Mutexed(false)
    let filter = try await Self.filter(
      Self.service(taking: "sesame-2"), Sample.session(),
      Renewal(refresh: { (old) throws(TokenError) in
        isFlying.withLock { $0 = true }
        while !gate.current { await Task.yield() }
        return Self.renewed(old, "sesame-2")
      }), store: store)
    let request = try Self.request()
    let task = Task { try await filter.response(to: request) }
    while !isFlying.current { await Task.yield() }
    try await filter.session.logOut()
    gate.withLock { $0 = true }
    await expect(throws: TokenError(.sessionNone)) { try await task.value }
    #expect(try store.read().sessions.isEmpty)
  }
}
