import Federation
import FederationClient
import Foundation
import SecrecyTesting
import TestSupport
import Testing

@Suite("The file of credentials")
struct FileStoreTests {
  static func keyFile(in folder: URL, mode: Int = 0o600) throws -> URL {
    let file = folder.appending(path: "key")
    try Data(0..<32).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path())
    return file
  }

  static func store(in folder: URL) throws -> FileCredentialStore {
    Secrecy.hide("key material")
    let store = FileCredentialStore(
      path: folder.appending(path: "credentials").path(),
      key: .file(try keyFile(in: folder).path()))
    Secrecy.see(store)
    return store
  }

  static func full() -> StoredCredentials {
    var content = StoredCredentials()
    var session = Sample.session(
      scheme: .wrap, expires: Sample.now, lifetime: SessionLifetime(idle: 60, absolute: 600))
    session.details = ["tone": "\"quoted\"\n"]
    content.sessions = ["acs": session, "Müller": Sample.session("x", refresh: nil)]
    content.choices = ["provider": "Facebook"]
    content.secrets = ["registration": Secret("key material")]
    return content
  }

  @Test("S2 S3 Everything that was stored is read at the next start")
  func restores() async throws {
    try await Sample.withFolder { folder in
      let full = Self.full()
      try Self.store(in: folder).update { $0 = full }
      let read = try Self.store(in: folder).read()
      let session = try #require(read.sessions["acs"])
      let original = try #require(full.sessions["acs"])
      #expect(session.principal == original.principal)
      #expect(session.claims == original.claims)
      #expect(session.provider == original.provider)
      #expect(session.credential.scheme == .wrap)
      #expect(session.credential.secret.revealed == "sesame-1")
      #expect(session.refreshToken?.revealed == "refresh-1")
      #expect(session.expires == original.expires)
      #expect(session.signedInAt == original.signedInAt)
      #expect(session.lifetime == original.lifetime)
      #expect(session.details == original.details)
      #expect(session.providerTokens.map { $0.reveal() } == ["AAAB1+x/y="])
      #expect(session.providerTokens.map(\.expires) == original.providerTokens.map(\.expires))
      #expect(read.sessions["Müller"]?.refreshToken == nil)
      #expect(read.choices == ["provider": "Facebook"])
      #expect(read.secrets["registration"]?.revealed == "key material")
    }
  }

  @Test("RP-9 Nothing of it can be read in the file, which only its owner may open")
  func sealed() async throws {
    try await Sample.withFolder { folder in
      try Self.store(in: folder).update { $0 = Self.full() }
      let path = folder.appending(path: "credentials").path()
      let text = try String(contentsOfFile: path, encoding: .utf8)
      // Each has an octet that no ciphertext has in this file, or too many to be there by chance.
      for secret in [
        "sesame", "refresh-1", "AAAB1", "Mia M", "key material", "\"acs\"", "Facebook",
      ] {
        #expect(!text.contains(secret))
      }
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
          == ["credentials", "credentials.lock", "key"])
    }
  }

  @Test("A passphrase opens the file in another process, a wrong one leaves it alone")
  func passphrase() async throws {
    try await Sample.withFolder { folder in
      let path = folder.appending(path: "credentials").path()
      let store = FileCredentialStore(path: path, key: .passphrase(Secret("horse")), cost: 1 << 10)
      try store.update { $0.choices["a"] = "b" }
      let other = FileCredentialStore(path: path, key: .passphrase(Secret("horse")))
      #expect(try other.read().choices == ["a": "b"])
      let before = try Data(contentsOf: URL(filePath: path))
      let wrong = FileCredentialStore(path: path, key: .passphrase(Secret("cow")))
      expect(throws: TokenError(.sessionStoreKey)) { try wrong.read() }
      expect(throws: TokenError(.sessionStoreKey)) { try wrong.update { $0.choices = [:] } }
      expect(throws: TokenError(.sessionStoreKey)) { try Self.store(in: folder).read() }
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
  }

  @Test("A key comes from a file of its own, raw or in base64, or from the environment")
  func keySources() async throws {
    try await Sample.withFolder { folder in
      let path = folder.appending(path: "credentials").path()
      try Self.store(in: folder).update { $0.choices["a"] = "b" }
      let base64 = folder.appending(path: "base64")
      try Data((Data(0..<32).base64EncodedString() + "\n").utf8).write(to: base64)
      try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: base64.path())
      unsafe setenv("TEST_STORE_KEY", Data(0..<32).base64EncodedString(), 1)
      for key in [StoreKey.file(base64.path()), .environment("TEST_STORE_KEY")] {
        #expect(try FileCredentialStore(path: path, key: key).read().choices == ["a": "b"])
      }
    }
  }

  @Test(
    "A key that is missing, short, or open to others is refused",
    arguments: [
      StoreKey.file("/nonexistent"), .environment("NO_SUCH_VARIABLE"), .environment("PATH"),
      .passphrase(Secret("")),
    ])
  func badKeys(key: StoreKey) async throws {
    try await Sample.withFolder { folder in
      let store = FileCredentialStore(path: folder.appending(path: "c").path(), key: key)
      expect(throws: TokenError(.sessionStoreKeySource)) { try store.update { _ in } }
    }
  }

  @Test("A key file that others can read is refused")
  func openKey() async throws {
    try await Sample.withFolder { folder in
      let key = try Self.keyFile(in: folder, mode: 0o640)
      let store = FileCredentialStore(
        path: folder.appending(path: "c").path(), key: .file(key.path()))
      expect(throws: TokenError(.sessionStoreKeySource)) { try store.update { _ in } }
    }
  }

  @Test("A damaged file is reported, renamed unchanged by a change, and never overwritten")
  func damaged() async throws {
    try await Sample.withFolder { folder in
      let file = folder.appending(path: "credentials")
      var aside: [Data] = []
      // Cut short, a changed octet of the content.
      for damage in 0..<2 {
        try Self.store(in: folder).update { $0 = Self.full() }
        var data = try Data(contentsOf: file)
        if damage == 0 { data.removeLast(5) } else { data[data.count - 20] ^= 1 }
        try data.write(to: file)
        let read = expect(throws: TokenError(.sessionStoreDamaged)) {
          try Self.store(in: folder).read()
        }
        #expect(read?.found == nil)
        #expect(try Data(contentsOf: file) == data)
        let error = expect(throws: TokenError(.sessionStoreDamaged)) {
          try Self.store(in: folder).update { $0.choices["a"] = "b" }
        }
        let name = "credentials.damaged-\(damage + 1)"
        #expect(error?.found?.hasSuffix(name) == true)
        aside.append(data)
        #expect(!FileManager.default.fileExists(atPath: file.path()))
        for (number, data) in aside.enumerated() {
          let kept = folder.appending(path: "credentials.damaged-\(number + 1)")
          #expect(try Data(contentsOf: kept) == data)
        }
      }
      // The next start has an empty store.
      #expect(try Self.store(in: folder).read().sessions.isEmpty)
    }
  }

  @Test("Every octet is authenticated: no changed file opens with other content")
  func everyOctet() async throws {
    try await Sample.withFolder { folder in
      let file = folder.appending(path: "credentials")
      try Self.store(in: folder).update { $0.choices["a"] = "b" }
      let data = try Data(contentsOf: file)
      for index in data.indices.dropLast() {
        var changed = data
        changed[index] ^= 1
        try changed.write(to: file)
        expect(throws: TokenError.self) { try Self.store(in: folder).read() }
      }
      try data.write(to: file)
      #expect(try Self.store(in: folder).read().choices == ["a": "b"])
    }
  }

  @Test("The file of a later release is not changed")
  func laterVersion() async throws {
    try await Sample.withFolder { folder in
      let file = folder.appending(path: "credentials")
      try Self.store(in: folder).update { _ in }
      let text = try String(contentsOf: file, encoding: .utf8)
        .replacingOccurrences(of: "\"version\":1", with: "\"version\":2")
      try Data(text.utf8).write(to: file)
      expect(throws: TokenError(.sessionStoreVersion)) { try Self.store(in: folder).read() }
      #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }
  }

  @Test(
    "An error of the change leaves the file as it was, and a folder that is missing is an error")
  func errors() async throws {
    try await Sample.withFolder { folder in
      let store = try Self.store(in: folder)
      try store.update { $0.choices["a"] = "b" }
      expect(throws: TokenError(.emptyInput)) {
        try store.update { (content) throws(TokenError) in
          content.choices = [:]
          throw TokenError(.emptyInput)
        }
      }
      #expect(try store.read().choices == ["a": "b"])
      let lost = FileCredentialStore(
        path: folder.appending(path: "none/c").path(),
        key: .file(folder.appending(path: "key").path()))
      expect(throws: TokenError(.sessionStoreFile)) { try lost.read() }
    }
  }

  @Test("A link in place of the draft or the file is not followed")
  func links() async throws {
    try await Sample.withFolder { folder in
      let victim = folder.appending(path: "victim")
      try Data("victim".utf8).write(to: victim)
      let store = try Self.store(in: folder)
      for name in ["credentials.new", "credentials"] {
        let link = folder.appending(path: name)
        try? FileManager.default.removeItem(at: link)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: victim)
        _ = try? store.update { $0.choices["a"] = "b" }
        #expect(try Data(contentsOf: victim) == Data("victim".utf8))
      }
    }
  }

  @Test("Killed at a hundred random moments, the old or the new content is there")
  func kills() async throws {
    try await Sample.withFolder { folder in
      let key = try Self.keyFile(in: folder)
      let file = folder.appending(path: "credentials")
      let store = FileCredentialStore(path: file.path(), key: .file(key.path()))
      var expected = 0
      var outcomes: Set<String> = []
      for _ in 0..<100 {
        let writer = try WriterProcess(file, key: key, name: "a", count: 1_000_000)
        let first = writer.firstNumber()
        // Some writes later, anywhere within one.
        usleep(UInt32.random(in: 0..<8000))
        writer.kill()
        let last = writer.lastNumber() ?? first
        let stored = try Int(#require(store.read().choices["a"])) ?? -1
        // The interrupted write is complete or missing, and no earlier one is lost.
        #expect(stored == last || stored == last + 1)
        #expect(last > expected)
        outcomes.insert(stored == last ? "old" : "new")
        expected = stored
      }
      #expect(try store.read().choices["all"] == "\(expected)")
    }
  }

  @Test("Two processes and this one write at once, and nothing is lost")
  func concurrent() async throws {
    let seconds = ProcessInfo.processInfo.environment["LONG_TESTS"] == nil ? 1 : 10
    try await Sample.withFolder { folder in
      let key = try Self.keyFile(in: folder)
      let file = folder.appending(path: "credentials")
      let store = FileCredentialStore(path: file.path(), key: .file(key.path()))
      let writers = try ["a", "b"].map {
        try WriterProcess(file, key: key, name: $0, count: 1_000_000)
      }
      for writer in writers { _ = writer.firstNumber() }
      let clock = ContinuousClock()
      let end = clock.now + .seconds(seconds)
      var own = 0
      var isEveryoneWriting = false
      while clock.now < end || !isEveryoneWriting {
        let content = try store.update {
          $0.choices["all"] = "\((Int($0.choices["all"] ?? "") ?? 0) + 1)"
        }
        own += 1
        isEveryoneWriting =
          own > 1 && ["a", "b"].allSatisfy { Int(content.choices[$0] ?? "") ?? 0 > 1 }
      }
      for writer in writers { writer.kill() }
      let last = writers.map { $0.lastNumber() ?? 0 }
      let choices = try store.read().choices
      let counts = ["a", "b"].map { Int(choices[$0] ?? "") ?? 0 }
      for (count, last) in zip(counts, last) { #expect(count == last || count == last + 1) }
      #expect(Int(choices["all"] ?? "") == counts[0] + counts[1] + own)
      #expect(isEveryoneWriting)
    }
  }
}
