import Federation
import TestSupport
import Testing

@Suite("The valid confirmation determines until when a token is good")
struct ConfirmationEndTests {
  static let vectors = TestVector.attacks.filter { $0.attacks.contains("CONT-4") }

  @Test("CONT-4: The report and the replay store use its end", arguments: vectors)
  func end(vector: TestVector) async throws {
    let verified = try vector.report(on: vector.token).get()
    let end = vector.id.contains("later") ? "2030-01-01T12:04:00Z" : "2030-01-01T12:05:00Z"
    #expect(verified.facts.expires?.rfc3339 == end)
    let store = MemoryReplayStore()
    let trust = try vector.trust()
    let first = try Instant(dateTime: "2030-01-01T12:00:00Z")
    try await store.use(verified, under: trust, at: first)
    await #expect(throws: TokenError(.replayUsed)) {
      try await store.use(verified, under: trust, at: first.advanced(bySeconds: 120))
    }
  }

  @Test("There is a vector for each order of both confirmations")
  func count() { #expect(Self.vectors.count == 4) }
}
