#if Server
  import CommandServer
  import FederationNetwork
  import Foundation
  import TestSupport
  import Testing

  @testable import AccessControl
  @testable import AccessControlCommand

  @Suite("The local Access Control Service that reads its file anew, and its operations")
  struct ServiceReloadTests {
    private let directory: ServiceDirectory

    init() throws { directory = try ServiceDirectory() }

    private func running() throws -> RunningServer<ServiceAssembly> {
      let assembly = try ServiceAssembly(directory.folder(", \"state\": \"memory\""))
      return ServiceAssembly.running(assembly, at: directory.path("acs.json"))
    }

    @Test("What was changed holds with the next request, and what was kept in memory stays")
    func reloads() async throws {
      let running = try running()
      let now = SystemTime().now
      let before = running.assembly
      try await before.state.values.keep(
        [7], under: ValueName("code"), until: now.advanced(bySeconds: 60), at: now)
      try directory.file(", \"state\": \"memory\", \"name\": \"Anew\"", party: ", \"lifetime\": 30")
      running.reload()
      defer { running.stop() }
      let after = running.assembly
      #expect(after.file.name == "Anew" && after.file.relyingParties[0].lifetime == 30)
      #expect(after.site.store.current.relyingParties[0].lifetime == 30)
      #expect(try await after.state.values.value(under: ValueName("code"), at: now) == [7])
      #expect(after.counters === before.counters && after.site.recent === before.site.recent)
    }

    @Test("What was fetched of a relying party outlives a new file that says the same of it")
    func keepsMetadata() async throws {
      func party(_ address: String, _ more: String = "") -> String {
        ", \"metadata\": \"http://127.0.0.1:9/\(address)\"\(more)"
      }
      let memory = ", \"state\": \"memory\""
      let first = try ServiceAssembly(directory.folder(memory, party: party("md")))
      let running = ServiceAssembly.running(first, at: directory.path("acs.json"))
      defer { running.stop() }
      let fetched = try #require(first.fetchedMetadata.first)
      let others = [party("md", ", \"lifetime\": 30"), party("other")]
      for (next, isSame) in zip(others, [true, false]) {
        try directory.file(memory, party: next)
        running.reload()
        let found = try #require(running.assembly.fetchedMetadata.first)
        #expect((found === fetched) == isSame, "\(next)")
      }
      #expect(running.assembly.fetchedMetadata.count == 1)
    }

    @Test("Health has a line for metadata of a relying party, whose server keeps nobody else out")
    func metadataHealth() async throws {
      let party = ", \"metadata\": \"http://127.0.0.1:9/md\""
      let assembly = try ServiceAssembly(
        directory.folder(", \"state\": \"memory\"", party: party))
      let report = await assembly.health(at: SystemTime().now)
      #expect(report.problems == [])
      #expect(
        report.warnings.contains {
          $0.hasPrefix("relying party urn:wiki: empty, http://127.0.0.1:9/md, never good")
        }, "\(report.text)")
    }

    @Test("A file that is not in order, or that needs a restart, leaves the service as it is")
    func staysInForce() throws {
      let running = try running()
      defer { running.stop() }
      try directory.write("acs.json", "{\"issuer\": 1}")
      running.reload()
      try directory.file(", \"state\": \"memory\"", party: ", \"encryptTo\": \"none.pem\"")
      running.reload()
      try directory.file(", \"state\": \"memory\", \"name\": \"Anew\"", port: 8_099)
      running.reload()
      try directory.file(", \"name\": \"Anew\"")
      running.reload()
      #expect(running.assembly.file.name != "Anew" && running.assembly.file.listen.port == 8_090)
      try directory.file(", \"state\": \"memory\", \"name\": \"Anew\"")
      running.reload()
      #expect(running.assembly.file.name == "Anew")
    }

    @Test(
      "A rule that is saved while the file is read anew holds afterwards, and stays with the next")
    func savedMeanwhile() throws {
      func add(_ type: ClaimType, _ assembly: ServiceAssembly) throws {
        let group = try #require(assembly.rules.groups.first)
        try assembly.rules.change(
          group.name, version: RuleEditor.version(of: group), in: assembly.site.store
        ) { rules in
          rules + [ClaimRule(ClaimCondition(.service, type: .nameIdentifier), outputType: type)]
        }
      }
      func given(_ assembly: ServiceAssembly) -> [String] {
        assembly.site.store.current.ruleGroups.flatMap(\.rules).compactMap { $0.outputType?.name }
          .filter { $0.hasPrefix("urn:") }
      }
      let running = try running()
      defer { running.stop() }
      let former = running.assembly
      let next = try ServiceAssembly(
        ServiceFolder(directory.path("acs.json")), replacing: former)
      try add("urn:one", former)
      running.replace(with: next)
      #expect(given(next) == ["urn:one"])
      #expect(throws: TokenError(.issuingRulesChanged)) { try add("urn:two", former) }
      try add("urn:two", next)
      #expect(given(next) == ["urn:one", "urn:two"])
      running.reload()
      #expect(given(running.assembly) == ["urn:one", "urn:two"])
    }

    /// The locks of POSIX on a file, of all processes.
    private func locks(_ name: String) throws -> Int {
      let attributes = try FileManager.default.attributesOfItem(atPath: directory.path(name))
      let inode = try #require(attributes[.systemFileNumber] as? Int)
      return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
        .filter { $0.contains(" POSIX ") && $0.contains(":\(inode) ") }.count
    }

    @Test(
      "The state keeps its lock when the file is read anew, and one that names another state is refused",
      .enabled(if: FileManager.default.isReadableFile(atPath: "/proc/locks")))
    func stateLock() async throws {
      let port = try await RunningProgram.freePort()
      try directory.file(port: port)
      let program = try RunningProgram("acs", ["run", "acs.json"], in: directory.url)
      #expect(program.says("is ready\n"), "\(program.talk)")
      let before = try locks("acs.db")
      #expect(before >= 1)
      program.hangUp()
      #expect(program.says("acs.json: reloaded\n"), "\(program.talk)")
      #expect(try locks("acs.db") == before)
      try directory.file(", \"state\": \"./acs.db\"", port: port)
      program.hangUp()
      #expect(program.says("acs.json: not reloaded"), "\(program.talk)")
      #expect(program.talk.contains("issuing.file-value"), "\(program.talk)")
      #expect(try locks("acs.db") == before)
      #expect(program.end() == 0)
    }

    @Test("Health says that all is well, or what is not, and metrics count by code")
    func health() async throws {
      let running = try running()
      let now = SystemTime().now
      #expect(await running.assembly.health(at: now).text == "ok\n")
      let late = await running.assembly.health(at: now.advanced(bySeconds: 63_000_000))
      #expect(late.problems.isEmpty && late.text.contains("warning: keys: "), "\(late.text)")
      _ = await running.assembly.site.respond(
        to: WebRequest(method: "GET", path: "/v2/wsfederation"))
      let text = running.assembly.counters.text(ends: running.assembly.keyEnds(at: now))
      #expect(text.contains("acs_events_total{event=\"issuing.refused\",code=\""), "\(text)")
      #expect(text.contains("acs_provider_days_left{provider=\"acs\"} 7"), "\(text)")
      try directory.file(", \"state\": {\"redis\": \"redis://127.0.0.1:1\"}")
      let away = try ServiceAssembly(ServiceFolder(directory.path("acs.json")))
      let report = await away.health(at: now)
      #expect(report.problems.contains { $0.contains("store.unavailable") }, "\(report.text)")
    }

    @Test(
      "The program answers operations and the admin pages at their address, and reads anew at SIGHUP"
    )
    func program() async throws {
      let port = try await RunningProgram.freePort()
      let other = try await RunningProgram.freePort()
      let operations = ", \"operations\": \"127.0.0.1:\(other)\""
      try directory.file(operations, port: port)
      let program = try RunningProgram("acs", ["run", "acs.json"], in: directory.url)
      #expect(program.says("is ready\n"), "\(program.talk)")
      let client = try AsyncHTTPClientTransport()
      func get(_ port: Int, _ path: String) async throws -> (status: Int, text: String) {
        let response = try await client.response(
          to: HTTPRequest(.get, HTTPURL("http://127.0.0.1:\(port)\(path)")))
        return (response.status, String(decoding: response.body, as: UTF8.self))
      }
      #expect(try await get(other, "/health") == (200, "ok\n"))
      #expect(try await get(other, "/metrics").text.contains("acs_provider_days_left"))
      #expect(try await get(other, "/admin").text.contains("password"))
      #expect(try await get(other, "/v2/openid/keys").status == 404)
      for path in ["/admin", "/health", "/metrics"] {
        #expect(try await get(port, path).status == 404, "\(path)")
      }
      try directory.file(operations + ", \"name\": \"Anew\"", port: port)
      program.hangUp()
      #expect(program.says("acs.json: reloaded\n"), "\(program.talk)")
      #expect(try await get(port, "/").text.contains("Anew"))
      #expect(program.end() == 0)
    }

    @Test("Admin pages at the public address are not beside health and metrics too")
    func adminPlace() async throws {
      let port = try await RunningProgram.freePort()
      let other = try await RunningProgram.freePort()
      try directory.file(
        ", \"operations\": \"127.0.0.1:\(other)\", \"admin\": \"public\"", port: port)
      let program = try RunningProgram("acs", ["run", "acs.json"], in: directory.url)
      #expect(program.says("is ready\n"), "\(program.talk)")
      let client = try AsyncHTTPClientTransport()
      for (port, path, status) in [
        (port, "/admin", 200), (other, "/admin", 404), (other, "/health", 200),
      ] {
        let response = try await client.response(
          to: HTTPRequest(.get, HTTPURL("http://127.0.0.1:\(port)\(path)")))
        #expect(response.status == status, "\(path)")
      }
      #expect(program.end() == 0)
    }

    @Test(
      "A certificate of TLS that was renewed is shown to the next connection after SIGHUP, one that is broken to none"
    )
    func certificates() async throws {
      func use(_ name: String, key: String? = nil) throws {
        for (file, source) in [("tls.crt", name + ".crt"), ("tls.key", (key ?? name) + ".key")] {
          try Data(TestVector.bytes("keys/" + source)).write(
            to: directory.url.appending(path: file))
        }
      }
      try use("tls-other")
      let port = try await RunningProgram.freePort()
      try directory.file(
        ", \"tls\": {\"certificate\": \"tls.crt\", \"key\": \"tls.key\"}", port: port)
      let program = try RunningProgram("acs", ["run", "acs.json"], in: directory.url)
      #expect(program.says("is ready\n"), "\(program.talk)")
      var trusting = TransportConfiguration()
      trusting.trustRoots = .certificates(pem: TestVector.bytes("keys/tls-localhost.crt"))
      let network = trusting
      /// What a new connection is told, by a client that trusts one certificate.
      func keys() async throws -> Int {
        let client = try AsyncHTTPClientTransport(network)
        let request = HTTPRequest(.get, try HTTPURL("https://localhost:\(port)/v2/openid/keys"))
        let status = try await client.response(to: request).status
        await client.shutdown()
        return status
      }
      let error = await #expect(throws: TokenError.self) { _ = try await keys() }
      #expect(error?.code == .transportUntrustedServer)
      try use("tls-localhost")
      program.hangUp()
      #expect(program.says("acs.json: reloaded\n"), "\(program.talk)")
      #expect(try await keys() == 200)
      try use("tls-other", key: "tls-localhost")
      program.hangUp()
      #expect(program.says("listen.tls"), "\(program.talk)")
      #expect(try await keys() == 200)
      #expect(program.end() == 0)
    }

    @Test("The digest of a secret is printed for the file, and nothing of the secret")
    func secret() throws {
      let acs = BuiltProgram("acs")
      let outcome = try acs.run(["secret"], in: directory.url, input: Array("open sesame\n".utf8))
      #expect(outcome.status == 0 && outcome.output.hasPrefix("scrypt:16384:"))
      #expect(!outcome.output.contains("sesame") && outcome.talk.isEmpty)
      #expect(HashedSecret.isReadable(outcome.output.trimmingCharacters(in: .newlines)))
      #expect(try acs.run(["secret"], in: directory.url, input: []).status == 2)
    }
  }
#endif
