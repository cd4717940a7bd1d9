#if Server
  import FederationNetwork
  import Foundation
  import GateService
  import SQLiteSessions
  import TestSupport
  import Testing

  @testable import GateCommand

  @Suite("The gate as a program")
  struct GateProgramTests {
    private let folder: GateFolder
    private let gate = BuiltProgram("claims-gate")

    init() throws { folder = try GateFolder() }

    private func run(_ arguments: String...) throws -> BuiltProgram.Outcome {
      try gate.run(arguments, in: folder.url)
    }

    @Test("What is tried is judged as the gate would, and a refusal is a finding")
    func tries() throws {
      _ = try folder.file(
        """
        , "rules": [{"path": "/admin/", "claim": "role", "oneOf": ["admin"]},
                    {"path": "/own/", "claim": "subject", "oneOf": ["ada"]}]
        """)
      try folder.write("claims.json", "{\"role\": [\"user\", true], \"subject\": \"ada\"}")
      let refused = try run(
        "try", "gate.json", "/page", "/admin/x", "/own/", "--claims", "claims.json")
      #expect(refused.status == 1)
      #expect(
        refused.output.hasPrefix("/page: allow, no rule\n/admin/x: refuse, rule for /admin/ at"))
      #expect(refused.output.contains("\n/own/: allow, rule for /own/"), "\(refused.output)")
      let allowed = try run("try", "gate.json", "/own/", "--claims", "claims.json")
      #expect(allowed.status == 0)
      let stranger = try run("try", "gate.json", "/admin/x")
      #expect(stranger.status == 0 && stranger.output == "/admin/x: sign in, nobody is signed in\n")
    }

    private static func session(
      _ subject: String, at provider: String, begun ago: Int64 = 0, lasting seconds: Int64 = 600
    ) -> SignedInSession {
      let now = SystemTime().now.advanced(bySeconds: -ago)
      return SignedInSession(
        principal: FederatedPrincipal(
          issuer: "https://idp.example/", subject: subject, claims: ClaimSet(), format: .saml20,
          issuerSession: IssuerSession(), warnings: []),
        provider: provider, begun: now, end: now.advanced(bySeconds: seconds), lastUse: now)
    }

    @Test("Sessions are listed and ended by subject, by provider, by both, or all of them")
    func sessions() async throws {
      let members = ", \"people\": \"by provider\", \"session\": {\"store\": \"sqlite:gate.db\"}"
      _ = try folder.file(members)
      let store = try SQLiteSessionStore(path: folder.path("gate.db"))
      for session in [
        Self.session("ada", at: "campus", begun: 20), Self.session("ada", at: "work", begun: 30),
        Self.session("bob", at: "campus", begun: 10),
        Self.session("eve", at: "campus", lasting: -1),
      ] + [60, 50, 80, 70].map({ Self.session("zoe", at: "campus", begun: $0) }) {
        try await store.insert(session, SessionID.make().id)
      }
      func list(_ choice: String...) throws -> [Substring] {
        let outcome = try gate.run(["sessions", "gate.json", "list"] + choice, in: folder.url)
        #expect(outcome.status == 0, "\(outcome.talk)")
        return outcome.output.split(separator: "\n")
      }
      let all = try list("--all")
      #expect(all.count == 7 && all == all.sorted(), "the oldest first: \(all)")
      #expect(
        all.count { $0.contains(" at work") && $0.hasSuffix(", which is not configured") } == 1)
      #expect(all.count { $0.hasSuffix(" at campus") } == 6)
      #expect(try list("--provider", "work").count == 1)
      #expect(try list("--subject", "ada").count == 2)
      #expect(try list("--subject", "campus:ada").count == 1)
      #expect(try list("--subject", "ada", "--provider", "campus").count == 1)
      #expect(try list("--subject", "nobody").isEmpty)
      let ended = try run("sessions", "gate.json", "end", "--subject", "ada", "--provider", "work")
      #expect(ended.output == "1 ended\n")
      #expect(try list("--all").count == 6)
      #expect(try run("sessions", "gate.json", "end", "--all").output == "7 ended\n")
    }

    @Test("Sessions are chosen in one way, and those in memory are nobody else's")
    func choices() throws {
      _ = try folder.file(", \"session\": {\"store\": \"sqlite:gate.db\"}")
      for choice in [[], ["--all", "--subject", "ada"], ["--all", "--provider", "campus"]] {
        let outcome = try gate.run(["sessions", "gate.json", "list"] + choice, in: folder.url)
        #expect(outcome.status == 2 && outcome.talk.contains("one of --subject"), "\(choice)")
      }
      #expect(try run("sessions", "gate.json", "list", "--all").status == 0)
      _ = try folder.file()
      let memory = try run("sessions", "gate.json", "list", "--all")
      #expect(memory.status == 2 && memory.talk.contains("gate.file-value"))
    }

    @Test("What the gate checks it says, and its metadata is a document")
    func documents() throws {
      _ = try folder.file()
      #expect(try run("check", "gate.json").output == "gate.json: ok\n")
      let metadata = try run("metadata", "gate.json")
      #expect(
        metadata.status == 0 && metadata.output.contains("https://app.example/.gate/saml/acs"))
      let absent = try run("check", "absent.json")
      #expect(absent.status == 2 && absent.talk.contains("input.file"))
    }

    @Test(
      "It says where it listens, is well, refuses a body that is too large, and ends when it is told"
    )
    func serves() async throws {
      let (port, operations) = (
        try await RunningProgram.freePort(), try await RunningProgram.freePort()
      )
      _ = try folder.file(
        ", \"operations\": \"127.0.0.1:\(operations)\"", listen: "127.0.0.1:\(port)")
      let program = try RunningProgram("claims-gate", ["run", "gate.json"], in: folder.url)
      #expect(program.says("claims-gate: listening at http://127.0.0.1:\(port) for https://app"))
      let client = try AsyncHTTPClientTransport()
      let health = try await client.response(
        to: HTTPRequest(.get, HTTPURL("http://127.0.0.1:\(operations)/health")))
      #expect(health.status == 200 && health.body == Array("ok\n".utf8))
      let large = HTTPRequest(
        .post, try HTTPURL("http://127.0.0.1:\(port)/.gate/saml/acs"),
        body: [UInt8](repeating: 0x61, count: 4 << 20 + 1))
      #expect(try await client.response(to: large).status == 413)
      #expect(program.end() == 0)
    }

    @Test("A shared store that is away at the start is told of, and the gate serves all the same")
    func awayAtStart() async throws {
      let port = try await RunningProgram.freePort()
      try folder.write("keys", Data(repeating: 1, count: 32).base64EncodedString())
      _ = try folder.file(
        ", \"cookieKeys\": \"keys\", \"session\": {\"store\": {\"redis\": \"redis://127.0.0.1:1\"}}",
        listen: "127.0.0.1:\(port)")
      let program = try RunningProgram("claims-gate", ["run", "gate.json"], in: folder.url)
      #expect(program.says("claims-gate: listening at"))
      #expect(program.talk.contains("warning: the shared store: store.unavailable"))
      #expect(program.end() == 0)
    }
  }
#endif
