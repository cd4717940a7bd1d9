#if Client
  import AccessControlCore
  import Federation
  import FederationClient
  import FederationNetwork
  import Foundation
  import HTTPExchange
  import SimulatedService
  import SimulatorHost
  import Simulators
  import TestSupport
  import Testing
  import TokenBasics

  @Suite("claims-client, as a person and a script run it")
  struct ClientCommandTests {
    static func tool(
      scheme: CredentialScheme = .oauth,
      _ body:
        @escaping @Sendable (AccessControlStory, ClientTool, [String], [String]) async throws ->
        Void
    ) async throws {
      // The command's clock is the machine's.
      try await AccessControlStory.tell(.swt, scheme: scheme, time: ManualTime(SystemTime().now)) {
        story async throws in
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let tool = ClientTool(folder: folder)
        _ = try tool.file("acs.key", Base64.encode(Array(0...31)))
        let trust = try tool.file(
          "trust.json",
          #"""
          {"audiences":["\#(AccessControlStory.realm)"],
           "issuers":[{"name":"\#(story.client.service.issuer)","keys":["hmac-file:acs.key"],"formats":["swt"]}]}
          """#)
        let key = try tool.file("store.key", Base64.encode([UInt8](repeating: 9, count: 32)))
        let service = [
          "--server", story.acs.base.text, "--realm", AccessControlStory.realm, "--trust", trust,
        ]
        let store = [
          "--store", folder.appending(path: "credentials").path(), "--store-key-file", key,
        ]
        try await body(story, tool, service, store)
        await story.transport.shutdown()
      }
    }

    @Test("Providers, sign-in, session, a post with the provider's token, forget: a whole day")
    func story() async throws {
      try await Self.tool { story, tool, service, store async throws in
        let list = try await tool.run(["providers"] + service.dropLast(2))
        #expect(list.status == 0, "\(list.talk)")
        #expect(list.output.contains("\"name\":\"Facebook\""))
        let byAddress = try await tool.run(
          ["providers", "--email", "Mia@EXAMPLE.org"] + service.dropLast(2))
        #expect(byAddress.output.contains("Example Corp"))
        #expect(!byAddress.output.contains("Facebook"))
        // There is no session yet.
        let nobody = try await tool.run(["session", "show"] + store)
        #expect(nobody.status == 1)
        #expect(nobody.code == "session.none")
        // The person opens the address printed on standard error.
        let signedIn = try await tool.run(
          ["sign-in", "--provider", "Facebook-1234567890", "--timeout", "60"] + service + store,
          hear: { address in Task { _ = try await story.browser.open(address) } })
        #expect(signedIn.status == 0, "\(signedIn.talk)")
        #expect(signedIn.object["subject"] as? String == "100004711")
        let shown = try await tool.run(["session", "show"] + store)
        #expect(shown.object["state"] as? String == "usable")
        #expect(shown.output.contains("Mia Müller"))
        // A rehearsal sends nothing, a post posts once.
        for token in [AccessControlStory.providerToken, AccessControlStory.pageToken] {
          story.board.allow(token, until: story.time.now.advanced(bySeconds: 3600))
        }
        let post =
          [
            "post", "--service", "facebook", "--api", story.feedHost.base.text, "--page", "4711",
            "--api-version", "v23.0", "--text", "Swift & Days", "--from-session",
          ] + store
        let rehearsed = try await tool.run(post + ["--dry-run"])
        #expect(rehearsed.status == 0, "\(rehearsed.talk)")
        #expect(rehearsed.output.contains("message=Swift"))
        #expect(story.feedHost.journal.requests.isEmpty)
        let posted = try await tool.run(post)
        #expect(posted.object["id"] as? String == "4711_1", "\(posted.talk)")
        let twice = try await tool.run(post + ["--verbose"])
        #expect(twice.status == 1)
        #expect(twice.code == "feed.duplicate")
        #expect(story.board.posts == ["Swift & Days"])
        let forgotten = try await tool.run(["session", "forget"] + store)
        #expect(forgotten.status == 0)
        #expect(try await tool.run(["session", "show"] + store).status == 1)
        for outcome in [list, signedIn, shown, rehearsed, posted, twice, forgotten] {
          story.evidence.add(outcome.output)
          story.evidence.add(outcome.talk)
        }
        #expect(story.acs.journal.refusals == [])
        story.evidence.search("claims-client")
      }
    }

    @Test("Tokens by WRAP and OAuth; secrets come from files and the environment")
    func tokens() async throws {
      try await Self.tool { story, tool, service, _ async throws in
        var tool = tool
        tool.environment = ["TALKS_PASSWORD": AccessControlStory.password]
        let password = try tool.file("password", AccessControlStory.password + "\n")
        let key = try tool.file("identity.key", Base64.encode(AccessControlStory.identityKey))
        for arguments in [
          ["token", "wrap", "--name", "uploader", "--password-file", password],
          ["token", "wrap", "--name", "uploader", "--password-env", "TALKS_PASSWORD"],
          ["token", "wrap", "--name", "uploader", "--key-file", key],
          ["token", "oauth", "--client-id", "uploader", "--client-secret-file", password],
        ] {
          let outcome = try await tool.run(arguments + service)
          #expect(outcome.status == 0, "\(outcome.talk)")
          #expect(outcome.object["format"] as? String == "swt")
          #expect(outcome.object["token"] == nil)
          story.evidence.add(outcome.output)
        }
        let revealed = try await tool.run(
          ["token", "wrap", "--reveal", "--name", "uploader", "--password-file", password]
            + service)
        let token = try #require(revealed.object["token"] as? String)
        #expect(token.contains("&HMACSHA256="))
        story.evidence.add(revealed.talk)
        story.evidence.hide(token)
        story.evidence.search("claims-client token")
      }
    }

    @Test("Exit codes: 1 refused, 2 wrong usage, 3 network or files")
    func exitCodes() async throws {
      try await Self.tool { story, tool, service, store async throws in
        let wrong = try tool.file("wrong", "wrong-password")
        let refused = try await tool.run(
          ["token", "wrap", "--name", "uploader", "--password-file", wrong] + service)
        #expect(refused.status == 1)
        #expect(refused.code == "client.credentials")
        #expect(try await tool.run(["token", "wrap", "--name", "uploader"] + service).status == 2)
        #expect(try await tool.run(["providers"]).status == 2)
        #expect(
          try await tool.run(["providers", "--server", "http://acs.example.org/", "--realm", "r"])
            .status == 2)
        #expect(
          try await tool.run(
            ["token", "wrap", "--name", "a", "--password-file", "/nonexistent"] + service
          ).status == 3)
        #expect(
          try await tool.run(["providers", "--server", "http://127.0.0.1:1/", "--realm", "r"])
            .status == 3)
        try FileCredentialStore(path: store[1], key: .file(store[3])).update {
          $0.choices["provider"] = "Facebook"
        }
        var readable = store
        let open = tool.folder.appending(path: "open.key").path()
        try Data(repeating: 1, count: 32).write(to: URL(filePath: open))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: open)
        readable[3] = open
        // A key that others can read is rejected.
        #expect(try await tool.run(["session", "show"] + readable).status == 2)
      }
    }
  }
#endif
