import Foundation
import IssuerRegistry
import RegistryTesting
import Synchronization
import TestSupport
import Testing

@Suite("Copies of metadata")
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

    // The file's date is not the time of the fetch.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: path)
    time.advance(bySeconds: 3600)
    server.serve(.down)
    let second = try registry(server, time)
    #expect(try await second.trust(at: time.now).issuers.first?.keys.count == 2)
    #expect(second.readyTrust(at: time.now) != nil)
    let health = try #require(second.health(at: time.now).first)
    #expect(health.status == .failing)
    #expect(health.age(at: time.now) == 3600)

    // META-14: a document made earlier is rejected after the restart too.
    server.serve(.current)
    await second.refresh()
    #expect(second.health(at: time.now).first?.lastError?.code == .registryRollback)
    #expect(second.readyTrust(at: time.now)?.issuers.first?.keys.count == 2)
  }

  @Test("A start fetches before it trusts a key of the copy, if the server is up")
  func askedFirst() async throws {
    defer { clean() }
    let server = try ScriptedServer()
    let time = ManualTime(try Instant(dateTime: "2030-01-01T12:00:00Z"))
    server.serve(.both)
    #expect(try await registry(server, time).trust(at: time.now).issuers.first?.keys.count == 2)
    // One of the keys is withdrawn while the service is down.
    server.serve(.next)
    let second = try registry(server, time)
    #expect(second.readyTrust(at: time.now) == nil)
    #expect(try await second.trust(at: time.now).issuers.first?.keys.count == 1)
    #expect(server.conditions.count == 2)
  }

  @Test("A key of the copy that cannot be used is passed over in the trust as it is after a fetch")
  func passedOver() async throws {
    defer { clean() }
    let server = try ScriptedServer()
    let time = ManualTime(try Instant(dateTime: "2030-01-01T12:00:00Z"))
    let published = String(
      decoding: TestVector.bytes("metadata/published-both.xml"), as: UTF8.self)
    let end = try #require(
      published.range(of: "<md:IDPSSODescriptor[^>]*>", options: .regularExpression))
    let broken =
      "<md:KeyDescriptor use=\"signing\"><ds:KeyInfo xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\">"
      + "<ds:X509Data><ds:X509Certificate>AAAA</ds:X509Certificate></ds:X509Data></ds:KeyInfo>"
      + "</md:KeyDescriptor>"
    let document = published.replacingCharacters(
      in: end.upperBound..<end.upperBound, with: broken)
    try FileCopy(path: path).write(Array(document.utf8), fetchedAt: time.now)
    var source = MetadataSource(server.url, entityID: "https://idp.example/idp", proof: .server)
    source.schedule.firstAnswer = 0
    let registry = MetadataRegistry(
      source, transport: server, copy: FileCopy(path: path), clock: time, jitter: { 0 })
    let trust = try await registry.trust(at: time.now)
    #expect(trust.issuers.first?.keys.count == 2)
    #expect(trust.passedOver.count == 1)
    #expect(registry.health(at: time.now).first?.passedOver == trust.passedOver)
  }

  @Test("A slow server delays a start for the time limit only")
  func slow() async throws {
    defer { clean() }
    let time = ManualTime(try Instant(dateTime: "2030-01-01T12:00:00Z"))
    try FileCopy(path: path).write(
      TestVector.bytes("metadata/published-both.xml"), fetchedAt: time.now)
    let server = MetadataRegistryTests.GatedServer(
      TestVector.bytes("metadata/published-next.xml"))
    var source = try RefreshStory.source(HTTPURL("https://idp.example/"))
    source.schedule.firstAnswer = 5
    let registry = MetadataRegistry(
      source, transport: server, copy: FileCopy(path: path), clock: time)
    let asked = time.now
    async let trust = registry.trust(at: asked)
    while time.waiting == 0 { await Task.yield() }
    time.advance(bySeconds: 4)
    #expect(registry.readyTrust(at: time.now) == nil)
    time.advance(bySeconds: 1)
    #expect(try await trust.issuers.first?.keys.count == 2)
    #expect(registry.readyTrust(at: time.now)?.issuers.first?.keys.count == 2)
    // A late response is still used.
    server.open()
    await registry.refresh()
    #expect(registry.readyTrust(at: time.now)?.issuers.first?.keys.count == 1)
    #expect(server.requests.withLock { $0 } <= 2)
  }

  @Test("A copy is used immediately with a wait of 0")
  func impatient() async throws {
    defer { clean() }
    let time = ManualTime(try Instant(dateTime: "2030-01-01T12:00:00Z"))
    try FileCopy(path: path).write(
      TestVector.bytes("metadata/published-both.xml"), fetchedAt: time.now)
    let server = try ScriptedServer()
    var source = try RefreshStory.source(server.url)
    source.schedule.firstAnswer = 0
    let registry = MetadataRegistry(
      source, transport: server, copy: FileCopy(path: path), clock: time)
    #expect(registry.readyTrust(at: time.now) != nil)
  }

  @Test("A copy that was fetched too long ago is not used, whatever the file's date says")
  func age() async throws {
    defer { clean() }
    let time = ManualTime(try Instant(dateTime: "2030-01-01T12:00:00Z"))
    try FileCopy(path: path).write(
      TestVector.bytes("metadata/published-both.xml"),
      fetchedAt: time.now.advanced(bySeconds: -32 * 86_400))
    let registry = try registry(ScriptedServer(), time)
    await #expect(throws: TokenError(.registryTrustExpired)) {
      try await registry.trust(at: time.now)
    }
  }

  @Test("A copy that is a link or a pipe, or that others may write, is refused")
  func unsafe() throws {
    defer { clean() }
    let copy = FileCopy(path: path)
    let now = try Instant(dateTime: "2030-01-01T12:00:00Z")
    #expect(try copy.read() == nil)
    try copy.write(Array("<a/>".utf8), fetchedAt: now)
    for mode in [0o620, 0o602, 0o666, 0o660] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      #expect(throws: TokenError(.registryUnsafeFile), "\(mode)") { try copy.read() }
    }
    for mode in [0o600, 0o644, 0o400] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      #expect(try copy.read()?.fetchedAt == now)
    }
    let link = folder.appending(path: "link").path()
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(throws: TokenError(.registryUnsafeFile)) { try FileCopy(path: link).read() }
    let dangling = folder.appending(path: "dangling").path()
    try FileManager.default.createSymbolicLink(atPath: dangling, withDestinationPath: "nowhere")
    #expect(throws: TokenError(.registryUnsafeFile)) { try FileCopy(path: dangling).read() }
    let pipe = folder.appending(path: "pipe").path()
    let isPipe = unsafe mkfifo(pipe, 0o600) == 0
    #expect(isPipe)
    #expect(throws: TokenError(.registryUnsafeFile)) { try FileCopy(path: pipe).read() }
    #expect(throws: TokenError(.registryUnsafeFile)) { try FileCopy(path: folder.path()).read() }
    if geteuid() == 0 {
      let isForeign = unsafe chown(path, 12_345, 0) == 0
      #expect(isForeign)
      #expect(throws: TokenError(.registryUnsafeFile)) { try copy.read() }
    }
  }

  @Test(
    "A copy without the time of its fetch is rejected",
    arguments: [
      "<a/>", "", "swift-federation metadata 1 fetched 2030-01-01T12:00:00Z",
      "swift-federation metadata 1 fetched yesterday\n<a/>",
      "swift-federation metadata 2 fetched 2030-01-01T12:00:00Z\n<a/>",
    ])
  func undated(text: String) throws {
    defer { clean() }
    try Data(text.utf8).write(to: URL(filePath: path))
    #expect(throws: TokenError(.registryUnreadableFile)) { try FileCopy(path: path).read() }
  }

  @Test("A copy that cannot be written is an error that names the folder")
  func unwritable() throws {
    defer { clean() }
    let now = try Instant(dateTime: "2030-01-01T12:00:00Z")
    try FileCopy(path: path).write(Array("<a/>".utf8), fetchedAt: now)
    #expect(try FileCopy(path: path).read()?.document == Array("<a/>".utf8))
    #expect(throws: TokenError(.registryUnwritableFile)) {
      try FileCopy(path: folder.appending(path: "nowhere/idp.xml").path()).write([], fetchedAt: now)
    }
    // There is a folder in place of the file.
    let occupied = folder.appending(path: "occupied")
    try FileManager.default.createDirectory(
      at: occupied.appending(path: "inside"), withIntermediateDirectories: true)
    #expect(throws: TokenError(.registryUnwritableFile)) {
      try FileCopy(path: occupied.path()).write([], fetchedAt: now)
    }
  }

  @Test(
    "A copy that is damaged, forged, of another entity or too old is rejected",
    arguments: [
      "published-forged", "published-other-entity", "published-expired", "entity", "none",
    ])
  func unusable(name: String) async throws {
    defer { clean() }
    let server = try ScriptedServer()
    let time = ManualTime(try Instant(dateTime: "2030-01-01T12:00:00Z"))
    try FileCopy(path: path).write(
      TestVector.bytes("metadata/\(name).xml"), fetchedAt: time.now)
    let registry = try registry(server, time)
    #expect(registry.readyTrust(at: time.now) == nil)
    await #expect(throws: TokenError(.registryUnavailable)) {
      try await registry.trust(at: time.now)
    }
    server.serve(.current)
    time.advance(bySeconds: 2)
    #expect(try await registry.trust(at: time.now).issuers.count == 1)
    #expect(
      try FileCopy(path: path).read()?.document
        == TestVector.bytes("metadata/published-current.xml"))
  }

  @Test("A copy that cannot be written does not affect the registry")
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
