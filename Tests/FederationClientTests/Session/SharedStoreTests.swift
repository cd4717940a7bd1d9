import Claims
import Federation
import Foundation
import HTTPExchange
import SecrecyTesting
import TestSupport
import Testing

@testable import FederationClient

/// Two processes with one store, each with a ``CurrentSession`` of its own.
@Suite("Sessions of several processes")
struct SharedStoreTests {
  static let address = "https://talks.example.org/feed"
  static let leo = Principal(authority: "Google", subject: "4711")
  static let lifetime = SessionLifetime(idle: 3600)

  /// The first process has restored the session that the second one began.
  static func play(
    _ renewal: Renewal = .logOut, expires: Instant? = nil,
    time: ManualTime = ManualTime(Sample.now),
    _ body: (_ first: CurrentSession, _ second: CurrentSession, FileCredentialStore) async throws ->
      Void
  ) async throws {
    try await Sample.withFolder { folder in
      let process = { () throws in
        CurrentSession(
          account: "acs", store: try FileStoreTests.store(in: folder), renewal: renewal,
          time: time, observer: SecrecyObserver())
      }
      let (first, second) = (try process(), try process())
      try await second.signIn(Sample.session(expires: expires, lifetime: lifetime))
      try await first.restore()
      // Long enough that the next use is stored.
      time.advance(bySeconds: 120)
      try await body(first, second, try FileStoreTests.store(in: folder))
    }
  }

  static func filter(
    _ session: CurrentSession, _ transport: some HTTPTransport
  ) throws -> AuthorizedTransport {
    AuthorizedTransport(transport, session: session, origin: try HTTPURL(address).origin)
  }

  static func request() throws -> HTTPRequest { HTTPRequest(.get, try HTTPURL(address)) }

  static func rotated(_ old: Session, _ number: Int) -> Session {
    var session = old
    Secrecy.hide("sesame-\(number)")
    Secrecy.hide("refresh-\(number)")
    session.credential = Credential(.bearer, Secret("sesame-\(number)"))
    session.refreshToken = Secret("refresh-\(number)")
    session.expires = nil
    return session
  }

  // MARK: An ended or replaced session is not restored

