import Synchronization
import TestSupport
import Testing

@testable import AccessControl

@Suite("The tables in which the local Access Control Service counts wrong secrets")
struct GuessLimitTests {
  @Test("A name of any length is held back as others are, and takes little memory")
  func longNames() throws {
    let limit = GuessLimit(Uptime { .zero })
    let shared = String(repeating: "x", count: 256)
    let long = shared + String(repeating: "y", count: 1_000_000)
    for _ in 0..<10 { limit.failed(long, from: "a") }
    #expect(throws: TokenError(.issuingRate)) { try limit.admit(long, from: "a") }
    try limit.admit(shared + "z", from: "a")
    try limit.admit(shared, from: "a")
    limit.succeeded(long, from: long)
    #expect(limit.countedOctets < 1_000)
  }

  @Test("An address of any length is held back as others are, and takes little memory")
  func longAddresses() throws {
    let limit = GuessLimit(Uptime { .zero })
    let long = String(repeating: "x", count: 10_000)
    for number in 0..<100 { limit.failed("name", from: number < 10 ? long : "b\(number % 10)") }
    #expect(throws: TokenError(.issuingRate)) { try limit.admit("name", from: long) }
    try limit.admit("name", from: long + "x")
    #expect(limit.countedOctets < 1_000)
  }

  @Test("Guesses under many other names free no name of those that were counted for it")
  func fillers() throws {
    let limit = GuessLimit(Uptime { .zero }, most: 2_000)
    for round in 0..<12 {
      for number in 0..<90 { limit.failed("ada", from: "a \(round) \(number)") }
      for number in 0..<1_010 { limit.failed("n \(round) \(number)", from: "192.0.2.1") }
    }
    #expect(throws: TokenError(.issuingRate)) { try limit.admit("ada", from: "192.0.2.99") }
    try limit.admit("eve", from: "192.0.2.99")
  }

  @Test("A name whose secret is right at many addresses takes nothing from another name")
  func manyAddresses() throws {
    let limit = GuessLimit(Uptime { .zero })
    limit.succeeded("client", from: "A")
    for number in 0..<10_000 { limit.succeeded("own", from: "\(number)") }
    for number in 0..<1_000 { limit.failed("client", from: "\(number)") }
    try limit.admit("client", from: "A")
    #expect(throws: TokenError(.issuingRate)) { try limit.admit("client", from: "B") }
  }

  @Test("A name keeps a hundred addresses at which its secret was right, the last among them")
  func ownAddresses() throws {
    let limit = GuessLimit(Uptime { .zero })
    for number in 0..<101 { limit.succeeded("own", from: "\(number)") }
    // One that comes back takes no other one's place.
    for _ in 0..<1_000 { limit.succeeded("own", from: "100") }
    for number in 0..<1_000 { limit.failed("own", from: "x\(number)") }
    let admitted = (0..<101).filter { number in
      (try? limit.admit("own", from: "\(number)")) != nil
    }
    #expect(admitted.count == 100 && admitted.contains(100))
  }

  @Test("What says nothing any more is dropped after a minute, and what still counts is not")
  func dropped() throws {
    let ticks = Mutex(Duration.zero)
    let limit = GuessLimit(Uptime { ticks.withLock { $0 } })
    for number in 0..<100 { limit.failed("name \(number)", from: "address \(number)") }
    let full = limit.countedOctets
    ticks.withLock { $0 = .seconds(70) }
    for _ in 0..<10 { limit.failed("ada", from: "a") }
    #expect(limit.countedOctets < full / 20)
    ticks.withLock { $0 = .seconds(79) }
    #expect(throws: TokenError(.issuingRate)) { try limit.admit("ada", from: "a") }
    ticks.withLock { $0 = .seconds(131) }
    for _ in 0..<6 { limit.failed("ada", from: "a") }
    #expect(throws: TokenError(.issuingRate)) { try limit.admit("ada", from: "a") }
  }

  @Test(
    "A full table drops what says nothing, and half of the rest where that leaves less than a quarter"
  )
  func room() throws {
    var buckets = Buckets<Int>(BucketRate(burst: 10, perSecond: 0.1), most: 1_000)
    for key in 0..<1_000 { _ = buckets.take(key, at: .zero) }
    #expect(buckets.keys.count == 1_000)
    _ = buckets.take(1_000, at: .zero)
    #expect(buckets.keys.count == 501)
    // What is left after those that say nothing are dropped counts, too.
    for key in 2_000..<2_499 { _ = buckets.take(key, at: .seconds(30)) }
    #expect(buckets.keys.count == 1_000)
    _ = buckets.take(3_000, at: .seconds(31))
    #expect(buckets.keys.count == 500)
  }
}
