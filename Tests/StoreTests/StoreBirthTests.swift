import Synchronization
import Testing
import TokenBasics

@testable import RedisStores

@Suite("The clock and the birth of a shared server")
struct StoreBirthTests {
  /// Answers as it is told, and keeps what it was asked.
  private final class Script: RedisCommands {
    private let state: Mutex<(answers: [RESPReply], asked: [RESPCommand])>

    init(_ answers: [RESPReply]) { state = Mutex((answers, [])) }

    var words: [[String]] {
      state.withLock { $0.asked.map { $0.words.map { String(decoding: $0, as: UTF8.self) } } }
    }

    func replies(to commands: [RESPCommand]) async throws(TokenError) -> [RESPReply] {
      state.withLock {
        $0.asked += commands
        return $0.answers
      }
    }
  }

  private static func octets(_ text: String) -> RESPReply { .octets(Array(text.utf8)) }

  private let now = Instant(secondsSinceEpoch: 1_893_499_200)

  @Test("The time is seconds and microseconds, and nothing else")
  func time() throws {
    let good = RESPReply.list([Self.octets("12"), Self.octets("999999")])
    #expect(
      try StoreClock.time(in: good)
        == Instant(secondsSinceEpoch: 12, nanoseconds: 999_999_000))
    for parts in [
      ["12"], ["12", "0", "0"], ["12", "1000000"], ["12", "-1"], ["x", "0"],
      ["00000000000000000012", "0"],
    ] {
      #expect(throws: TokenError(.storeProtocol), "\(parts)") {
        try StoreClock.time(in: .list(parts.map(Self.octets)))
      }
    }
    #expect(throws: TokenError(.storeRefused)) {
      try StoreClock.time(in: .error(Array("NOPERM no".utf8)))
    }
  }

  private func read(_ reply: RESPReply, _ script: Script) async throws(TokenError) -> Instant {
    try await StoreBirth(script, StoreKey("a")).read(reply, at: now)
  }

  @Test("A birth is made where there is none, and by one of two that make it at once")
  func made() async throws {
    let ok = RESPReply.status(Array("OK".utf8))
    let script = Script([ok, Self.octets("\(now.seconds)")])
    #expect(try await read(.octets(nil), script) == now)
    #expect(script.words.first?.last == "NX")
    // One of a clock that was set back is replaced.
    let later = Script([ok, Self.octets("\(now.seconds)")])
    #expect(try await read(Self.octets("\(now.seconds + 60)"), later) == now)
    #expect(later.words.first?.contains("NX") == false)
    let known = Script([])
    #expect(try await read(Self.octets("\(now.seconds - 60)"), known).seconds == now.seconds - 60)
    #expect(known.words.isEmpty)
  }

  @Test("What is no answer to it is none")
  func answers() async throws {
    let birth = Self.octets("\(now.seconds)")
    for (answers, code) in [
      ([.status(Array("OK".utf8))], .storeProtocol), ([], .storeProtocol),
      ([.error(Array("OOM no".utf8)), birth], .storeRefused),
      ([.status(Array("OK".utf8)), .octets(nil)], .storeProtocol),
      ([.status(Array("OK".utf8)), birth, birth], .storeProtocol),
    ] as [([RESPReply], TokenError.Code)] {
      let error = await #expect(throws: TokenError.self) {
        try await read(.octets(nil), Script(answers))
      }
      #expect(error?.code == code)
    }
  }
}