  @Test("A use is stored, and a later one of another process stays")
  func notesUse() async throws {
    let time = ManualTime(Sample.now)
    try await Self.play(time: time) { first, second, store in
      let transport = ScriptedTransport { (_) throws(TokenError) in .of(200) }
      _ = try await Self.filter(first, transport).response(to: Self.request())
      #expect(try store.read().sessions["acs"]?.lastUsedAt == time.now)
      try store.update { $0.sessions["acs"]?.lastUsedAt = time.now.advanced(bySeconds: 300) }
      time.advance(bySeconds: 120)
      _ = try await Self.filter(second, transport).response(to: Self.request())
      #expect(
        try store.read().sessions["acs"]?.lastUsedAt == Sample.now.advanced(bySeconds: 420))
    }
  }

  @Test("A sign-out by another process stays: a request of the first does not restore the session")
  func signOutStays() async throws {
    try await Self.play { first, second, store in
      try await second.logOut()
      let transport = ScriptedTransport { (_) throws(TokenError) in .of(200) }
      let filter = try Self.filter(first, transport)
      await expect(throws: TokenError(.sessionNone)) {
        try await filter.response(to: Self.request())
      }
      #expect(try store.read().sessions.isEmpty)
      #expect(await first.session == nil)
      #expect(transport.requests.isEmpty)
    }
  }

  @Test("Another person's sign-in by another process stays, and no request is sent in that name")
  func signInStays() async throws {
    try await Self.play { first, second, store in
      try await second.signIn(
        Sample.session(
          "sesame-leo", refresh: "refresh-leo", principal: Self.leo, lifetime: Self.lifetime))
      let transport = ScriptedTransport { (_) throws(TokenError) in .of(200) }
      let filter = try Self.filter(first, transport)
      await expect(throws: TokenError(.sessionOtherPrincipal)) {
        try await filter.response(to: Self.request())
      }
      #expect(transport.requests.isEmpty)
      let kept = try store.read().sessions["acs"]
      #expect(kept?.principal == Self.leo)
      #expect(kept?.refreshToken?.revealed == "refresh-leo")
      // The next request is the new person's.
      _ = try await filter.response(to: Self.request())
      #expect(transport.requests.map { $0.fields["Authorization"] } == ["Bearer sesame-leo"])
    }
  }

  @Test("Tokens that another process renewed stay, and the next request sends them")
  func rotationStays() async throws {
    try await Self.play { first, second, store in
      try await second.signIn(Self.rotated(Sample.session(lifetime: Self.lifetime), 2))
      let transport = ScriptedTransport { (_) throws(TokenError) in .of(200) }
      _ = try await Self.filter(first, transport).response(to: Self.request())
      #expect(transport.requests.map { $0.fields["Authorization"] } == ["Bearer sesame-2"])
      #expect(try store.read().sessions["acs"]?.refreshToken?.revealed == "refresh-2")
    }
  }

  @Test("A sign-out and a sign-in with the same tokens do not restore the old session")
  func sameTokensAgain() async throws {
    let gate = Mutexed(false)
    let renewals = Mutexed(0)
    let renewal = Renewal(refresh: { (old) throws(TokenError) in
      renewals.withLock { $0 += 1 }
      while !gate.current { await Task.yield() }
      return Self.rotated(old, 2)
    })
    try await Self.play(renewal) { first, second, store in
      let filter = try Self.filter(first, AuthorizedTransportTests.service(taking: "sesame-2"))
      let task = Task { try await filter.response(to: Self.request()).status }
      while renewals.current == 0 { await Task.yield() }
      try await second.logOut()
      try await second.signIn(Sample.session(lifetime: Self.lifetime))
      gate.withLock { $0 = true }
      _ = try? await task.value
      #expect(try store.read().sessions["acs"]?.credential.secret.revealed == "sesame-1")
    }
  }

  @Test("A sign-out during a renewal by another process prevails: the renewed session is discarded")
  func signOutMeanwhile() async throws {
    let gate = Mutexed(false)
    let renewals = Mutexed(0)
    let renewal = Renewal(refresh: { (old) throws(TokenError) in
      renewals.withLock { $0 += 1 }
      while !gate.current { await Task.yield() }
      return Self.rotated(old, 2)
    })
    try await Self.play(renewal) { first, second, store in
      let filter = try Self.filter(first, AuthorizedTransportTests.service(taking: "sesame-2"))
      let task = Task { try await filter.response(to: Self.request()) }
      while renewals.current == 0 { await Task.yield() }
      try await second.logOut()
      gate.withLock { $0 = true }
      await expect(throws: TokenError(.sessionNone)) { try await task.value }
      #expect(try store.read().sessions.isEmpty)
      #expect(await first.session == nil)
    }
  }

  @Test("A rejected renewal ends the session that it was for, and no newer one")
  func refusalMeanwhile() async throws {
    let gate = Mutexed(false)
    let renewals = Mutexed(0)
    let renewal = Renewal(refresh: { (_) throws(TokenError) in
      renewals.withLock { $0 += 1 }
      while !gate.current { await Task.yield() }
      throw TokenError(.sessionRenewalRefused)
    })
    for isReplaced in [true, false] {
      gate.withLock { $0 = false }
      renewals.withLock { $0 = 0 }
      try await Self.play(renewal) { first, second, store in
        let filter = try Self.filter(first, AuthorizedTransportTests.service(taking: "sesame-2"))
        let task = Task { try await filter.response(to: Self.request()).status }
        while renewals.current == 0 { await Task.yield() }
        if isReplaced {
          try await second.signIn(Self.rotated(Sample.session(lifetime: Self.lifetime), 2))
        }
        gate.withLock { $0 = true }
        guard isReplaced else {
          await expect(throws: TokenError(.sessionRenewalRefused)) { try await task.value }
          return #expect(try store.read().sessions.isEmpty)
        }
        #expect(try await task.value == 200)
        #expect(try store.read().sessions["acs"]?.refreshToken?.revealed == "refresh-2")
      }
    }
  }

  @Test("A session that another process uses does not end while idle here")
  func usedElsewhere() async throws {
    let time = ManualTime(Sample.now)
    try await Self.play(time: time) { first, second, store in
      let transport = ScriptedTransport { (_) throws(TokenError) in .of(200) }
      time.advance(bySeconds: 3000)
      _ = try await Self.filter(second, transport).response(to: Self.request())
      time.advance(bySeconds: 3000)
      #expect(try await Self.filter(first, transport).response(to: Self.request()).status == 200)
      time.advance(bySeconds: 3600)
      await expect(throws: TokenError(.sessionTimedOut)) {
        try await Self.filter(first, transport).response(to: Self.request())
      }
      #expect(try store.read().sessions.isEmpty)
    }
  }

  // MARK: A refresh token is used once

  @Test("Two processes with an expired token: one uses the refresh token, both continue")
  func oneSpends() async throws {
    let spent = Mutexed<[String]>([])
    let gate = Mutexed(false)
    let renewal = Renewal(refresh: { (old) throws(TokenError) in
      spent.withLock { $0.append(old.refreshToken?.revealed ?? "") }
      while !gate.current { await Task.yield() }
      return Self.rotated(old, 2)
    })
    let time = ManualTime(Sample.now)
    try await Self.play(renewal, time: time) { first, second, store in
      let transport = AuthorizedTransportTests.service(taking: "sesame-2")
      let tasks = try [first, second].map { session in
        let filter = try Self.filter(session, transport)
        return Task { try await filter.response(to: Self.request()).status }
      }
      while transport.requests.count < 2 { await Task.yield() }
      for _ in 0..<1000 { await Task.yield() }
      gate.withLock { $0 = true }
      let statuses = try await time.hurrying { () async throws in
        [try await tasks[0].value, try await tasks[1].value]
      }
      #expect(statuses == [200, 200])
      #expect(spent.current == ["refresh-1"])
      #expect(try store.read().sessions["acs"]?.refreshToken?.revealed == "refresh-2")
    }
  }

  @Test("After a process was killed in its renewal the next one tries after a minute")
  func diedInRenewal() async throws {
    let spent = Mutexed(0)
    let isDead = Mutexed(true)
    let renewal = Renewal(refresh: { (old) throws(TokenError) in
      spent.withLock { $0 += 1 }
      // The first process never finishes.
      if spent.current == 1 { while isDead.current { await Task.yield() } }
      return Self.rotated(old, 2)
    })
    let time = ManualTime(Sample.now)
    try await Self.play(renewal, time: time) { first, second, store in
      let transport = AuthorizedTransportTests.service(taking: "sesame-2")
      let dead = try Self.filter(first, transport)
      let lost = Task { try await dead.response(to: Self.request()).status }
      while spent.current == 0 { await Task.yield() }
      let filter = try Self.filter(second, transport)
      let task = Task { try await filter.response(to: Self.request()).status }
      while time.waiting == 0 { await Task.yield() }
      time.advance(bySeconds: 58)
      for _ in 0..<1000 { await Task.yield() }
      while time.waiting == 0 { await Task.yield() }
      #expect(spent.current == 1)
      let status = try await time.hurrying { () async throws in try await task.value }
      #expect(status == 200)
      #expect(spent.current == 2)
      isDead.withLock { $0 = false }
      _ = try await lost.value
      #expect(try store.read().sessions["acs"]?.refreshToken?.revealed == "refresh-2")
    }
  }

  /// A store in which another process renews for ever.
  private struct Busy: CredentialStore {
    let time: ManualTime

    func read() async throws(TokenError) -> StoredCredentials {
      var content = StoredCredentials()
      content.begin(Sample.session(), as: "acs")
      content.takeTurn(of: "acs", "other", at: time.now)
      return content
    }

    func update(
      _ change: @Sendable (inout StoredCredentials) throws(TokenError) -> Void
    ) async throws(TokenError) -> StoredCredentials { try await read() }
  }

  @Test("The wait for another process's renewal ends after two minutes, and the session stays")
  func endlessRenewal() async throws {
    let time = ManualTime(Sample.now)
    let spent = Mutexed(0)
    let session = CurrentSession(
      account: "acs", store: Busy(time: time),
      renewal: Renewal(refresh: { (old) throws(TokenError) in
        spent.withLock { $0 += 1 }
        return old
      }), time: time, observer: SecrecyObserver())
    try await session.restore()
    let filter = try Self.filter(session, AuthorizedTransportTests.service(taking: "sesame-2"))
    _ = await time.hurrying {
      await expect(throws: TokenError(.sessionRenewalElsewhere)) {
        try await filter.response(to: Self.request())
      }
    }
    #expect(time.now >= Sample.now.advanced(bySeconds: 120))
    #expect(spent.current == 0)
    #expect(await session.session != nil)
  }

  @Test("A renewal that fails lets the next process try at once")
  func failureIsOver() async throws {
    let spent = Mutexed(0)
    let renewal = Renewal(refresh: { (old) throws(TokenError) in
      spent.withLock { $0 += 1 }
      guard spent.current > 1 else { throw TokenError(.transportUnreachable) }
      return Self.rotated(old, 2)
    })
    try await Self.play(renewal) { first, second, _ async throws in
      let transport = AuthorizedTransportTests.service(taking: "sesame-2")
      await expect(throws: TokenError(.transportUnreachable)) {
        try await Self.filter(first, transport).response(to: Self.request())
      }
      #expect(try await Self.filter(second, transport).response(to: Self.request()).status == 200)
    }
  }
}
