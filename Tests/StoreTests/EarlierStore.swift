import Foundation
import HTTPExchange
import Octets
import RedisStores
import SecurityKeys
import SignIn
import TestSupport
import Testing
import TokenBasics

@testable import AccessControl

#if Server
  import SQLiteSessions
#endif

/// The stores of a gate and an acs that an earlier release filled, at the time when it stopped, and what browsers and clients hold of
/// them. `Tests/Interop/upgrade_fixtures.py` writes the fixtures with the programs of that release.
struct EarlierStore {
  enum Kind: String, CaseIterable, Sendable {
    case sqlite
    case redis

    /// Those that this build reads.
    static var available: [Self] {
      #if Server
        allCases
      #else
        [.redis]
      #endif
    }
  }

  static let folder = TestVector.packageRoot.appending(path: "TestVectors/kept/d17f86d6")

  /// What browsers and clients hold.
  let made: JSONValue
  let now: Instant
  let grants: Grants
  let key: SealingKey
  let values: any ValueStore
  let used: any ReplayStore
  let sessions: any SessionStore
  let gateValues: any ValueStore
  let gateUsed: any ReplayStore
  let gateKeys: [[UInt8]]
  /// The files of SQLite, which are copies.
  private let copies: URL?

  init(_ kind: Kind) throws {
    let made = try Self.json(kind.rawValue + "-made.json")
    self.made = made
    now = Instant(secondsSinceEpoch: Int64(try #require(made["now"]?.integer)))
    let keys = try ["acs", "gate"].map { name in
      try Base64.decode(Array(try #require(made["keys"]?[name]?.string).utf8))
    }
    key = try #require(SealingKey(keys[0]))
    gateKeys = [keys[1]]
    switch kind {
    case .redis:
      let server = try Self.server(now)
      values = RedisValueStore(server)
      used = RedisReplayStore(server)
      gateValues = RedisValueStore(server, namespace: "gate")
      gateUsed = RedisReplayStore(server, namespace: "gate")
      sessions = try RedisSessionStore(
        server, origin: Self.origin, sealing: gateKeys, lifetime: 28_800, idle: 1_800,
        namespace: "gate")
      copies = nil
    case .sqlite:
      #if Server
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["acs.db", "gate.db"] {
          try FileManager.default.copyItem(
            at: Self.folder.appending(path: name), to: folder.appending(path: name))
        }
        let store = try SQLiteValueStore(path: folder.appending(path: "acs.db").path())
        (values, used) = (store, store)
        let path = folder.appending(path: "gate.db").path()
        let gate = try SQLiteSessionStore(path: path)
        (sessions, gateUsed) = (gate, gate)
        gateValues = try SQLiteValueStore(path: path)
        copies = folder
      #else
        throw TokenError(.signInSessionStore)
      #endif
    }
    grants = Grants(
      in: values, used: used, key: key, clock: ManualTime(now), random: RandomSource(),
      observer: NoObserver(), sweeps: SweepTimer(Uptime { .zero }, every: .seconds(600))
    ) { _ in }
  }

  /// Removes the copies.
  func close() {
    if let copies { try? FileManager.default.removeItem(at: copies) }
  }

  static var origin: HTTPOrigin { get throws { try HTTPURL("https://app.example/").origin } }

  /// A text that a client or a browser of acs holds.
  func acs(_ names: String...) throws -> String { try text(["acs"] + names) }

  /// A text that a browser of the gate holds.
  func gate(_ names: String...) throws -> String { try text(["gate"] + names) }

  private func text(_ names: [String]) throws -> String {
    let found = names.reduce(made as JSONValue?) { $0?[$1] }
    return try #require(found?.string, "\(names)")
  }

  /// The name and the value of a cookie of the gate.
  func cookie(_ names: String...) throws -> (name: String, value: String) {
    let found = (["gate"] + names).reduce(made as JSONValue?) { $0?[$1] }
    let texts = found?.array?.compactMap(\.string) ?? []
    try #require(texts.count == 2, "\(names)")
    return (texts[0], texts[1])
  }

  private static func json(_ name: String) throws -> JSONValue {
    try JSONParser.parse(Array(try Data(contentsOf: folder.appending(path: name))))
  }

  private static func server(_ now: Instant) throws -> SimulatedRedis {
    let server = SimulatedRedis()
    let list = try #require(try json("redis.json").array)
    func octets(_ json: JSONValue?) throws -> [UInt8] {
      try Base64.decode(Array(try #require(json?.string).utf8))
    }
    server.loads(
      try list.map { json in
        let end = try #require(json["end"]?.integer)
        return (
          key: try octets(json["key"]), value: try json["value"].map { try octets($0) },
          members: Set(try (json["members"]?.array ?? []).map { try octets($0) }),
          end: end < 0 ? nil : Int64(end)
        )
      }, now: now.seconds * 1_000)
    return server
  }
}
