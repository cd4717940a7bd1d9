#if Server && os(Linux)
  import Foundation
  import HTTPExchange
  import SignIn
  import SignInAttack
  import SimulatedService
  import SimulatorHost
  import TestSupport
  import Testing
  import TokenBasics

  /// The command in front of a service on a socket.
  @Suite("claims-attack run", .serialized)
  struct RunCommandTests {
    /// A credulous service that a test changes.
    private struct Service: Simulator {
      let base: String
      let change: @Sendable (WebRequest) -> HTTPResponse?

      func answer(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
        let asked = WebRequest(
          method: request.method, path: request.path, query: request.query, fields: request.fields,
          body: request.body)
        return change(asked)
          ?? CredulousService.answer(asked, at: base, trusting: Self.provider(of: base))
      }

      /// Another address of loopback, with the same port.
      static func provider(of base: String) -> String {
        base.replacing("127.0.0.2", with: "127.0.0.3")
      }
    }

    private struct Outcome {
      let status: Int32
      let talk: String
      let lines: [JSONValue]
      let page: String?
      let sarif: JSONValue?
      let requests: Int

      var invocation: JSONValue? { sarif?["runs"]?.array?.first?["invocations"]?.array?.first }
      var findings: [JSONValue]? { sarif?["runs"]?.array?.first?["results"]?.array }
    }

    /// - Parameters:
    ///   - options: Of the command, beside those that name its two reports.
    ///   - more: Further members of the file.
    ///   - begun: Gets the process once it runs, and its folder.
    private func run(
      _ options: [String], more: String = "", html: String = "report.html",
      _ change: @escaping @Sendable (WebRequest) -> HTTPResponse? = { _ in nil },
      begun: @escaping @Sendable (ChildProcess, URL) -> Void = { _, _ in }
    ) async throws -> Outcome {
      try await SimulatorHost.serving { base in
        Service(base: base.origin.description, change: change)
      } _: { host in
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(
          at: folder.appending(path: "reports"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let base = host.base.origin.description
        let provider = Service.provider(of: base)
        let file = """
          {"protocol": "saml20", "listen": "\(provider.dropFirst("http://".count))",
           "public": "\(provider)", "start": "\(base)/login",
           "probe": {"url": "\(base)/me", "contains": "You are PERSON."},
           "person": {"subject": "alice"}, "attacker": {"subject": "mallory"}, "timeout": 60\(more)}
          """
        try Data(file.utf8).write(to: folder.appending(path: "attack.json"))
        let keys = folder.appending(path: "attack.keys")
        try Data(AttackFixture.keys.get().json).write(to: keys)
        let process = ChildProcess()
        process.executableURL = BuiltProgram("claims-attack").url
        process.arguments =
          ["run", "attack.json", "--html", html, "--sarif", "report.sarif"] + options
        process.currentDirectoryURL = folder
        process.standardInput = .null
        let (output, talk) = try (TemporaryFile(), TemporaryFile())
        defer {
          output.remove()
          talk.remove()
        }
        process.standardOutput = .file(try FileHandle(forWritingTo: output.url))
        process.standardError = .file(try FileHandle(forWritingTo: talk.url))
        let ended = AsyncStream<Void> { stream in
          process.terminationHandler = { stream.finish() }
        }
        try process.run()
        begun(process, folder)
        for await _ in ended {}
        let lines = try String(contentsOf: output.url, encoding: .utf8).split(separator: "\n")
        return Outcome(
          status: process.terminationStatus,
          talk: try String(contentsOf: talk.url, encoding: .utf8),
          lines: try lines.map { try JSONParser.parse(Array($0.utf8)) },
          page: try? String(contentsOf: folder.appending(path: html), encoding: .utf8),
          sarif: (try? Data(contentsOf: folder.appending(path: "report.sarif")))
            .flatMap { try? JSONParser.parse(Array($0)) },
          requests: host.journal.requests.count)
      }
    }

    private static func isOther(_ request: WebRequest) -> Bool {
      AttackFixture.message(in: request.body)?.contains("/another") ?? false
    }

    @Test("An acceptance ends with 1, and is a finding with a line and a fingerprint")
    func accepted() async throws {
      let outcome = try await run(["--only", "signer/other-key", "--only", "content/subject"])
      #expect(outcome.status == 1, "\(outcome.talk)")
      #expect(outcome.lines.map { $0["verdict"]?.string } == ["accepted", "accepted", nil])
      #expect(outcome.invocation?["executionSuccessful"]?.bool == true)
      #expect(outcome.invocation?["toolExecutionNotifications"]?.array?.isEmpty == true)
      let finding = try #require(outcome.findings?.first)
      let place = finding["locations"]?.array?.first?["physicalLocation"]
      #expect(place?["region"]?["startLine"]?.integer == 1)
      #expect(
        finding["partialFingerprints"]?["ruleAndStart/v1"]?.string?.hasPrefix(
          "signer/other-key http://127.0.0.2") == true)
      #expect(outcome.page?.contains("The service accepted 2 of 2 variants.") == true)
    }

    @Test("A refusal of all ends with 0")
    func refused() async throws {
      let outcome = try await run(["--only", "signer/other-issuer"]) {
        Self.isOther($0) ? .of(403) : nil
      }
      #expect(outcome.status == 0, "\(outcome.talk)")
      #expect(outcome.invocation?["executionSuccessful"]?.bool == true)
      #expect(outcome.findings?.isEmpty == true)
    }

    @Test("The limit of the file ends with 4, and neither report says that all was refused")
    func limit() async throws {
      let outcome = try await run(
        ["--only", "signer/other-issuer", "--only", "content/subject"],
        more: ", \"signIns\": {\"most\": 3}"
      ) { Self.isOther($0) ? .of(403) : nil }
      #expect(outcome.status == 4 && outcome.talk.contains("attack.limit"))
      #expect(outcome.lines.first?["verdict"]?.string == "unproven")
      #expect(outcome.lines.last?["unproven"]?.integer == 1)
      #expect(outcome.page?.contains("The run ended early: 0 refused, 1 not proven.") == true)
      #expect(outcome.invocation?["executionSuccessful"]?.bool == false)
      let texts = outcome.invocation?["toolExecutionNotifications"]?.array?.compactMap {
        $0["message"]?["text"]?.string
      }
      #expect(texts?.first?.contains("attack.limit") == true && texts?.count == 2)
    }

    @Test("Both reports are written where the honest answer does not sign in")
    func control() async throws {
      let outcome = try await run([]) { $0.path == "/acs" ? .of(403) : nil }
      #expect(outcome.status == 4 && outcome.talk.contains("attack.honest"))
      #expect(outcome.lines.isEmpty)
      #expect(outcome.page?.contains("No variant was played.") == true)
      #expect(outcome.page?.contains("attack.honest") == true)
      #expect(outcome.invocation?["executionSuccessful"]?.bool == false)
    }

    @Test("Both reports are written where the run is told to end")
    func interrupted() async throws {
      let running = Mutexed<ChildProcess?>(nil)
      let answers = Mutexed(0)
      let outcome = try await run([]) { request in
        guard request.path == "/acs" else { return nil }
        let count = answers.withLock { count -> Int in
          count += 1
          return count
        }
        if count == 6 { running.current?.terminate() }
        return Self.isOther(request) ? .of(403) : nil
      } begun: { process, _ in
        running.withLock { $0 = process }
      }
      #expect(outcome.status == 143, "\(outcome.talk)")
      #expect(outcome.page?.contains("the run was told to end") == true)
      #expect(outcome.invocation?["executionSuccessful"]?.bool == false)
      #expect(outcome.lines.allSatisfy { $0["verdict"]?.string != "refused" })
    }

    @Test("A report that cannot be written is told before anything is sent")
    func unwritable() async throws {
      let outcome = try await run(["--only", "content/subject"], html: "missing/report.html")
      #expect(outcome.status == 3 && outcome.talk.contains("cannot write"))
      #expect(outcome.requests == 0)
    }

    @Test(
      "A report that cannot be written in the end hides neither the other one nor an acceptance")
    func unwritten() async throws {
      let folder = Mutexed<URL?>(nil)
      let outcome = try await run(
        ["--only", "content/subject"], html: "reports/report.html"
      ) { request in
        if request.path == "/acs", let url = folder.current {
          try? FileManager.default.removeItem(at: url.appending(path: "reports"))
        }
        return nil
      } begun: { _, url in
        folder.withLock { $0 = url }
      }
      #expect(outcome.status == 1 && outcome.talk.contains("cannot write"))
      #expect(outcome.findings?.count == 1 && outcome.page == nil)
    }

    @Test("A choice that leaves nothing ends with 2")
    func nothing() async throws {
      let outcome = try await run(
        ["--only", "context/other", "--severity", "error"])
      #expect(outcome.status == 2 && outcome.talk.contains("attack.variant"))
      #expect(outcome.requests == 0)
    }

    @Test("A choice of which nothing fits the service ends with 4")
    func unfitting() async throws {
      let outcome = try await run(["--only", "context/other"])
      #expect(outcome.status == 4 && outcome.talk.contains("none of the variants fits the service"))
      #expect(outcome.lines.first?["verdict"]?.string == "inapplicable")
    }
  }
#endif
