#if Server
  import Foundation
  import CommandSupport
  @testable import CommandServer
  @testable import GateCommand
  import GateService
  import IdentityProviderTesting
  import SecurityKeys
  import TestSupport
  import Testing

  /// SVC-7: `check` and `metadata` read all that `run` reads, say which file is wrong, and write nothing.
  @Suite("Checking a gate's file")
  struct GateCheckTests {
    private let folder: GateFolder

    init() throws { folder = try GateFolder() }

    /// A gate made of the usual file and these members, to check it.
    private func check(_ members: String = "") throws -> GateAssembly {
      try GateAssembly(GateFile(folder.file(members)), .check)
    }

    private func failure(_ members: String) -> TokenError? {
      let failure = #expect(throws: CommandFailure.self) { try self.check(members) }
      return failure?.causes.first
    }

    @Test("A key that signs identities serves nothing else; one of its own does not hurt")
    func keyTwice() throws {
      for name in ["rp-ec256", "rp-rsa", "idp-rsa"] {
        try Data(TestVector.bytes("keys/\(name).key")).write(
          to: folder.url.appending(path: "\(name).key"))
      }
      try Data(TestVector.bytes("keys/rp-rsa.crt")).write(
        to: folder.url.appending(path: "rp-rsa.crt"))
      func members(_ key: String) -> String {
        """
        , "signingKey": "rp-rsa.key", "certificate": "rp-rsa.crt", "decryptKeys": ["idp-rsa.key"],
        "identityToken": {"header": "X-Identity", "keys": ["\(key).key"]}
        """
      }
      for name in ["rp-rsa", "idp-rsa"] {
        let error = failure(members(name))
        #expect(error?.code == .gateKeyTwice && error?.node?.contains("\(name).key") == true)
      }
      _ = try check(members("rp-ec256"))
    }

    @Test("A key to which an OpenID provider encrypts is not the one that signs for us")
    func openIDKeys() throws {
      for name in ["rp-ec256", "rp-rsa"] {
        try folder.write("\(name).key", TestVector.bytes("keys/\(name).key"))
      }
      func check(_ key: String) throws -> GateAssembly {
        try folder.write(
          "openid.json",
          """
          {"public": "https://app.example", "listen": "[::1]:4180",
           "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]},
           "providers": [{"id": "op", "openID": {"issuer": "https://op.example", "clientID": "c",
             "authentication": "privateKey", "clientKeys": ["rp-ec256.key"], "decryptKeys": ["\(key).key"]}}],
           "headers": {"X-Remote-User": "subject"}}
          """)
        return try GateAssembly(GateFile(folder.path("openid.json")), .check)
      }
      let failure = #expect(throws: CommandFailure.self) { _ = try check("rp-ec256") }
      #expect(failure?.causes.first?.code == .signInConfiguration)
      #expect(failure?.causes.first?.found == "the key of clientKey")
      _ = try check("rp-rsa")
    }

    @Test("Nothing is written, with any store; what is in order brings no warning")
    func writesNothing() throws {
      try folder.write("keys", Data(repeating: 1, count: 32).base64EncodedString() + "\n")
      let keys = ", \"cookieKeys\": \"keys\""
      for store in ["\"memory\"", "\"sqlite:gate.db\"", "{\"redis\": \"redis://127.0.0.1:1\"}"] {
        let assembly = try check(keys + ", \"session\": {\"store\": \(store)}")
        #expect(assembly.warnings == [])
        #expect(folder.names == ["idp.xml", "keys", "gate.json"])
      }
    }

    @Test("An error in a file has the member or the provider, and the file, once")
    func places() throws {
      try folder.write("bad", "# no key\n")
      #expect(failure(", \"cookieKeys\": \"bad\"")?.node?.contains("cookieKeys, ") == true)
      #expect(failure(", \"signingKey\": \"bad\"")?.node?.contains("signingKeys, ") == true)
      #expect(
        failure(", \"tokens\": \"absent.json\"")?.node?.contains("tokens, absent.json") == true)
      try folder.write("trust.json", "{")
      #expect(
        failure(", \"tokens\": \"trust.json\"")?.node?.contains("tokens, trust.json") == true)
      for text in ["<html>", folder.metadata.replacing("IDPSSO", with: "SPSSO")] {
        try folder.write("idp.xml", text)
        let node = failure("")?.node ?? ""
        #expect(node.hasPrefix("provider campus, \(folder.path("idp.xml"))"), "\(node)")
      }
      try FileManager.default.removeItem(atPath: folder.path("idp.xml"))
      #expect(failure("")?.node == "provider campus, \(folder.path("idp.xml"))")
    }

    @Test("A secret and an address that the trust file names are read, and nothing is fetched")
    func tokenIssuers() throws {
      func trust(_ issuer: String) throws {
        try folder.write(
          "trust.json", "{\"audiences\": [\"urn:api\"], \"issuers\": [{\"name\": \(issuer)}]}")
      }
      let members = ", \"people\": \"shared\", \"tokens\": \"trust.json\""
      try folder.write("secret", "s3cret\n")
      for (secret, code) in [("secret", nil), ("absent", TokenError.Code.registryUnreadableFile)] {
        try trust(
          """
          "urn:as", "introspection": {"at": "https://as.example/i", "clientID": "c",
          "clientSecret": "file:\(secret)"}
          """)
        if let code {
          let error = failure(members)
          #expect(error?.code == code, "\(String(describing: error))")
          #expect(error?.node?.contains("tokens, trust.json") == true)
        } else {
          #expect(try check(members).warnings == [])
        }
      }
    }

    @Test("A secret in a file is what stands there, without the line's end")
    func secrets() throws {
      try folder.write("secret", "se cret\n")
      #expect(try GateFile(folder.file()).secret("secret").revealed == "se cret")
    }

    @Test("A file of cookie keys has one key of 32 octets or more of them, one a line")
    func cookieKeys() throws {
      for (text, place) in [
        (Data(repeating: 1, count: 16).base64EncodedString(), "line 1"), ("\n \n", "cookieKeys"),
      ] {
        try folder.write("keys", text)
        let error = failure(", \"cookieKeys\": \"keys\"")
        #expect(error?.code == .gateValue && error?.node?.contains(place) == true, "\(text)")
      }
      let key = Data(repeating: 1, count: 32).base64EncodedString()
      try folder.write("keys", key + "\n\n" + key)
      _ = try check(", \"cookieKeys\": \"keys\"")
    }

    @Test(
      "Each certificate is that of a key, and the issuers of tokens have a place among the people")
    func strangers() throws {
      let key = try PrivateKey(generating: .rsa2048)
      let now = SystemTime().now
      let certificate = try Certificate(
        selfSigning: key, name: "other", notBefore: now, notAfter: now.advanced(bySeconds: 60))
      try folder.write("other.crt", certificate.der)
      let alone = failure(", \"certificate\": \"other.crt\"")
      #expect(alone?.code == .gateValue && alone?.node == "certificates, other.crt")
      try folder.write("own.key", key.exportedDER)
      _ = try check(", \"certificate\": \"other.crt\", \"signingKey\": \"own.key\"")
      func trust(_ id: String) throws {
        try folder.write(
          "trust.json",
          """
          {"audiences": ["https://app.example/api"],
           "issuers": [{"name": "https://issuer.example/", "keys": ["other.crt"]\(id)}]}
          """)
      }
      let members = ", \"tokens\": \"trust.json\", \"people\": \"by provider\""
      try trust("")
      let nameless = failure(members)
      #expect(nameless?.code == .gateValue && nameless?.expected?.hasPrefix("id for each") == true)
      try trust(", \"id\": \"api\"")
      _ = try check(members)
    }

    @Test(
      "A signing key needs its certificate; one that decrypts alone, or that all may write, brings a word"
    )
    func words() throws {
      let key = try PrivateKey(generating: .rsa2048)
      try folder.write("own.key", key.exportedDER)
      let members = ", \"signingKey\": \"own.key\", \"decryptKeys\": [\"own.key\"]"
      let alone = failure(members)
      #expect(alone?.code == .gateValue && alone?.node == "signingKeys, own.key")
      let opening = try check(", \"decryptKeys\": [\"own.key\"]").warnings
      #expect(
        opening.count == 1 && opening[0].hasPrefix("decryptKeys has no key with a certificate"))
      let now = SystemTime().now
      let certificate = try Certificate(
        selfSigning: key, name: "app.example", notBefore: now, notAfter: now.advanced(bySeconds: 60)
      )
      try folder.write("own.crt", certificate.der)
      #expect(try check(members + ", \"certificate\": \"own.crt\"").warnings == [])
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o666], ofItemAtPath: folder.path("own.key"))
      let open = try check(members + ", \"certificate\": \"own.crt\"").warnings
      #expect(open.count == 1 && open.allSatisfy { $0.contains("own.key, mode 666") })
    }

    @Test("Of what happens, the log has what carries a code, and who signed in")
    func logged() {
      for (activity, isLogged) in [
        (Activity("gate.refused", [("path", "/"), ("code", "gate.path")]), true),
        (Activity("signin.succeeded", [("source", "campus")]), true),
        (Activity("signin.return-path-refused"), false),
        (Activity("store.failed", [("error", "code")]), false),
      ] { #expect(GateAssembly.isLogged(activity) == isLogged, "\(activity.name)") }
    }

    @Test("Sessions that no key opens are counted for who lists and ends them, and are a failure")
    func sealedSessions() throws {
      let sealed = SealedSessions()
      #expect(sealed.count == 0)
      try SessionsCommand.check(sealed)
      sealed.happened(Activity("store.session-sealed", [("code", "store.other-keys")]))
      sealed.happened(Activity("store.failed", [("code", "store.other-keys")]))
      sealed.happened(Activity("store.session-sealed"))
      #expect(sealed.count == 2)
      let remark = SessionsCommand.remark(onSealed: 2)
      #expect(remark.hasPrefix("2 more that no key of cookieKeys opens"))
      #expect(throws: (any Error).self) { try SessionsCommand.check(sealed) }
    }

    @Test("The gate sweeps its store; one that takes nothing is counted and logged")
    func sweeps() async throws {
      let file = try GateFile(folder.file(", \"session\": {\"store\": \"sqlite:gate.db\"}"))
      let assembly = try GateAssembly(file, .run)
      let now = SystemTime().now
      let (over, living) = (SessionID.make().id, SessionID.make().id)
      for (id, seconds) in [(over, 10), (living, 600)] as [(SessionID, Int64)] {
        try await assembly.stores.sessions.insert(
          SignedInSession(
            principal: FederatedPrincipal(
              issuer: folder.idp.entityID, subject: "ada", claims: ClaimSet(), format: .saml20,
              issuerSession: IssuerSession(), warnings: []),
            provider: "campus", begun: now, end: now.advanced(bySeconds: seconds), lastUse: now),
          id)
      }
      await GateAssembly.running(assembly, at: file.path).sweep(at: now.advanced(bySeconds: 60))
      #expect(try await assembly.stores.sessions.session(over) == nil)
      #expect(try await assembly.stores.sessions.session(living) != nil)
      #expect(assembly.counters.count(of: .signInSessionStore) == 0)
    }
  }
#endif
