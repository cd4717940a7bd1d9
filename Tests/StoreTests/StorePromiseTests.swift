import Foundation
import RedisStores
import SignIn
import Testing

/// What every store promises, whatever is behind it.
@Suite("The promises of stores")
struct StorePromiseTests {
  private static let now = Instant(secondsSinceEpoch: 1_893_499_200)
  private var now: Instant { Self.now }

  static func session(
    subject: String = "ada", index: String? = nil, name: String? = nil, end: Int64 = 3_600
  ) -> SignedInSession {
    SignedInSession(
      principal: FederatedPrincipal(
        issuer: "https://idp.example/", subject: subject,
        claims: ClaimSet([Claim("role", "größe"), Claim("role", "b")]), format: .saml20,
        issuerSession: IssuerSession(index: index, name: name.map { SubjectName($0) }),
        warnings: ["w"]),
      provider: "campus", begun: now, end: now.advanced(bySeconds: end), lastUse: now,
      idToken: Secret("id token"))
  }

  @Test("RP-21: Of a thousand racers through two openings one wins", arguments: StoreKind.available)
  func racers(kind: StoreKind) async throws {
    try await kind.with { stores, reopen in
      let other = try await reopen()
      let identity = TokenIdentity(signIn: "raced")
      let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<1_000 {
          group.addTask {
            try await (number % 2 == 0 ? stores : other).used.remember(
              identity, until: Self.now.advanced(bySeconds: 60), at: Self.now)
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(wins == 1)
      #expect(
        try await stores.used.remember(
          TokenIdentity(signIn: "another"), until: Self.now.advanced(bySeconds: 60), at: Self.now))
    }
  }

  @Test(
    "A used token is refused until its end, also by a clock that went back",
    arguments: StoreKind.available)
  func clocks(kind: StoreKind) async throws {
    try await kind.with { stores, reopen in
      let identity = TokenIdentity(signIn: "kept")
      let end = Self.now.advanced(bySeconds: 60)
      #expect(try await stores.used.remember(identity, until: end, at: Self.now))
      let later = try await reopen().used
      for seconds in [0, 1, 59, -3_600] as [Int64] {
        let now = Self.now.advanced(bySeconds: seconds)
        #expect(try await !later.remember(identity, until: end, at: now), "\(seconds)")
      }
    }
  }

  @Test(
    "A session comes back whole, from this process and the next", arguments: StoreKind.available)
  func sessions(kind: StoreKind) async throws {
    try await kind.with { stores, reopen in
      let (id, _) = SessionID.make()
      let session = Self.session(index: "_i", name: "ada@example.org")
      try await stores.sessions.insert(session, id)
      try await stores.sessions.use(id, at: Self.now.advanced(bySeconds: 90))
      for store in [stores, try await reopen()] {
        let found = try #require(try await store.sessions.session(id))
        #expect(found.principal.claims == session.principal.claims)
        #expect(found.principal.subject == "ada" && found.provider == "campus")
        #expect(found.principal.issuerSession == session.principal.issuerSession)
        #expect(found.lastUse == Self.now.advanced(bySeconds: 90) && found.end == session.end)
        #expect(found.idToken?.revealed == "id token" && found.principal.warnings == ["w"])
      }
      #expect(try await stores.sessions.session(SessionID.make().id) == nil)
    }
  }

  @Test(
    "A session whose claims were read anew takes its place; one that is gone stays gone",
    arguments: StoreKind.available)
  func replaces(kind: StoreKind) async throws {
    try await kind.with { stores, reopen in
      let (id, _) = SessionID.make()
      let before = Self.session(subject: "ada")
      try await stores.sessions.insert(before, id)
      let principal = before.principal
      var after = SignedInSession(
        principal: FederatedPrincipal(
          issuer: principal.issuer, subject: principal.subject,
          claims: ClaimSet([Claim("role", "new")]), format: principal.format,
          issuerSession: principal.issuerSession, warnings: []),
        provider: before.provider, begun: before.begun, end: before.end,
        lastUse: Self.now.advanced(bySeconds: 60), idToken: before.idToken)
      after.renewal = SessionRenewal(
        Secret("refresh token"), due: Self.now.advanced(bySeconds: 300))
      try await stores.sessions.replace(after, id)
      for store in [stores, try await reopen()] {
        let found = try #require(try await store.sessions.session(id))
        #expect(found.principal.claims["role"] == ["new"] && found.lastUse == after.lastUse)
        #expect(found.renewal?.refreshToken.revealed == "refresh token")
        #expect(found.renewal?.due == after.renewal?.due)
      }
      try await stores.sessions.remove(id)
      try await stores.sessions.replace(after, id)
      #expect(try await stores.sessions.session(id) == nil)
      #expect(try await reopen().sessions.session(id) == nil)
    }
  }

  @Test("What is swept is over, by its end or its last use; the rest stays")
  func sweeps() async throws {
    let store = MemorySessionStore()
    let (short, idle, living) = (SessionID.make().id, SessionID.make().id, SessionID.make().id)
    try await store.insert(Self.session(end: 60), short)
    try await store.insert(Self.session(), idle)
    try await store.insert(Self.session(), living)
    try await store.use(living, at: now.advanced(bySeconds: 90))
    try await store.sweep(at: now.advanced(bySeconds: 100), idle: 100)
    #expect(try await store.session(short) == nil)
    #expect(try await store.session(idle) == nil)
    #expect(try await store.session(living) != nil)
  }

  @Test(
    "Signed out at one is signed out at all, and a late use brings no session back",
    arguments: StoreKind.available)
  func signedOut(kind: StoreKind) async throws {
    try await kind.with { stores, reopen in
      let other = try await reopen()
      let (id, _) = SessionID.make()
      try await stores.sessions.insert(Self.session(), id)
      // A store that keeps a copy beside a file is for one process.
      if kind != .sqlite { #expect(try await other.sessions.session(id) != nil) }
      try await stores.sessions.remove(id)
      #expect(try await other.sessions.session(id) == nil)
      try await other.sessions.use(id, at: Self.now)
      #expect(try await stores.sessions.session(id) == nil)
      try await stores.sessions.remove(id)
    }
  }

  @Test(
    "SEM-19: A logout message ends the sessions that it names, and no others",
    arguments: StoreKind.available)
  func logout(kind: StoreKind) async throws {
    try await kind.with { stores, _ in
      let issuer = "https://idp.example/"
      var ids: [SessionID] = []
      for (subject, index, name) in [
        ("ada", "_1", "n"), ("ada", "_2", "n"), ("bob", "_1", "m"), ("ada", nil, nil),
      ] as [(String, String?, String?)] {
        ids.append(SessionID.make().id)
        try await stores.sessions.insert(
          Self.session(subject: subject, index: index, name: name), ids[ids.count - 1])
      }
      func left() async throws -> [Bool] {
        var left: [Bool] = []
        for id in ids { left.append(try await stores.sessions.session(id) != nil) }
        return left
      }
      for ended in [
        EndedSessions(provider: "campus", issuer: "https://other.example/", .subject("ada")),
        EndedSessions(provider: "campus", issuer: issuer, .subject("nobody")),
        EndedSessions(provider: "other", issuer: issuer, .subject("ada")),
        EndedSessions(provider: "campus", issuer: issuer, .name("ada")),
        EndedSessions(provider: "campus", issuer: issuer, .subject("ada")) { _ in false },
      ] { #expect(try await stores.sessions.remove(ended) == 0) }
      #expect(try await left() == [true, true, true, true])
      let one = EndedSessions(provider: "campus", issuer: issuer, .name("n")) {
        $0.issuerSession.index == "_2"
      }
      #expect(try await stores.sessions.remove(one) == 1)
      #expect(try await left() == [true, false, true, true])
      #expect(
        try await stores.sessions.remove(
          EndedSessions(provider: "campus", issuer: issuer, .session("_1"))) == 2)
      #expect(
        try await stores.sessions.remove(
          EndedSessions(provider: "campus", issuer: issuer, .subject("ada"))) == 1)
      #expect(try await left() == [false, false, false, false])
      #expect(
        try await stores.sessions.remove(
          EndedSessions(provider: "campus", issuer: issuer, .subject("ada"))) == 0)
    }
  }

