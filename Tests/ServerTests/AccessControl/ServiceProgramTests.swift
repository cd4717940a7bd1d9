#if Server
  import AccessControl
  import FederationNetwork
  import Foundation
  import TestSupport
  import Testing

  @testable import AccessControlCommand

  @Suite("The local Access Control Service as a program")
  struct ServiceProgramTests {
    private let directory: ServiceDirectory
    private let acs = BuiltProgram("acs")

    init() throws { directory = try ServiceDirectory() }

    private func run(_ arguments: String...) throws -> BuiltProgram.Outcome {
      try acs.run(arguments, in: directory.url)
    }

    @Test(
      "A check says that all is well, or each thing that is not, with the number of the service")
    func checks() throws {
      try directory.file()
      #expect(try run("check", "acs.json").output == "acs.json: ok\n")
      #expect(try run("check").status == 2)
      let rules = """
        , "serviceIdentities": [{"name": "up", "certificate": "up.pem"}]
        """
      try directory.file(rules, party: ", \"metadata\": \"wiki.xml\"")
      try directory.write("wiki.xml", "<a/>")
      for command in ["check", "run"] {
        let outcome = try run(command, "acs.json")
        #expect(outcome.status == 2 && outcome.output.isEmpty)
        #expect(outcome.talk.contains("up.pem") && outcome.talk.contains("ACS20003: "))
      }
    }

    @Test("What a service works without is an error of a check and a warning of a start")
    func faults() async throws {
      let port = try await RunningProgram.freePort()
      try directory.file(port: port)
      let text = try String(contentsOfFile: directory.path("acs.json"), encoding: .utf8)
      let rule = "{\"if\": {\"from\": \"Google\", \"type\": \"name\"}, \"type\": \"aud\"}"
      try directory.write(
        "acs.json",
        text.replacing("\"SAML 2.0\"", with: "\"JWT\"")
          .replacing("[\"Google\"]", with: "[\"Google\"], \"rules\": [\(rule)]"))
      #expect(try ServiceFolder(directory.path("acs.json")).file.faults.count == 1)
      let check = try run("check", "acs.json")
      #expect(check.status == 2 && check.talk.contains("issuing.reserved-claim"), "\(check.talk)")
      let program = try RunningProgram("acs", ["run", "acs.json"], in: directory.url)
      #expect(program.says("acs: listening at http://127.0.0.1:\(port)\n"))
      #expect(program.talk.contains("warning: acs.json: issuing.reserved-claim"), "\(program.talk)")
      #expect(program.says("acs: http://127.0.0.1:\(port)/ is ready\n"))
      #expect(program.end() == 0)
    }

    @Test(
      "It serves until it is told to end, with a shared store that is away, too, of which it tells")
    func serves() async throws {
      let port = try await RunningProgram.freePort()
      try directory.file(", \"state\": {\"redis\": \"redis://127.0.0.1:1\"}", port: port)
      let program = try RunningProgram("acs", ["run", "acs.json"], in: directory.url)
      #expect(program.says("is ready\n"))
      #expect(program.talk.contains("warning: the shared store: store.unavailable"))
      let client = try AsyncHTTPClientTransport()
      let metadata = try await client.response(
        to: HTTPRequest(
          .get,
          HTTPURL("http://127.0.0.1:\(port)/FederationMetadata/2007-06/FederationMetadata.xml")))
      #expect(metadata.status == 200)
      let large = HTTPRequest(
        .post, try HTTPURL("http://127.0.0.1:\(port)/v2/oauth2-13"),
        body: [UInt8](repeating: 0x61, count: AccessControlSite.bodyLimit + 1))
      #expect(try await client.response(to: large).status == 413)
      #expect(program.end() == 0)
    }

    @Test("The keys are printed as certificates, and each secret alone")
    func keys() throws {
      try directory.file()
      let first = try run("keys", "acs.json")
      #expect(first.output.hasPrefix("-----BEGIN CERTIFICATE-----\n") && first.talk.isEmpty)
      #expect(first.output.hasSuffix("-----END CERTIFICATE-----\n"))
      #expect(first.output.split(separator: "\n").allSatisfy { $0.utf8.count <= 64 })
      let rolled = try run("keys", "acs.json", "--roll")
      #expect(rolled.output != first.output && rolled.status == 0)
      #expect(try run("keys", "acs.json").output == rolled.output)
      let keys = try #require(try ServiceKeys(path: directory.path("acs.keys")))
      #expect(try run("keys", "acs.json", "--password").output == keys.password + "\n")
      let symmetric = try run("keys", "acs.json", "--symmetric")
      #expect(symmetric.output == keys.symmetricKey.revealed + "\n")
      let both = try run("keys", "acs.json", "--password", "--symmetric")
      #expect(both.status == 2 && both.output.isEmpty && both.talk.contains("exclude each other"))
    }
  }
#endif
