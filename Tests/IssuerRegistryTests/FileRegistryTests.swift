import Foundation
import IssuerRegistry
import RegistryTesting
import TestSupport
import Testing

@Suite("Trust from a file that changes")
struct FileRegistryTests {
  /// A folder that is removed after the test.
  final class Folder {
    let url = FileManager.default.temporaryDirectory.appending(path: "trust-\(UUID())")

    init() throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try write("idp.crt", TestVector.bytes("keys/idp-rsa.crt"))
      try write("trust.json", trust(audience: "https://rp.example/saml"))
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path() }

    /// Writes in place, like an editor or a careless script.
    func write(_ name: String, _ bytes: [UInt8]) throws {
      try Data(bytes).write(to: url.appending(path: name))
    }

    /// Writes under another name and renames.
    func replace(_ name: String, _ bytes: [UInt8]) throws {
      try Data(bytes).write(to: url.appending(path: name), options: .atomic)
    }

    func trust(audience: String, key: String = "idp.crt") -> [UInt8] {
      Array(
        """
        {"audiences": ["\(audience)"],
         "issuers": [{"name": "https://idp.example/idp", "keys": ["\(key)"]}]}
        """.utf8)
    }
  }

  let folder: Folder
  let registry: FileRegistry
  let time: ManualTime
  let observer = RecordingObserver()

  init() throws {
    folder = try Folder()
    registry = FileRegistry(trustFile: folder.path("trust.json"), observer: observer)
    time = ManualTime(try Instant(dateTime: "2030-01-01T12:00:00Z"))
  }

  /// The trust a second later.
  func next() throws -> Trust {
    time.advance(bySeconds: 1)
    return try #require(registry.readyTrust(at: time.now))
  }

  func fingerprint(_ trust: Trust) -> String? { trust.issuers.first?.keys.first?.key.fingerprint }

  var health: RegistryHealth { get throws { try #require(registry.health(at: time.now).first) } }

  @Test("A file is read on first use, and not again while it is unchanged")
  func unchanged() throws {
    for _ in 0..<100 {
      #expect(try next().audiences == .oneOf(["https://rp.example/saml"]))
    }
    #expect(observer.lines.filter { $0.hasPrefix("registry.accepted") }.count == 1)
    #expect(try health.status == .good)
    #expect(try health.lastSuccess == time.now)
  }

  @Test(
    "A changed file counts from the next look on, however it was written", arguments: [true, false])
  func changed(isReplaced: Bool) throws {
    _ = try next()
    let other = folder.trust(audience: "https://rp.example/SAML")
    if isReplaced {
      try folder.replace("trust.json", other)
    } else {
      try folder.write("trust.json", other)
    }
    // Not within the same second.
    #expect(registry.readyTrust(at: time.now)?.audiences == .oneOf(["https://rp.example/saml"]))
    // Same size, and perhaps the same time of change: the content differs.
    #expect(try next().audiences == .oneOf(["https://rp.example/SAML"]))
  }

  @Test("A changed key file is detected although the trust file is unchanged")
  func changedKey() throws {
    let before = try fingerprint(next())
    try folder.replace("idp.crt", TestVector.bytes("keys/other-rsa.crt"))
    let after = try fingerprint(next())
    #expect(before != nil && after != nil && before != after)
  }

  @Test(
    "A file that became invalid leaves the last valid trust in use, and health shows the error",
    arguments: [
      ("trust.json", "{", "policy.trust-file-syntax"),
      ("trust.json", #"{"audience": []}"#, "policy.trust-file-key"),
      ("trust.json", "", "policy.trust-file-syntax"),
      ("idp.crt", "x", "policy.trust-file-reference"),
    ])
  func wentBad(name: String, text: String, code: String) throws {
    let before = try fingerprint(next())
    let good = try [UInt8](Data(contentsOf: folder.url.appending(path: name)))
    try folder.write(name, Array(text.utf8))
    #expect(try fingerprint(next()) == before)
    #expect(try health.status == .failing)
    #expect(try health.lastError?.code.rawValue == code)
    #expect(try health.consecutiveFailures == 1)
    #expect(try health.age(at: time.now) == 1)
    #expect(observer.lines.contains { $0.contains("code=\(code)") })
    try folder.write(name, good)
    #expect(try fingerprint(next()) == before)
    #expect(try health.status == .good)
  }

  @Test("A key file that became invalid keeps no other file's change out, nor does the trust file")
  func neighbours() throws {
    let before = try fingerprint(next())
    try folder.write("idp.crt", Array("<html>502 Bad Gateway</html>".utf8))
    try folder.write("trust.json", folder.trust(audience: "https://new.example/"))
    #expect(try next().audiences == .oneOf(["https://new.example/"]))
    #expect(try fingerprint(next()) == before)
    #expect(try health.status == .failing)
    // The other way round.
    try folder.write("trust.json", Array("{".utf8))
    try folder.replace("idp.crt", TestVector.bytes("keys/other-rsa.crt"))
    #expect(try next().audiences == .oneOf(["https://new.example/"]))
    #expect(try fingerprint(next()) != before)
    #expect(try health.lastError?.code.rawValue == "policy.trust-file-syntax")
    try folder.write("trust.json", folder.trust(audience: "https://newer.example/"))
    #expect(try next().audiences == .oneOf(["https://newer.example/"]))
    #expect(try health.status == .good)
  }

  @Test("A missing file leaves the last valid trust in use; once restored, it is read again")
  func gone() throws {
    _ = try next()
    try FileManager.default.removeItem(atPath: folder.path("trust.json"))
    for failures in 1...3 {
      _ = try next()
      #expect(try health.lastError?.code == .registryUnreadableFile)
      #expect(try health.consecutiveFailures == failures)
    }
    try folder.write("trust.json", folder.trust(audience: "https://new.example/"))
    #expect(try next().audiences == .oneOf(["https://new.example/"]))
  }

  @Test("Until the file was valid once, its error is thrown")
  func neverGood() async throws {
    let path = folder.path("missing.json")
    let registry = FileRegistry(trustFile: path)
    #expect(registry.readyTrust(at: time.now) == nil)
    let error = await #expect(throws: TokenError(.registryUnreadableFile)) {
      try await registry.trust(at: time.now)
    }
    #expect(error?.node == path)
    #expect(registry.health(at: time.now).first?.status == .empty)
    try folder.write("missing.json", folder.trust(audience: "https://rp.example/"))
    time.advance(bySeconds: 1)
    #expect(try await registry.trust(at: time.now).issuers.count == 1)
  }

  @Test("A clock that is set back does not stop the checks")
  func clockSetBack() throws {
    _ = try next()
    try folder.write("trust.json", folder.trust(audience: "https://new.example/"))
    time.advance(bySeconds: -86_400)
    #expect(try next().audiences == .oneOf(["https://new.example/"]))
  }
}
