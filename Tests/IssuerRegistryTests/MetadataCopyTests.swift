import Foundation
import IssuerRegistry
import RegistryTesting
import TestSupport
import Testing

@Suite("Metadata that outlives the process")
struct MetadataCopyTests {
  let folder = FileManager.default.temporaryDirectory.appending(path: "copy-\(UUID())")
  var path: String { folder.appending(path: "idp.xml").path() }

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func registry(_ server: ScriptedServer, _ time: ManualTime) throws -> MetadataRegistry {
    MetadataRegistry(
      try RefreshStory.source(server.url), transport: server, copy: FileCopy(path: path),
      clock: time, jitter: { 0 })
  }

  func clean() { try? FileManager.default.removeItem(at: folder) }

  @Test("A service starts with the keys of its last run while the server is down")
  func restart() async throws {
    defer { clean() }
    let server = try ScriptedServer()
    let time = ManualTime(try Instant(dateTime: "2030-01-01T12:00:00Z"))
    server.serve(.both)
    #expect(try await registry(server, time).trust(at: time.now).issuers.count == 1)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["idp.xml"])

    // The file's time is the machine's, which is not the test's.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: Double(time.now.seconds))],
      ofItemAtPath: path)
    server.serve(.down)
    let second = try registry(server, time)
    #expect(second.readyTrust(at: time.now)?.issuers.first?.keys.count == 2)
    await second.refresh()
    #expect(second.readyTrust(at: time.now) != nil)
    #expect(second.health(at: time.now).first?.status == .failing)

    // META-14: what ends earlier is refused across the restart too.
    server.serve(.current)
    await second.refresh()
    #expect(second.health(at: time.now).first?.lastError?.code == .registryRollback)
    #expect(second.readyTrust(at: time.now)?.issuers.first?.keys.count == 2)
  }

  @Test("A copy that cannot be written is an error that names the folder")
  func unwritable() throws {
    defer { clean() }
    try FileCopy(path: path).write(Array("<a/>".utf8))
    #expect(try FileCopy(path: path).read()?.document == Array("<a/>".utf8))
    #expect(throws: TokenError(.registryUnwritableFile)) {
      try FileCopy(path: folder.appending(path: "nowhere/idp.xml").path()).write([])
    }
    // A folder stands where the file should.
    let occupied = folder.appending(path: "occupied")
    try FileManager.default.createDirectory(
      at: occupied.appending(path: "inside"), withIntermediateDirectories: true)
    #expect(throws: TokenError(.registryUnwritableFile)) {
      try FileCopy(path: occupied.path()).write([])
    }
  }

  @Test(
    "A copy that is damaged, forged, of another or too old is not taken up",
    arguments: [
      "published-forged", "published-other-entity", "published-expired", "entity", "none",
    ])
  func unusable(name: String) async throws {
    defer { clean() }
    try Data(TestVector.bytes("metadata/\(name).xml")).write(to: URL(filePath: path))
    let server = try ScriptedServer()
    let time = ManualTime(try Instant(dateTime: "2030-01-01T12:00:00Z"))
    let registry = try registry(server, time)
    #expect(registry.readyTrust(at: time.now) == nil)
    await #expect(throws: TokenError(.registryUnavailable)) {
      try await registry.trust(at: time.now)
    }
    server.serve(.current)
    time.advance(bySeconds: 2)
    #expect(try await registry.trust(at: time.now).issuers.count == 1)
    #expect(
      try Array(Data(contentsOf: URL(filePath: path)))
        == TestVector.bytes("metadata/published-current.xml"))
  }

  @Test("A copy that cannot be written costs nothing now")
  func unwritable() async throws {
    defer { clean() }
    let server = try ScriptedServer()
    server.serve(.current)
    let observer = RecordingObserver()
    let time = ManualTime(try Instant(dateTime: "2030-01-01T12:00:00Z"))
    let registry = MetadataRegistry(
      try RefreshStory.source(server.url), transport: server,
      copy: FileCopy(path: folder.appending(path: "missing/idp.xml").path()), clock: time,
      observer: observer)
    #expect(try await registry.trust(at: time.now).issuers.count == 1)
    #expect(observer.lines.contains { $0.contains("code=registry.unwritable-file") })
  }
}
