#if Server
  import Foundation
  import CommandSupport
  @testable import GateCommand
  import GateService
  import IdentityProviderTesting
  import SecurityKeys
  import TestSupport
  import Testing

  /// SVC-7: `check` and `metadata` read all that `run` reads, say which file is wrong, and write nothing.
  @Suite("Checking a gate's file")
  final class GateCheckTests {
    private let folder = FileManager.default.temporaryDirectory
      .appending(path: "gate-check-\(UUID().uuidString)")
    private let idp: IdentityProviderSimulator

    init() throws {
      idp = try IdentityProviderSimulator()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try write("idp.xml", metadata)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var metadata: String {
      """
      <md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example/">\
      <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">\
      <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>\
      <ds:X509Certificate>\(Data(idp.certificate.der).base64EncodedString())</ds:X509Certificate></ds:X509Data>\
      </ds:KeyInfo></md:KeyDescriptor><md:SingleSignOnService \
      Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example/sso"/>\
      </md:IDPSSODescriptor></md:EntityDescriptor>
      """
    }

    private func write(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }

    /// A gate made of the usual file and these members, to check it.
    private func check(_ members: String = "") throws -> GateAssembly {
      try write(
        "gate.json",
        """
        {"public": "https://app.example", "listen": "[::1]:4180",
         "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]},
         "providers": [{"id": "campus", "saml": {"metadata": "idp.xml"}}],
         "headers": {"X-Remote-User": "subject"}\(members)}
        """)
      return try GateAssembly(GateFile(folder.appending(path: "gate.json").path()), .check)
    }

    private func failure(_ members: String) -> TokenError? {
      let failure = #expect(throws: CommandFailure.self) { try self.check(members) }
      return failure?.causes.first
    }

    private var names: Set<String> {
      Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? [])
    }

    @Test("A key that signs identities serves nothing else; one of its own does not hurt")
    func keyTwice() throws {
      for name in ["rp-ec256", "rp-rsa", "idp-rsa"] {
        try Data(TestVector.bytes("keys/\(name).key")).write(
          to: folder.appending(path: "\(name).key"))
      }
      try Data(TestVector.bytes("keys/rp-rsa.crt")).write(to: folder.appending(path: "rp-rsa.crt"))
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

    @Test("Nothing is written, with any store; what is in order brings no warning")
    func writesNothing() throws {
      try write("keys", Data(repeating: 1, count: 32).base64EncodedString() + "\n")
      let keys = ", \"cookieKeys\": \"keys\""
      for store in ["\"memory\"", "\"sqlite:gate.db\"", "{\"redis\": \"redis://127.0.0.1:1\"}"] {
        let assembly = try check(keys + ", \"session\": {\"store\": \(store)}")
        #expect(assembly.warnings == [])
        #expect(names == ["idp.xml", "keys", "gate.json"])
      }
    }

    @Test("An error in a file has the member or the provider, and the file")
    func places() throws {
      try write("bad", "# no key\n")
      #expect(failure(", \"cookieKeys\": \"bad\"")?.node?.contains("cookieKeys, ") == true)
      #expect(failure(", \"signingKey\": \"bad\"")?.node?.contains("signingKeys, ") == true)
      #expect(
        failure(", \"tokens\": \"absent.json\"")?.node?.contains("tokens, absent.json") == true)
      try write("trust.json", "{")
      #expect(failure(", \"tokens\": \"trust.json\"")?.node?.contains("tokens, trust.json") == true)
      for text in ["<html>", metadata.replacing("IDPSSO", with: "SPSSO")] {
        try write("idp.xml", text)
        let node = failure("")?.node ?? ""
        #expect(node.contains("provider campus, ") && node.contains("idp.xml"), "\(node)")
      }
    }

    @Test(
      "A signing key needs its certificate; one that decrypts alone, or that all may write, brings a word"
    )
    func words() throws {
      let key = try PrivateKey(generating: .rsa2048)
      try Data(key.exportedDER).write(to: folder.appending(path: "own.key"))
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
      try Data(certificate.der).write(to: folder.appending(path: "own.crt"))
      #expect(try check(members + ", \"certificate\": \"own.crt\"").warnings == [])
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o666], ofItemAtPath: folder.appending(path: "own.key").path())
      let open = try check(members + ", \"certificate\": \"own.crt\"").warnings
      #expect(open.count == 1 && open.allSatisfy { $0.contains("own.key, mode 666") })
    }
  }
#endif
