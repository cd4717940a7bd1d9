#if Server
  import Foundation
  import CommandServer
  import CommandSupport
  @testable import GateCommand
  import GateService
  import IdentityProviderTesting
  @testable import RedisStores
  import TestSupport
  import Testing

  /// A file that is read anew takes the place of the old one, or does not.
  @Suite("Reading a gate's file anew")
  final class GateReloadTests {
    private let folder = FileManager.default.temporaryDirectory
      .appending(path: "gate-reload-\(UUID().uuidString)")
    private let idp: IdentityProviderSimulator

    init() throws {
      idp = try IdentityProviderSimulator()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let certificate = Data(idp.certificate.der).base64EncodedString()
      try write(
        "idp.xml",
        """
        <md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example/">\
        <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">\
        <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>\
        <ds:X509Certificate>\(certificate)</ds:X509Certificate></ds:X509Data>\
        </ds:KeyInfo></md:KeyDescriptor><md:SingleSignOnService \
        Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example/sso"/>\
        </md:IDPSSODescriptor></md:EntityDescriptor>
        """)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }

    private func file(
      _ members: String = "", listen: String = "[::1]:4180", origin: String = "https://app.example"
    ) throws -> GateFile {
      try write(
        "gate.json",
        """
        {"public": "\(origin)", "listen": "\(listen)",
         "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]},
         "providers": [{"id": "campus", "saml": {"metadata": "idp.xml"}}],
         "headers": {"X-Remote-User": "subject"}\(members)}
        """)
      return try GateFile(folder.appending(path: "gate.json").path())
    }

    @Test("Rules change; sessions, the keys of cookies and the counters stay")
    func takesOver() async throws {
      let first = try GateAssembly(file(), .run)
      let next = try GateAssembly(
        file(", \"rules\": [{\"path\": \"/a\", \"public\": true}]"), .reload(first))
      #expect(first.configuration.rules.rules.isEmpty && next.configuration.rules.rules.count == 1)
      #expect(next.cookieKeys == first.cookieKeys && next.counters === first.counters)
      let store = try #require(first.stores.sessions as? MemorySessionStore)
      #expect(next.stores.sessions as? MemorySessionStore === store)
    }

    @Test("What sockets and stores are tied to needs a restart, and is named")
    func restart() throws {
      let first = try GateAssembly(file(), .run)
      let files: [(String, () throws -> GateFile)] = [
        ("listen", { try self.file(listen: "[::1]:4182") }),
        ("operations", { try self.file(", \"operations\": \"[::1]:4183\"") }),
        ("public", { try self.file(origin: "https://other.example") }),
        ("session.store", { try self.file(", \"session\": {\"store\": \"sqlite:a.db\"}") }),
      ]
      for (member, file) in files {
        let failure = #expect(throws: CommandFailure.self) {
          try GateAssembly(file(), .reload(first))
        }
        let cause = failure?.causes.first
        #expect(cause?.code == .gateValue && cause?.node == member)
      }
      _ = try GateAssembly(file(), .reload(first))
    }

    @Test("A shared store has the keys and times of the new file, on the same connections")
    func sharedStore() throws {
      func lines(_ numbers: UInt8...) -> String {
        numbers.map { Data(repeating: $0, count: 32).base64EncodedString() + "\n" }.joined()
      }
      func gate(_ purpose: GateAssembly.Purpose, idle: Int) throws -> GateAssembly {
        let store =
          "{\"redis\": \"redis://gate@127.0.0.1:1\", \"password\": \"file:password\"}"
        let session = "\"session\": {\"store\": \(store), \"idle\": \(idle)}"
        return try GateAssembly(file(", \"cookieKeys\": \"keys\", " + session), purpose)
      }
      func sessions(_ assembly: GateAssembly) throws -> RedisSessionStore {
        try #require(assembly.stores.sessions as? RedisSessionStore)
      }
      func isSame(_ one: GateAssembly, _ other: GateAssembly) throws -> Bool {
        let clients = try [one, other].map {
          try #require($0.stores.shared?.client as? RedisClient)
        }
        return clients[0] === clients[1]
      }
      try write("password", "one\n")
      try write("keys", lines(1))
      let first = try gate(.run, idle: 600)
      #expect(try sessions(first).sealing.count == 1 && sessions(first).idle == 600)
      try write("keys", lines(2, 1))
      let next = try gate(.reload(first), idle: 1_200)
      #expect(try sessions(next).sealing.count == 2 && sessions(next).idle == 1_200)
      #expect(try isSame(first, next))
      try write("password", "two\n")
      #expect(try !isSame(next, gate(.reload(next), idle: 1_200)))
    }

    @Test("A file that is not in order leaves the gate in force as it is")
    func staysInForce() throws {
      let first = try GateAssembly(file(), .run)
      let running = GateAssembly.running(first, at: folder.appending(path: "gate.json").path())
      try write("gate.json", "{\"public\": 1}")
      running.reload()
      #expect(running.assembly.configuration.rules.rules.isEmpty)
      _ = try file(", \"rules\": [{\"path\": \"/a\", \"public\": true}]")
      running.reload()
      running.stop()
      #expect(running.assembly.configuration.rules.rules.count == 1)
    }
  }
#endif
