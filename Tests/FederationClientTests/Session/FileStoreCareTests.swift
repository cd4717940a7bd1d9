import Federation
import Foundation
import LocalFiles
import SecrecyTesting
import TestSupport
import Testing

@testable import FederationClient

@Suite("The credential file, damaged, foreign and old files")
struct FileStoreCareTests {
  static func files(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
  }

  static func planted(cost: Int) -> Data {
    let salt = Data(repeating: 7, count: 16).base64EncodedString()
    let text = #"{"format":"sealed-credentials","version":1,"kdf":"scrypt","cost":\#(cost),"#
    return Data((text + #""salt":"\#(salt)","key":"AAAAAAAAAAA=","content":"AAAA"}"#).utf8)
  }

  static func cost(of file: URL) throws -> Int? {
    let header = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    return header?["cost"] as? Int
  }

  // MARK: Parameters of a file are not used before its key is verified

  @Test("Cost and salt of a planted file are not reused for encryption")
  func plantedCost() async throws {
    try await Sample.withFolder { folder in
      let file = folder.appending(path: "credentials")
      let store = FileCredentialStore(
        path: file.path(), key: .passphrase(Secret("horse")), cost: 1 << 14)
      try Self.planted(cost: 1 << 10).write(to: file)
      expect(throws: TokenError(.sessionStoreKey)) { try store.read() }
      expect(throws: TokenError(.sessionStoreKey)) { try store.update { $0.choices["a"] = "b" } }
      try FileManager.default.removeItem(at: file)
      try store.update { $0.choices["a"] = "b" }
      #expect(try Self.cost(of: file) == 1 << 14)
      #expect(try !String(contentsOf: file, encoding: .utf8).contains("BwcHBwcHBwcHBwcHBwcHBw=="))
    }
  }

  @Test(
    "A file with more than the default cost is rejected before a key is derived, and not changed")
  func plantedBound() async throws {
    try await Sample.withFolder { folder in
      let file = folder.appending(path: "credentials")
      let store = FileCredentialStore(
        path: file.path(), key: .passphrase(Secret("horse")), cost: 1 << 10)
      for cost in [1 << 18, 1 << 20, 1 << 40] {
        try Self.planted(cost: cost).write(to: file)
        expect(throws: TokenError(.sessionStoreCost)) { try store.read() }
        expect(throws: TokenError(.sessionStoreCost)) { try store.update { $0.choices = [:] } }
        #expect(try Data(contentsOf: file) == Self.planted(cost: cost))
      }
      // The default cost is used.
      try Self.planted(cost: 1 << 17).write(to: file)
      expect(throws: TokenError(.sessionStoreKey)) { try store.read() }
    }
  }

  @Test(
    "A file with too low a cost is encrypted anew with the next change, with its content")
  func floor() async throws {
    try await Sample.withFolder { folder in
      let file = folder.appending(path: "credentials")
      let key = StoreKey.passphrase(Secret("horse"))
      try FileCredentialStore(path: file.path(), key: key, cost: 1 << 10).update {
        $0.choices["a"] = "b"
      }
      let store = FileCredentialStore(path: file.path(), key: key, cost: 1 << 14)
      #expect(try store.read().choices == ["a": "b"])
      #expect(try Self.cost(of: file) == 1 << 10)
      try store.update { $0.choices["c"] = "d" }
      #expect(try Self.cost(of: file) == 1 << 14)
      #expect(try store.read().choices == ["a": "b", "c": "d"])
    }
  }

  // MARK: Reading changes nothing

  @Test("Reading creates no file, neither without a store nor with one")
  func readingCreatesNothing() async throws {
    try await Sample.withFolder { folder in
      let store = try FileStoreTests.store(in: folder)
      #expect(try store.read().sessions.isEmpty)
      #expect(try Self.files(in: folder) == ["key"])
      try store.update { $0.choices["a"] = "b" }
      try FileManager.default.removeItem(at: folder.appending(path: "credentials.lock"))
      #expect(try store.read().choices == ["a": "b"])
      #expect(try Self.files(in: folder) == ["credentials", "key"])
    }
  }

  @Test(
    "Reading and writing leave a foreign file unchanged, without a lock file",
    arguments: [Data("Buy milk\n".utf8), Data(0..<32), Data(), Data(#"{"format":"notes"}"#.utf8)])
  func foreign(data: Data) async throws {
    try await Sample.withFolder { folder in
      let file = folder.appending(path: "notes.txt")
      try data.write(to: file)
      let key = try FileStoreTests.keyFile(in: folder)
      let store = FileCredentialStore(path: file.path(), key: .file(key.path()))
      expect(throws: TokenError(.sessionStoreForeign)) { try store.read() }
      expect(throws: TokenError(.sessionStoreForeign)) { try store.update { $0.choices = [:] } }
      expect(throws: TokenError(.sessionStoreForeign)) { try store.keepDamagedAside() }
      #expect(try Self.files(in: folder) == ["key", "notes.txt"])
      #expect(try Data(contentsOf: file) == data)
    }
  }

  @Test("A damaged file is renamed on request, and an intact one is not")
  func keepsAside() async throws {
    try await Sample.withFolder { folder in
      let file = folder.appending(path: "credentials")
      let store = try FileStoreTests.store(in: folder)
      #expect(try store.keepDamagedAside() == nil)
      try store.update { $0.choices["a"] = "b" }
      #expect(try store.keepDamagedAside() == nil)
      #expect(try store.read().choices == ["a": "b"])
      var data = try Data(contentsOf: file)
      data[data.count - 20] ^= 1
      try data.write(to: file)
      #expect(try store.keepDamagedAside() == "kept as \(file.path()).damaged-1")
      #expect(try store.read().choices.isEmpty)
    }
  }

  @Test("A FIFO in place of the file or of its key is an error at once")
  func fifo() async throws {
    try await Sample.withFolder { folder in
      let pipe = folder.appending(path: "pipe")
      #expect(unsafe mkfifo(pipe.path(), 0o600) == 0)
      let key = try FileStoreTests.keyFile(in: folder)
      let store = FileCredentialStore(path: pipe.path(), key: .file(key.path()))
      let error = expect(throws: TokenError(.sessionStoreFile)) { try store.read() }
      #expect(error?.found == "no regular file")
      expect(throws: TokenError(.sessionStoreFile)) { try store.update { $0.choices["a"] = "b" } }
      let keyless = FileCredentialStore(
        path: folder.appending(path: "c").path(), key: .file(pipe.path()))
      expect(throws: TokenError(.sessionStoreKeySource)) {
        try keyless.update { $0.choices["a"] = "b" }
      }
    }
  }

  @Test("A lock that another program holds is an error of its own; reading needs none")
  func heldLock() async throws {
    try await Sample.withFolder { folder in
      let file = folder.appending(path: "credentials")
      let key = StoreKey.file(try FileStoreTests.keyFile(in: folder).path())
      let store = FileCredentialStore(
        path: file.path(), key: key, cost: 1 << 10, patience: .milliseconds(20))
      try store.update { $0.choices["a"] = "b" }
      do {
        let held = try #require(try AtomicFile(path: file.path()).lock(for: .seconds(5)))
        let error = expect(throws: TokenError(.sessionStoreLocked)) {
          try store.update { $0.choices["a"] = "c" }
        }
        #expect(error?.node == file.path() + ".lock")
        #expect(try store.read().choices == ["a": "b"])
        _ = held
      }
      try store.update { $0.choices["a"] = "c" }
      #expect(try store.read().choices == ["a": "c"])
    }
  }

  // MARK: The format

  @Test("A file of the previous release, without generations, is read")
  func earlierFormat() throws {
    var content = FileStoreTests.full()
    content.sessions["acs"]?.details = [:]
    let text = String(decoding: content.json, as: UTF8.self)
      .replacing(#","generations":{},"renewals":{}"#, with: "")
    #expect(!text.contains("generations"))
    let read = try StoredCredentials(json: Array(text.utf8))
    #expect(read.sessions.count == 2)
    #expect(read.generations.isEmpty)
  }

  @Test("A turn is exclusive until it ends, also for a process that read the clock a moment before")
  func turns() {
    var content = StoredCredentials()
    content.takeTurn(of: "acs", "me", at: Sample.now)
    for seconds in [-1, 0, 59] as [Int64] {
      content.takeTurn(of: "acs", "other", at: Sample.now.advanced(bySeconds: seconds))
      #expect(content.renewals["acs"]?.owner == "me")
    }
    // Expired, or written with a clock an hour ahead.
    for seconds in [60, -3600] as [Int64] {
      var copy = content
      copy.takeTurn(of: "acs", "other", at: Sample.now.advanced(bySeconds: seconds))
      #expect(copy.renewals["acs"]?.owner == "other")
    }
    content.endTurn(of: "acs", "other")
    #expect(content.renewals["acs"]?.owner == "me")
    content.endTurn(of: "acs", "me")
    #expect(content.renewals.isEmpty)
  }

  @Test("Generations and turns are stored with the sessions")
  func generations() throws {
    var content = StoredCredentials()
    content.begin(Sample.session(), as: "acs")
    content.takeTurn(of: "acs", "me", at: Sample.now)
    content.begin(Sample.session(), as: "b")
    content.end("b")
    let read = try StoredCredentials(json: content.json)
    #expect(read.generations == ["acs": 1, "b": 2])
    #expect(read.renewals == content.renewals)
    #expect(read.sessions.count == 1)
  }
}
