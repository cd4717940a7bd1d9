#if Server
  import AccessControl
  import CommandServer
  import Foundation
  import LocalFiles
  import SecurityKeys
  import Testing

  @testable import AccessControlCommand

  @Suite("The keys of the local Access Control Service")
  struct ServiceKeysTests {
    private static let now = Instant(secondsSinceEpoch: 1_800_000_000)
    private let folder: ServiceDirectory
    private var path: String { folder.path("acs.keys") }

    init() throws { folder = try ServiceDirectory() }

    private func read() throws -> ServiceKeys {
      try ServiceKeys(path: path, name: "acs", at: Self.now)
    }

    @Test("The first run makes them, and every other has the same; the file is one line")
    func made() throws {
      #expect(try ServiceKeys(path: path) == nil)
      let first = try read()
      let again = try read()
      #expect(first.sealing == again.sealing && first.password == again.password)
      #expect(first.current.certificate.der == again.current.certificate.der)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.hasSuffix("}\n") && text.split(separator: "\n").count == 1)
    }

    @Test("Where nothing can be written there are none")
    func unwritable() throws {
      #expect(throws: TokenError(.issuingFileValue)) {
        try ServiceKeys(path: folder.path("nowhere/acs.keys"), name: "acs", at: Self.now)
      }
      #expect(throws: TokenError(.issuingFileValue)) {
        try ServiceKeys.roll(path: folder.path("nowhere/acs.keys"), name: "acs", at: Self.now)
      }
    }

    @Test(
      "Rolled over, the next one signs, the one before is still published, and the file says so")
    func rolled() throws {
      let first = try read()
      let rolled = try ServiceKeys.roll(path: path, name: "acs", at: Self.now)
      #expect(rolled.current.certificate.der == first.next.certificate.der)
      #expect(rolled.previous?.der == first.current.certificate.der)
      #expect(rolled.next.certificate.der != first.next.certificate.der)
      let kept = try read()
      #expect(kept.current.certificate.der == rolled.current.certificate.der)
      #expect(kept.next.certificate.der == rolled.next.certificate.der)
      #expect(kept.previous?.der == rolled.previous?.der && kept.sealing == first.sealing)
      #expect(try kept.namespaceKeys().certificates.count == 3)
      // Providers may encrypt to any of the three.
      let own = try kept.samlKeys()
      #expect(own.signing.count == 3 && own.decryption.count == 3)
      #expect(own.signing.first?.certificate?.der == kept.current.certificate.der)
      #expect(try first.samlKeys().decryption.count == 2)
      // A file of an earlier release has no key of the certificate before.
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let earlier = text.replacing(#/,"previousKey":"[^"]*"/#, with: "")
      #expect(earlier != text)
      try earlier.write(toFile: path, atomically: true, encoding: .utf8)
      #expect(try read().samlKeys().decryption.count == 2)
    }

    @Test(
      "An algorithm of its own has keys from the first run that asks for it, and they roll over")
    func webKeys() throws {
      let old = try read()
      let algorithms: [SignatureAlgorithm] = [.ecdsaSHA256, .ed25519, .rsaPSSSHA256]
      func asked() throws -> ServiceKeys {
        try ServiceKeys(path: path, name: "acs", algorithms: algorithms, at: Self.now)
      }
      let first = try asked()
      #expect(first.sealing == old.sealing && first.web.map(\.algorithm) == algorithms)
      let again = try asked()
      let rolled = try ServiceKeys.roll(path: path, name: "acs", at: Self.now)
      let kept = try read()
      for index in algorithms.indices {
        let keys = try first.web[index].signingKey()
        #expect(keys.signing.algorithm == algorithms[index] && keys.others.count == 1)
        #expect(
          try again.web[index].signingKey().signing.publicKey.isSameKey(as: keys.signing.publicKey))
        let next = try rolled.web[index].signingKey()
        #expect(next.signing.publicKey.isSameKey(as: keys.others[0]))
        #expect(next.others.count == 2 && next.others[1].isSameKey(as: keys.signing.publicKey))
        let read = try kept.web[index].signingKey()
        #expect(read.signing.publicKey.isSameKey(as: next.signing.publicKey))
        #expect(zip(read.others, next.others).allSatisfy { $0.isSameKey(as: $1) })
      }
      #expect(try kept.namespaceKeys().web.count == 3)
    }

    @Test("Keys of an algorithm that is none of ours, or of another kind, are no file of keys")
    func strangeWebKeys() throws {
      let whole = try ServiceKeys(
        path: path, name: "acs", algorithms: [.ecdsaSHA256], at: Self.now)
      #expect(whole.web.count == 1)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      for name in ["ES512", "EdDSA", "PS256", "HS256"] {
        try folder.write("acs.keys", text.replacing("\"ES256\"", with: "\"\(name)\""))
        #expect(throws: TokenError(.issuingFileValue), "\(name)") { try read() }
      }
    }

    @Test("While another holds the lock, nothing is rolled over")
    func locked() throws {
      let first = try read()
      let lock = try #require(try AtomicFile(path: path).lock(for: .zero))
      #expect(throws: TokenError(.issuingFileValue)) {
        try ServiceKeys.roll(path: path, name: "acs", at: Self.now, patience: .zero)
      }
      withExtendedLifetime(lock) {}
      #expect(try read().current.certificate.der == first.current.certificate.der)
    }

    @Test("Another file than one of keys is refused and left as it is, so that no key is lost")
    func broken() throws {
      _ = try read()
      let whole = try String(contentsOfFile: path, encoding: .utf8)
      let json = try #require(
        try JSONSerialization.jsonObject(with: Data(whole.utf8)) as? [String: Any])
      let short = Data(repeating: 1, count: 16).base64EncodedString()
      for (member, value) in [
        ("identifiers", short), ("current", "none"),
        ("next", ["key": "AA==", "certificate": "AA=="]),
        ("symmetric", "!"), ("sealing", 7), ("password", false),
      ] as [(String, Any)] {
        var changed = json
        changed[member] = value
        let data = try JSONSerialization.data(withJSONObject: changed)
        try data.write(to: URL(filePath: path))
        #expect(throws: TokenError(.issuingFileValue), "\(member)") { try read() }
        #expect(try Data(contentsOf: URL(filePath: path)) == data)
      }
      var earlier = json
      earlier["identifiers"] = nil
      try JSONSerialization.data(withJSONObject: earlier).write(to: URL(filePath: path))
      #expect(try read().current.certificate.der.isEmpty == false)
    }
  }
#endif
