#if Server
  import AccessControl
  import CommandSupport
  import Foundation
  import HTTPExchange
  import IdentityProviderTesting
  import LocalFiles
  import TestSupport
  import Testing

  @testable import AccessControlCommand

  @Suite("The files of the local Access Control Service")
  struct ServiceFolderTests {
    private let directory: ServiceDirectory

    init() throws { directory = try ServiceDirectory() }

    private func refusals(
      _ members: String = "", party: String = "", provider: String = ""
    ) -> [TokenError] {
      causes {
        try directory.folder(members, party: party, provider: provider).checkFiles()
      }
    }

    @Test("All that is wrong with the files is told at once, and each of it once")
    func together() throws {
      #expect(refusals() == [])
      let party = ", \"encryptTo\": \"party.pem\""
      let members = ", \"serviceIdentities\": [{\"name\": \"up\", \"certificate\": \"up.pem\"}]"
      let errors = refusals(members, party: party)
      #expect(errors.map(\.code) == [.unreadableFile, .unreadableFile], "\(errors)")
      #expect(errors.count { "\($0)".contains("party.pem") } == 1)
      #expect(errors.count { "\($0)".contains("up.pem") } == 1)
    }

    @Test("A relying party of JSON Web Tokens is encrypted to by its JSON Web Key")
    func webRecipient() throws {
      let key = try PrivateKey(generating: .ec256).publicKey
      let set = PublishedKey.keySet([], encryptingTo: [key])
      try directory.write("party.jwk", String(decoding: set, as: UTF8.self))
      func folder(_ members: String) throws -> ServiceFolder {
        try directory.file(party: ", \"encryptTo\": \"party.jwk\"\(members)")
        let text = try String(contentsOfFile: directory.path("acs.json"), encoding: .utf8)
        try directory.write("acs.json", text.replacing("SAML 2.0", with: "JWT"))
        return try ServiceFolder(directory.path("acs.json"))
      }
      let party = try #require(try folder("").relyingParties().first)
      #expect(party.requiresEncryption && party.webRecipient?.encryption == .aes256GCM)
      #expect(party.webRecipient?.algorithm == .ecdhESA256KW)
      let other = try folder(", \"encryption\": \"A128CBC-HS256\"")
      #expect(try other.relyingParties().first?.webRecipient?.encryption == .aes128CBCHMAC)
      let secret = "{\"kty\": \"oct\", \"k\": \"\(String(repeating: "A", count: 43))\"}"
      let cases: [(String, TokenError.Code)] = [
        (secret, .issuingFileValue), ("{\"kty\": \"EC\"}", .unsupportedKey), ("x", .malformedJSON),
      ]
      for (text, code) in cases {
        try directory.write("party.jwk", text)
        let errors = causes { try folder("").checkFiles() }
        #expect(errors.first?.code == code && errors.count == 1, "\(errors)")
        #expect("\(errors)".contains("party.jwk"), "\(errors)")
      }
    }

    @Test("Check prints the protocols that a file leaves open, as the line that changes them")
    func assumedProtocols() throws {
      let cases = [
        (
          "",
          "\"wsFederation\", \"openID\", \"draft13\", \"wrap\", \"wsTrust\", \"exchange\", \"assertionGrants\""
        ),
        (", \"clientSecret\": \"a secret of it\"", "\"openID\", \"exchange\", \"assertionGrants\""),
      ]
      for (member, list) in cases {
        let party = try #require(directory.folder(party: member).relyingParties().first)
        let line = try #require(ServiceFolder.assumedProtocols(of: party))
        #expect(line.contains("assumed is \"protocols\": [\(list)]."), "\(line)")
        // The line is one that the file takes, and then there is nothing to say.
        let written = try directory.folder(party: member + ", \"protocols\": [\(list)]")
        let listed = try #require(written.relyingParties().first)
        #expect(listed.protocols == party.protocols)
        #expect(ServiceFolder.assumedProtocols(of: listed) == nil)
      }
    }

    @Test("Check says how exchanged tokens name people where the file does not")
    func exchangedNames() throws {
      let exchanged = ", \"clientSecret\": \"a secret of it\", \"exchangeFor\": [\"urn:wiki\"]"
      for (member, isSaid) in [
        ("", false), (exchanged, true), (exchanged + ", \"identifiers\": \"pairwise\"", false),
        (exchanged + ", \"identifiers\": \"public\"", false),
      ] {
        let party = try #require(directory.folder(party: member).relyingParties().first)
        let line = ServiceFolder.exchangedNames(of: party)
        #expect((line?.contains(party.realm) ?? false) == isSaid, "\(member)")
      }
    }

    @Test("Check warns of a service identity that is called as a relying party is")
    func sharedNames() throws {
      let party = try #require(directory.folder("").relyingParties().first)
      for (name, isShared) in [(party.realm, true), ("else", false)] {
        let line = ServiceFolder.sharedName(of: party, [ServiceIdentity(name: name)])
        #expect((line?.contains(party.realm) ?? false) == isShared)
      }
    }

    @Test("A secret in a file is a text, without the line's end")
    func secrets() throws {
      let members =
        ", \"serviceIdentities\": [{\"name\": \"up\", \"password\": \"file:up.secret\"}]"
      for content in ["", " \n\n"] {
        try directory.write("up.secret", content)
        #expect(refusals(members).map(\.code) == [.issuingFileValue], "\(content)")
      }
      try directory.write("up.secret", "pass word\n")
      let identities = try directory.folder(members).identities()
      #expect(identities.first?.password?.revealed == "pass word")
    }

    @Test("A secret in a file may be a digest, and one that only begins like a digest is refused")
    func digests() throws {
      let members =
        ", \"admins\": [{\"name\": \"ada\", \"password\": \"file:ada.secret\", \"role\": \"editor\"}]"
      let digest = try #require(HashedSecret.text(of: "open sesame"))
      for (text, codes) in [(digest, []), (String(digest.dropLast()), [.issuingFileValue])]
        as [(String, [TokenError.Code])]
      {
        try directory.write("ada.secret", text + "\n")
        #expect(refusals(members).map(\.code) == codes)
      }
    }

    private func service(_ entityID: String) throws -> String {
      let key = try PrivateKey(generating: .rsa2048)
      let service = try ServiceProvider(
        entityID: entityID, consumer: HTTPURL("https://wiki.example/acs"),
        signingKeys: [SigningKey(key)])
      return String(decoding: try service.metadata().document(), as: UTF8.self)
    }

    @Test("The metadata of a relying party is that of its realm, whatever else is in the file")
    func metadata() throws {
      let party = ", \"metadata\": \"wiki.xml\""
      try directory.write("wiki.xml", try service("urn:other"))
      #expect(refusals(party: party).map(\.code) == [.issuingMetadataImport])
      try directory.write("wiki.xml", try service("urn:wiki"))
      #expect(refusals(party: party) == [])
      let parties = try directory.folder(party: party).relyingParties()
      #expect(parties.first?.serviceProvider?.entityID == "urn:wiki")
    }

    private func document(until end: Instant) throws -> String {
      let service = try ServiceProvider(
        entityID: "urn:wiki", consumer: HTTPURL("https://wiki.example/acs"),
        signingKeys: [SigningKey(PrivateKey(generating: .rsa2048))])
      return String(decoding: try service.metadata(validUntil: end).document(), as: UTF8.self)
    }

    @Test(
      "Metadata that has ended is an error of a check, and of a start a warning, as one near its end is"
    )
    func endedMetadata() throws {
      let party = ", \"metadata\": \"wiki.xml\""
      let now = SystemTime().now
      for (seconds, isEnded, warning) in [
        (-60, true, " ended at "), (86_400, false, " ends at "), (2_592_000, false, nil),
      ] as [(Int64, Bool, String?)] {
        try directory.write("wiki.xml", try document(until: now.advanced(bySeconds: seconds)))
        let folder = try directory.folder(party: party)
        let errors = causes { try folder.checkFiles(includingFaults: true) }
        #expect(errors.map(\.code) == (isEnded ? [.metadataExpired] : []), "\(errors)")
        #expect(causes { try folder.checkFiles() } == [])
        let warnings = try ServiceAssembly(folder).warnings.filter { $0.contains("urn:wiki") }
        #expect(warnings.count == (warning == nil ? 0 : 1), "\(warnings)")
        if let warning { #expect(warnings.first?.contains(warning) == true, "\(warnings)") }
      }
    }

    @Test("A check reads the key and the protocols of metadata at an address, and fetches nothing")
    func fetchedMetadata() throws {
      // No server is there.
      let party = ", \"metadata\": \"http://127.0.0.1:9/md\""
      #expect(refusals(party: party) == [])
      let parties = try directory.folder(party: party).relyingParties()
      #expect(parties.first?.protocols == [.saml])
      let key = party + ", \"metadataKey\": \"signer.pem\", \"copy\": \"copy.xml\""
      let errors = refusals(party: key)
      #expect(errors.count == 1 && "\(errors)".contains("signer.pem"), "\(errors)")
      try directory.write(
        "signer.pem", String(decoding: TestVector.bytes("keys/idp-rsa.crt"), as: UTF8.self))
      #expect(refusals(party: key) == [])
    }

    @Test("A rule for a claim that a format reserves is an error of a check in each format")
    func reservedClaims() throws {
      for (format, type) in [
        ("SWT", "Audience"), ("JWT", "iss"), ("SAML 1.1", "authenticationinstant"),
        ("SAML 2.0", "authenticationinstant"),
      ] {
        for (given, codes) in [(type, [.issuingReservedClaim]), ("urn:can", [])]
          as [(String, [TokenError.Code])]
        {
          try directory.file()
          let text = try String(contentsOfFile: directory.path("acs.json"), encoding: .utf8)
          let rule = "{\"if\": {\"from\": \"Google\", \"type\": \"name\"}, \"type\": \"\(given)\"}"
          try directory.write(
            "acs.json",
            text.replacing("\"SAML 2.0\"", with: "\"\(format)\"")
              .replacing("[\"Google\"]", with: "[\"Google\"], \"rules\": [\(rule)]"))
          let folder = try ServiceFolder(directory.path("acs.json"))
          let errors = causes { try folder.checkFiles(includingFaults: true) }
          #expect(errors.map(\.code) == codes, "\(format) \(given)")
          #expect(causes { try folder.checkFiles() } == [], "\(format) \(given)")
        }
      }
    }

    @Test("Rules that were changed are kept and are there at the next start")
    func rules() throws {
      let folder = try directory.folder()
      #expect(try folder.changedRules() == [])
      var group = RuleGroup("default")
      group.rules = [
        ClaimRule(ClaimCondition(.provider("Google"), type: .name), outputType: .role)
      ]
      try folder.keep([group])
      #expect(try folder.changedRules() == [group])
      try folder.checkFiles()
      var gone = RuleGroup("gone")
      gone.rules = group.rules
      #expect(throws: TokenError(.issuingFileValue)) { try folder.keep([gone]) }
      #expect(try folder.changedRules() == [group])
      try directory.write(
        "acs.rules.json", String(decoding: RuleGroupFile.octets([gone]), as: UTF8.self))
      let errors = causes { _ = try folder.changedRules() }
      #expect(errors.first?.code == .issuingFileValue)
      #expect(causes { _ = try ServiceAssembly(folder) }.first?.code == .issuingFileValue)
    }

    @Test("The key of TLS belongs to its certificate")
    func tls() throws {
      let members = ", \"tls\": {\"certificate\": \"tls.crt\", \"key\": \"tls.key\"}"
      let (one, other) = (
        try PrivateKey(generating: .rsa2048), try PrivateKey(generating: .rsa2048)
      )
      let certificate = try Certificate(
        selfSigning: one, name: "acs", notBefore: Instant(secondsSinceEpoch: 0),
        notAfter: Instant(secondsSinceEpoch: 2_000_000_000))
      try directory.write("tls.crt", PEMText.certificate(certificate))
      func write(_ key: PrivateKey) throws {
        let lines = Data(key.exportedDER).base64EncodedString(options: .lineLength64Characters)
        try directory.write(
          "tls.key", "-----BEGIN RSA PRIVATE KEY-----\n\(lines)\n-----END RSA PRIVATE KEY-----\n")
      }
      try write(other)
      #expect(refusals(members).isEmpty == false)
      try write(one)
      #expect(refusals(members) == [])
    }

    @Test(
      "Real providers are read at a check, before there are keys and after; without them there is no sign-in of theirs"
    )
    func providers() throws {
      let campus = ", {\"id\": \"urn:campus\", \"saml\": {\"metadata\": \"idp.xml\"}}"
      #expect(try ServiceAssembly(directory.folder()).site.upstream == nil)
      try FileManager.default.removeItem(atPath: directory.path("acs.keys"))
      for _ in 0..<2 {
        let errors = refusals(provider: campus)
        #expect(errors.count == 1 && "\(errors)".contains("idp.xml"), "\(errors)")
        _ = try ServiceKeys(
          path: directory.path("acs.keys"), name: "acs", at: Instant(secondsSinceEpoch: 0))
      }
      try directory.write("idp.xml", try GateFolder().metadata)
      #expect(refusals(provider: campus) == [])
      let upstream = try ServiceAssembly(directory.folder(provider: campus)).site.upstream
      #expect(upstream?.providers.map(\.name).count == 1)
    }
  }
#endif
