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

  @Suite("claims-client sign-in, on a terminal, in a pipe and without either")
  struct SignInCommandTests {
    /// A folder with a key, and the options that name both.
    static func tool(
      _ body: (ClientTool, _ store: [String]) async throws -> Void
    ) async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let tool = ClientTool(folder: folder)
      let key = try tool.file("store.key", Base64.encode([UInt8](repeating: 9, count: 32)))
      try await body(
        tool, ["--store", folder.appending(path: "credentials").path(), "--store-key-file", key])
    }

    // MARK: Access Control Service

    @Test("A terminal asks for the provider: a number, an address, another try, giving up")
    func picker() async throws {
      try await ClientCommandTests.tool { story, tool, service, store async throws in
        let arguments = ["sign-in", "--timeout", "60"] + service + store
        let hear: @Sendable (String) -> Void = { address in
          Task { _ = try await story.browser.open(address) }
        }
        let first = try await tool.run(
          arguments,
          person: .atTerminal(
            ("Number or address: ", { "7" }), ("Number or address: ", { "mia@elsewhere.org" }),
            ("Number or address: ", { " 1 " })), hear: hear)
        #expect(first.status == 0, "\(first.talk)")
        #expect(first.talk.contains("  1  Facebook\n  2  Windows Live"))
        // A provider that is chosen by address has no number.
        #expect(!first.talk.contains("Example Corp"))
        #expect(first.object["provider"] as? String == "Facebook-1234567890")
        let second = try await tool.run(
          arguments, person: .atTerminal(("Number or address: ", { "Mia@EXAMPLE.org" })),
          hear: hear)
        #expect(second.talk.contains("  1  Facebook (last time)\n"))
        #expect(second.object["subject"] as? String == "mia", "\(second.talk)")
        let third = try await tool.run(
          arguments, person: .atTerminal(("Number or address: ", { "" })))
        #expect(third.status == 1)
        #expect(third.code == "session.cancelled")
        #expect(story.acs.journal.refusals == [])
        for outcome in [first, second, third] {
          story.evidence.add(outcome.output)
          story.evidence.add(outcome.talk)
        }
        story.evidence.search("claims-client picker")
      }
    }

    @Test("Without a terminal the provider is named, or the error says how")
    func named() async throws {
      try await ClientCommandTests.tool { story, tool, service, store async throws in
        let arguments = ["sign-in", "acs", "--timeout", "60"] + service + store
        let nobody = try await tool.run(arguments)
        #expect(nobody.status == 2)
        #expect(nobody.talk.contains("--provider, --provider-name or --email"))
        #expect(story.core.issued == [:])
        for (choice, subject) in [
          (["--provider-name", "Facebook"], "100004711"), (["--email", "mia@example.net"], "mia"),
          (["--provider", "Facebook-1234567890"], "100004711"),
        ] {
          let outcome = try await tool.run(
            arguments + choice,
            hear: { address in Task { _ = try await story.browser.open(address) } })
          #expect(outcome.object["subject"] as? String == subject, "\(outcome.talk)")
        }
        for choice in [["--provider-name", "Nobody"], ["--email", "mia@elsewhere.org"]] {
          let outcome = try await tool.run(arguments + choice)
          #expect(outcome.status == 1)
          #expect(outcome.code == "client.provider")
        }
        #expect(story.acs.journal.refusals == [])
      }
    }

    // MARK: Mobile Services

    static let app = ["sign-in", "mobile-services", "--server"]

    @Test("Mobile Services: an account of the app's own, a provider's token, a browser and a pipe")
    func mobileServices() async throws {
      try await MobileServicesStoryTests.play(isAppService: false) { stage async throws in
        try await Self.tool { tool, store in
          let key = try tool.file("application.key", MobileServicesStoryTests.applicationKey)
          let arguments =
            Self.app + [stage.host.base.text, "--application-key-file", key] + store
          let fields = AccountFields(
            userName: "mia", password: Secret(MobileServicesStoryTests.password))
          _ = try await CustomAccounts(stage.service).register(fields, over: stage.transport)
          let password = try tool.file("password", MobileServicesStoryTests.password)
          let own = try await tool.run(
            arguments + ["--user-name", "mia", "--password-file", password])
          #expect(own.status == 0, "\(own.talk)")
          #expect(own.object["scheme"] as? String == "zumo")
          let wrong = try await tool.run(
            arguments
              + ["--user-name", "mia", "--password-file", try tool.file("wrong", "not-the-one")])
          #expect(wrong.status == 1)
          #expect(wrong.code == "client.sign-in-refused")
          #expect(wrong.talk.contains("Incorrect username or password"))
          let token = try tool.file("token", MobileServicesStoryTests.providerToken)
          let traded = try await tool.run(
            arguments + ["--provider", "Facebook", "--token-file", token])
          #expect(traded.object["subject"] as? String == "Facebook:100004711", "\(traded.talk)")
          let browse = arguments + ["--provider", "facebook", "--table", "talks"]
          for (word, code) in [("no", "session.cancelled"), ("yes", nil)] as [(String, String?)] {
            let end = Mutexed("")
            let browsed = try await tool.run(
              browse,
              person: .atPipe(
                ("browser ends: ", { Self.waiting(for: end) }),
                ("signs in \"Facebook:100004711\"", { word })),
              hear: { address in
                Task {
                  guard case .address(let last) = try await stage.browser.open(address) else {
                    return
                  }
                  end.withLock { $0 = last }
                }
              })
            #expect(browsed.code == code)
            let subject = browsed.object["subject"] as? String
            stage.evidence.add(browsed.output)
            stage.evidence.add(browsed.talk)
            #expect(subject == (code == nil ? "Facebook:100004711" : nil), "\(browsed.talk)")
          }
          let planted =
            stage.host.base.text + "login/done#token=%7B%22user%22%3A%7B%22userId%22%3A%22"
            + "Facebook%3A1%22%7D%2C%22authenticationToken%22%3A%22eyJ.a.b%22%7D"
          let stranger = try await tool.run(
            browse, person: .atPipe(("browser ends: ", { planted })))
          #expect(stranger.code == "client.sign-in-refused")
          let elsewhere = try await tool.run(
            arguments + ["--provider", "facebook"],
            person: .atPipe(("browser ends: ", { "https://evil.example/login/done#token={}" })))
          #expect(elsewhere.code == "client.state")
          // The next command finds the whole session.
          let shown = try await tool.run(["session", "show"] + store)
          #expect(shown.object["provider"] as? String == "facebook")
          for outcome in [own, wrong, traded, stranger, elsewhere, shown] {
            stage.evidence.add(outcome.output)
            stage.evidence.add(outcome.talk)
          }
          stage.evidence.hide("not-the-one")
        }
      }
    }

    @Test("App Service: a proof key, and the pasted address is not echoed on the terminal")
    func appService() async throws {
      try await MobileServicesStoryTests.play(isAppService: true) { stage async throws in
        try await Self.tool { tool, store in
          let arguments = Self.app + [stage.host.base.text, "--api-version", "2.0.0"] + store
          let end = Mutexed("")
          let person = try Person.atTerminal(("browser ends: ", { Self.waiting(for: end) }))
          let browsed = try await tool.run(
            arguments + ["--provider", "facebook"], person: person,
            hear: { address in
              Task {
                guard case .address(let last) = try await stage.browser.open(address) else {
                  return
                }
                end.withLock { $0 = last }
              }
            })
          #expect(browsed.object["subject"] as? String == "Facebook:100004711", "\(browsed.talk)")
          #expect(end.current.hasPrefix("claims-client://easyauth.callback?"))
          #expect(!person.echoed.contains("authorization_code"))
          let both = try await tool.run(
            arguments + ["--provider", "facebook", "--user-name", "mia"])
          #expect(both.status == 2)
          #expect(try await tool.run(Self.app + [stage.host.base.text] + store).status == 2)
          stage.evidence.add(browsed.output)
          stage.evidence.add(browsed.talk)
        }
      }
    }

    /// The address of the browser, once there is one.
    static func waiting(for text: Mutexed<String>) -> String {
      while text.current.isEmpty { sched_yield() }
      return text.current
    }

    // MARK: oPRO

    @Test("oPRO: by password and by the consent page; a wrong password is reported")
    func opro() async throws {
      let server = OPROServer(
        clientSecret: OPROStoryTests.clientSecret, password: OPROStoryTests.password,
        time: ManualTime(SystemTime().now), lifetime: 600)
      try await SimulatorHost.serving { _ in
        server
      } _: { host in
        let evidence = Evidence()
        evidence.hide(OPROStoryTests.clientSecret, OPROStoryTests.password)
        let transport = try AsyncHTTPClientTransport()
        try await Self.tool { tool, store in
          var tool = tool
          tool.environment = ["TALKS_SECRET": OPROStoryTests.clientSecret]
          let arguments =
            [
              "sign-in", "opro", "--server", host.base.text, "--client-id", OPROServer.clientID,
              "--client-secret-env", "TALKS_SECRET",
            ] + store
          let person = try Person.atTerminal(
            ("Password of foo@example.com: ", { OPROStoryTests.password }))
          let typed = try await tool.run(
            arguments + ["--user-name", "foo@example.com"], person: person)
          #expect(typed.status == 0, "\(typed.talk)")
          #expect(typed.object["scheme"] as? String == "token")
          #expect(typed.object["renewable"] as? Bool == true)
          #expect(!person.echoed.contains(OPROStoryTests.password))
          let nobody = try await tool.run(arguments + ["--user-name", "foo@example.com"])
          #expect(nobody.status == 2)
          let wrong = try await tool.run(
            arguments
              + [
                "--user-name", "foo@example.com", "--password-file",
                try tool.file("wrong", "not-the-one"),
              ])
          #expect(wrong.code == "client.password")
          let browsed = try await tool.run(
            arguments + ["--write", "--timeout", "60"],
            hear: { address in
              Task { _ = try await Browser(transport: transport).open(address) }
            })
          #expect(browsed.status == 0, "\(browsed.talk)")
          #expect(browsed.object["subject"] as? String == typed.object["subject"] as? String)
          for outcome in [typed, nobody, wrong, browsed] {
            evidence.add(outcome.output)
            evidence.add(outcome.talk)
          }
          evidence.hide(server.tokens)
          evidence.hide("not-the-one")
        }
        #expect(host.journal.refusals == [])
        evidence.search("claims-client opro")
        await transport.shutdown()
      }
    }

    // MARK: Mobile Foundation

    @Test("Mobile Foundation: a check is answered, the person remembered, wrong answers reported")
    func mobileFoundation() async throws {
      let time = ManualTime(SystemTime().now)
      let made = Mutexed<FoundationServer?>(nil)
      try await SimulatorHost.serving { base in
        let server = FoundationServer(base: base, time: time) { "p4ssw0rd-of-\($0)" }
        made.withLock { $0 = server }
        return server
      } _: { host in
        guard let server = made.current else { throw Browser.Lost() }
        let evidence = Evidence()
        try await Self.tool { tool, store in
          let arguments =
            [
              "sign-in", "mobile-foundation", "--server", host.base.text + "mfp/api",
              "--application", "org.example.talks", "--application-version", "1.0.0", "--device",
              "dev-1", "--scope", "accessRestricted",
            ] + store
          let nobody = try await tool.run(arguments)
          #expect(nobody.status == 2, "\(nobody.talk)")
          let wrong = try await tool.run(
            arguments
              + ["--user-name", "john", "--password-file", try tool.file("wrong", "not-the-one")])
          #expect(wrong.code == "client.sign-in-refused", "\(wrong.talk)")
          #expect(wrong.talk.contains("Wrong Credentials"))
          #expect(wrong.talk.contains("UserLogin: 2 attempts are left"))
          let blocked = try await tool.run(
            arguments,
            person: .atTerminal(
              ("User name: ", { "john" }), ("Password of", { "not-the-one" }),
              ("User name: ", { "john" }), ("Password of", { "not-the-one" }),
              ("User name: ", { "john" }), ("Password of", { "not-the-one" })))
          #expect(blocked.code == "client.security-check")
          #expect(blocked.talk.contains("UserLogin: Account blocked"))
          let person = try Person.atTerminal(
            ("User name: ", { "mia-the-second" }), ("Password of", { "not-the-one" }),
            ("User name: ", { "mia-the-second" }), ("Password of", { "p4ssw0rd-of-mia-the-second" })
          )
          let typed = try await tool.run(arguments + ["--remember-me"], person: person)
          #expect(typed.status == 0, "\(typed.talk)")
          #expect(typed.object["scheme"] as? String == "bearer")
          let echoed = person.echoed
          #expect(echoed.contains("mia-the-second") && !echoed.contains("not-the-one"))
          // One registration for all runs; the second sign-in has no prompt.
          server.endSessions()
          let silent = try await tool.run(arguments)
          #expect(silent.status == 0, "\(silent.talk)")
          #expect(silent.object["subject"] as? String == typed.object["subject"] as? String)
          #expect(server.registrations == 1)
          for outcome in [nobody, wrong, typed, silent] {
            evidence.add(outcome.output)
            evidence.add(outcome.talk)
          }
        }
        evidence.hide(server.tokens)
        evidence.hide("not-the-one", "p4ssw0rd-of-mia-the-second")
        #expect(host.journal.refusals == [])
        evidence.search("claims-client Mobile Foundation")
      }
    }
  }
#endif