  @Test(
    "Who runs the service sees sessions and ends those of a subject, of a provider, or all",
    arguments: StoreKind.available)
  func directory(kind: StoreKind) async throws {
    try await kind.with { stores, reopen in
      for subject in ["ada", "ada", "bob"] {
        try await stores.sessions.insert(Self.session(subject: subject), SessionID.make().id)
      }
      guard let directory = try await reopen().sessions as? any SessionDirectory else {
        #expect(kind == .article)
        return
      }
      #expect(try await directory.sessions { $0.principal.subject == "ada" }.count == 2)
      #expect(try await directory.sessions { $0.provider == "other" }.isEmpty)
      #expect(try await directory.removeSessions { $0.provider == "other" } == 0)
      #expect(try await directory.removeSessions { $0.principal.subject == "bob" } == 1)
      #expect(
        try await directory.sessions { _ in true }.map(\.principal.subject) == ["ada", "ada"])
      #expect(try await directory.removeSessions { _ in true } == 2)
      #expect(try await directory.sessions { _ in true }.isEmpty)
    }
  }

  /// `STORE_ENTRIES=1000000` takes a million.
  private static let manyEntries =
    ProcessInfo.processInfo.environment["STORE_ENTRIES"].flatMap { Int($0) } ?? 20_000

  @Test("Used tokens by the thousand are remembered, each", arguments: StoreKind.available)
  func many(kind: StoreKind) async throws {
    try await kind.with { stores, _ in
      let end = Self.now.advanced(bySeconds: 3_600)
      let fresh = try await Self.remembered(Self.manyEntries, stores.used, until: end)
      #expect(fresh == Self.manyEntries)
      #expect(try await Self.remembered(Self.manyEntries, stores.used, until: end) == 0)
    }
  }

  private static func remembered(
    _ count: Int, _ used: any ReplayStore, until end: Instant
  ) async throws -> Int {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<20 {
        group.addTask {
          var fresh = 0
          for number in stride(from: worker, to: count, by: 20)
          where try await used.remember(TokenIdentity(signIn: "\(number)"), until: end, at: now) {
            fresh += 1
          }
          return fresh
        }
      }
      return try await group.reduce(0, +)
    }
  }
}
