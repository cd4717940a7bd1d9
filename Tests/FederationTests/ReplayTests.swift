import Federation
import TestSupport
import Testing

/// Each token is good for one use, where a service requires that.
@Suite("Replay")
struct ReplayTests {
  /// Every genuine token among the vectors.
  static let genuine: [TestVector] = (TestVector.all + TestVector.attacks).filter {
    $0.accepts && ["swt", "saml11", "saml20", "jwt", "rstr"].contains($0.format)
  }

  static let now = Instant(secondsSinceEpoch: 1_893_499_200)

  static func verified(_ vector: TestVector, _ octets: [UInt8]? = nil) throws -> Verified<AnyToken>
  {
    try vector.report(on: octets ?? vector.token).get()
  }

  @Test(
    "SEM-17 SWT-28 JWT-25 A token that was used is refused from then on, but not by another store"
  )
  func once() async throws {
    var formats: Set<TokenFormat> = []
    for vector in Self.genuine {
      let verified = try Self.verified(vector)
      let at = try Instant(dateTime: vector.at ?? "2030-01-01T12:00:00Z")
      let trust = try vector.trust()
      let store = MemoryReplayStore()
      try await store.use(verified, under: trust, at: at)
      await #expect(throws: TokenError(.replayUsed), "\(vector)") {
        try await store.use(verified, under: trust, at: at)
      }
      try await MemoryReplayStore().use(verified, under: trust, at: at)
      formats.insert(verified.token.format)
    }
    #expect(formats.count == 4)
  }

  @Test("SEM-17 One assertion is one token, alone, in a response, and in an RSTR")
  func envelopes() async throws {
    for version in [SAMLToken.Version.v1, .v2] {
      let forms = Minted.forms.filter { $0.version == version }
      for first in forms {
        let store = MemoryReplayStore()
        let trust = try first.trust()
        try await store.use(first.verified(), under: trust, at: Self.now)
        for other in forms {
          await #expect(throws: TokenError(.replayUsed), "\(first), then \(other)") {
            try await store.use(other.verified(), under: trust, at: Self.now)
          }
        }
      }
    }
  }

  @Test("SWT-28 Another encoding of the MAC is the same token")
  func spellings() async throws {
    let vector = try #require(
      Self.genuine.first { vector in
        vector.format == "swt" && String(decoding: vector.token, as: UTF8.self).contains("%3D")
          && String(decoding: vector.token, as: UTF8.self).hasSuffix("%3D")
      })
    let text = String(decoding: vector.token, as: UTF8.self)
    let spelt = Array((text.dropLast(3) + "%3d").utf8)
    let trust = try vector.trust()
    let at = try Instant(dateTime: vector.at ?? "2030-01-01T12:00:00Z")
    let store = MemoryReplayStore()
    try await store.use(Self.verified(vector), under: trust, at: at)
    await #expect(throws: TokenError(.replayUsed)) {
      try await store.use(Self.verified(vector, spelt), under: trust, at: at)
    }
  }

  @Test("SEM-17 Of a hundred uses at once, one wins")
  func concurrent() async throws {
    let vector = try #require(Self.genuine.first)
    let verified = try Self.verified(vector)
    let trust = try vector.trust()
    let at = try Instant(dateTime: vector.at ?? "2030-01-01T12:00:00Z")
    let store = MemoryReplayStore()
    let wins = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<100 {
        group.addTask {
          (try? await store.use(verified, under: trust, at: at)) != nil
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(wins == 1)
  }

  @Test("DOS-22 A full store refuses, forgets nothing that is valid, and has room again afterwards")
  func full() async throws {
    let trust = try Minted.forms[0].trust()
    let store = MemoryReplayStore(capacity: 2)
    let tokens = try (0..<3).map { try Minted.forms[0].verified(id: "_a\($0)") }
    for token in tokens.prefix(2) { try await store.use(token, under: trust, at: Self.now) }
    await #expect(throws: TokenError(.replayStoreFull)) {
      try await store.use(tokens[2], under: trust, at: Self.now)
    }
    for token in tokens.prefix(2) {
      await #expect(throws: TokenError(.replayUsed)) {
        try await store.use(token, under: trust, at: Self.now)
      }
    }
    let expires = try #require(tokens[0].facts.expires)
    let end = expires.advanced(bySeconds: Int64(trust.skew))
    await #expect(throws: TokenError(.replayStoreFull)) {
      try await store.use(tokens[2], under: trust, at: end.advanced(bySeconds: -1))
    }
    try await store.use(tokens[2], under: trust, at: end)
  }

  @Test("Ten thousand tokens later the first is still stored, and expired ones are removed")
  func sweeps() async throws {
    let trust = try Minted.forms[0].trust()
    let store = MemoryReplayStore(capacity: 3_000)
    let first = try Minted.forms[0].verified(id: "_first")
    try await store.use(first, under: trust, at: Self.now)
    let identities = try (0..<10).map { TokenIdentity(try Minted.forms[0].verified(id: "_i\($0)")) }
    for round in 0..<1_000 {
      let at = Self.now.advanced(bySeconds: Int64(round))
      for identity in identities {
        #expect(try await store.remember(identity, until: at.advanced(bySeconds: 1), at: at))
      }
    }
    await #expect(throws: TokenError(.replayUsed)) {
      try await store.use(first, under: trust, at: Self.now)
    }
  }
}
