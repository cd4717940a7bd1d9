import SignIn
import Testing

@Suite("Pending sign-ins in cookies")
struct SignInSealerTests {
  private let now = Instant(secondsSinceEpoch: 1_893_499_200)
  private let origin: HTTPOrigin
  private let sealer: SignInSealer

  init() throws {
    origin = try HTTPURL("https://app.example/").origin
    sealer = try SignInSealer(origin: origin, keys: [Array(repeating: 7, count: 32)])
  }

  private func pending() throws -> PendingSignIn {
    PendingSignIn(
      .saml2, issuer: "https://idp.example/", endpoint: "https://app.example/saml/acs",
      returnPath: try ReturnPath("/page?q=1"), random: RandomSource(), at: now)
  }

  @Test("A pending sign-in is opened as it was sealed")
  func opens() throws {
    let pending = try pending()
    let opened = try sealer.open(
      pending.request, sealer.seal(pending), .saml2, at: now.advanced(bySeconds: 599))
    #expect(opened.request == pending.request && opened.issuer == pending.issuer)
    #expect(opened.returnPath == pending.returnPath && opened.endpoint == pending.endpoint)
  }

  @Test(
    "Provider, session and the end of a sign-in are sealed, and what remains of one opens as nothing else"
  )
  func remains() throws {
    var pending = try pending()
    pending.provider = "campus"
    let (id, _) = SessionID.make()
    pending.replacedSession = id
    let opened = try sealer.open(pending.request, sealer.seal(pending), .saml2, at: now)
    #expect(opened.provider == "campus" && opened.replacedSession == id)
    let rest = sealer.seal(pending.finished(at: now))
    let found = try sealer.open(pending.request, rest, .finished, at: now)
    #expect(found.returnPath == pending.returnPath && found.issuer.isEmpty)
    for kind in [PendingSignIn.Kind.saml2, .openID, .wsFederation, .signOut] {
      let error = #expect(throws: TokenError.self) {
        try sealer.open(pending.request, rest, kind, at: now)
      }
      #expect(error?.code == .signInFinished)
    }
    #expect(sealer.sessionToEnd(sealer.seal(ending: id)) == id)
    #expect(sealer.sessionToEnd(rest) == nil && sealer.sessionToEnd(Secret("x")) == nil)
  }

  @Test("A pending sign-in expires after ten minutes")
  func expires() throws {
    let pending = try pending()
    let cookie = sealer.seal(pending)
    let error = #expect(throws: TokenError.self) {
      try sealer.open(pending.request, cookie, .saml2, at: now.advanced(bySeconds: 600))
    }
    #expect(error?.code == .signInExpired)
  }

  @Test("GATE-16: A cookie of another service, request, kind or key does not open")
  func foreign() throws {
    let pending = try pending()
    let cookie = sealer.seal(pending)
    let other = try SignInSealer(
      origin: try HTTPURL("https://other.example/").origin, keys: [Array(repeating: 7, count: 32)])
    let stranger = try SignInSealer(origin: origin)
    for (sealer, request, kind) in [
      (other, pending.request, PendingSignIn.Kind.saml2),
      (stranger, pending.request, .saml2), (sealer, String(pending.request.reversed()), .saml2),
      // Another one with the digits of this one's cookie.
      (sealer, String(pending.request.prefix(8) + pending.request.dropFirst(8).reversed()), .saml2),
      (sealer, pending.request, .openID),
    ] {
      let error = #expect(throws: TokenError.self) {
        try sealer.open(request, cookie, kind, at: now)
      }
      #expect(error?.code == .signInCookie)
    }
    let error = #expect(throws: TokenError.self) {
      try sealer.open(pending.request, nil, .saml2, at: now)
    }
    #expect(error?.code == .signInUnknown)
  }

  @Test("A key that only opens keeps a sign-in alive when keys change")
  func rollover() throws {
    let pending = try pending()
    let next = try SignInSealer(
      origin: origin, keys: [Array(repeating: 8, count: 32), Array(repeating: 7, count: 32)])
    _ = try next.open(pending.request, sealer.seal(pending), .saml2, at: now)
    #expect(throws: TokenError.self) {
      try sealer.open(pending.request, next.seal(pending), .saml2, at: now)
    }
  }

  @Test(
    "A session's identifier has the length of those that are made, in the cookie and in a store")
  func sessionIdentifiers() {
    let (id, cookie) = SessionID.make()
    #expect(SessionID(cookie) == id && SessionID(digest: id.digest) == id)
    for text in ["", String(cookie.revealed.dropLast()), cookie.revealed + "A"] {
      #expect(SessionID(Secret(text)) == nil)
    }
    for digest in [[], Array(id.digest.dropLast()), id.digest + [0]] {
      #expect(SessionID(digest: digest) == nil)
    }
  }

  @Test("Of the cookies of a browser, only those with the name of a pending sign-in make room")
  func surplus() throws {
    let names = [
      "__Host-signin-0123abcd", "__Host-signin-0123abcg", "__Host-signin-0123ABCD",
      "__Host-signin-0123abc", "__Host-other--0123abcd",
    ]
    let jar = CookieJar(names.map { ($0, "x") })
    #expect(sealer.surplus(in: jar, at: now) == ["__Host-signin-0123abcd"])
  }

  @Test("A key of another length, or none, is refused")
  func keyLength() {
    for keys in [[[1, 2, 3]], [Array(repeating: 7, count: 32), [1]], []] as [[[UInt8]]] {
      let error = #expect(throws: TokenError.self) { try SignInSealer(origin: origin, keys: keys) }
      #expect(error?.code == .signInConfiguration)
    }
  }
}
