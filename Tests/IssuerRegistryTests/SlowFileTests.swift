import Foundation
import IssuerRegistry
import RegistryTesting
import Synchronization
import TestSupport
import Testing

@Suite("Trust files that take long to read")
struct SlowFileTests {
  /// What a thread found, and a wait for it.
  private final class Outcome: Sendable {
    private let found = Mutex<String?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    var isMissing: Bool { found.withLock { $0 == nil } }

    func set(_ text: String?) {
      found.withLock { $0 = text ?? "none" }
      isThere.signal()
    }

    func wait() -> String? {
      isThere.wait()
      return found.withLock { $0 }
    }
  }

  @Test("While one thread reads a file that gives nothing, others go on with the trust of before")
  func othersGoOn() throws {
    let folder = try FileRegistryTests.Folder()
    let registry = FileRegistry(trustFile: folder.path("trust.json"))
    let time = ManualTime(try Instant(dateTime: "2030-01-01T12:00:00Z"))
    func fingerprint() -> String? {
      registry.readyTrust(at: time.now)?.issuers.first?.keys.first?.key.fingerprint
    }
    let before = try #require(fingerprint())
    let key = folder.path("idp.crt")
    try FileManager.default.removeItem(atPath: key)
    let made = unsafe mkfifo(key, 0o600)
    try #require(made == 0)
    time.advance(bySeconds: 1)
    let outcome = Outcome()
    let thread = Thread {
      outcome.set(
        registry.readyTrust(at: time.now)?.issuers.first?.keys.first?.key.fingerprint)
    }
    thread.start()
    // Opens once that thread reads.
    var descriptor: Int32 = -1
    while descriptor < 0 {
      descriptor = unsafe open(key, O_WRONLY | O_NONBLOCK)
      sched_yield()
    }
    let writer = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    time.advance(bySeconds: 1)
    #expect(fingerprint() == before)
    #expect(registry.health(at: time.now).first?.status == .good)
    #expect(outcome.isMissing)
    // The next attempt reads a file.
    let other = TestVector.bytes("keys/other-rsa.crt")
    try folder.replace("idp.crt", other)
    try writer.write(contentsOf: other)
    try writer.close()
    let after = outcome.wait()
    #expect(after != before && after != "none")
    #expect(fingerprint() == after)
  }
}
