#if Client
  import Federation
  import FederationClient
  import Foundation
  import HTTPExchange
  import SimulatedService
  import Simulators
  import SimulatorHost
  import TestSupport
  import Testing

  @Suite("claims-client call and session sign-out, at each kind of service")
  struct CallCommandTests {
    // MARK: Access Control Service

    @Test(
      "A call sends a token of Access Control Service to the relying party's service only, in its scheme",
      arguments: [CredentialScheme.oauth, .wrap, .bearer])
    func accessControl(scheme: CredentialScheme) async throws {
      try await ClientCommandTests.tool(scheme: scheme) {
        story, tool, service, store async throws in
        let talks = story.talksHost.base.text + "talks"
        let signIn =
          [
            "sign-in", "--provider", "Facebook-1234567890", "--timeout", "60", "--scheme",
            scheme.rawValue,
          ] + service + store
        let hear: @Sendable (String) -> Void = { address in
          Task { _ = try await story.browser.open(address) }
        }
        #expect(try await tool.run(signIn, hear: hear).status == 0)
        // The realm is no address, so the token has no known service.
        let homeless = try await tool.run(["call", "GET", talks] + store)
        #expect(homeless.status == 2)
        #expect(homeless.talk.contains("--resource"))
        #expect(
          try await tool.run(signIn + ["--resource", story.talksHost.base.text], hear: hear).status
            == 0)
        let elsewhere = try await tool.run(["call", "GET", story.acs.base.text + "talks"] + store)
        #expect(elsewhere.code == "session.other-origin")
        #expect(story.talksHost.journal.requests.isEmpty)
        let call = try await tool.run(["call", "GET", talks] + store)
        #expect(call.status == 0, "\(call.talk)")
        #expect(call.object["body"] as? String == "talks")
        #expect(story.talks.visitors == ["100004711"])
        // The token expires, and Access Control Service does not renew it.
        story.time.advance(bySeconds: 86_400)
        let late = try await tool.run(["call", "GET", talks] + store)
        #expect(late.status == 1)
        #expect(late.code == "session.over")
        #expect(story.talksHost.journal.count("GET", "/talks") == 2)
        #expect(try await tool.run(["session", "show"] + store).code == "session.none")
        for outcome in [homeless, elsewhere, call, late] {
          story.evidence.add(outcome.output)
          story.evidence.add(outcome.talk)
        }
        story.evidence.search("claims-client call")
      }
    }

    // MARK: Mobile Services

    @Test("A call reads and writes a table with X-ZUMO-AUTH; App Service renews it once")
    func appService() async throws {
      try await MobileServicesStoryTests.play(isAppService: true) { stage async throws in
        try await SignInCommandTests.tool { tool, store in
          let token = try tool.file("token", MobileServicesStoryTests.providerToken)
          let signedIn = try await tool.run(
            SignInCommandTests.app + [stage.host.base.text, "--api-version", "2.0.0"] + store
              + ["--provider", "facebook", "--token-file", token])
          #expect(signedIn.status == 0, "\(signedIn.talk)")
          stage.server.expireTokens()
          let row = try tool.file("row.json", #"{"title":"Tokens"}"#)
          let table = stage.host.base.text + "tables/talks"
          let written = try await tool.run(["call", "POST", table, "--body-file", row] + store)
          #expect(written.status == 0, "\(written.talk)")
          #expect(written.object["status"] as? Int == 201)
          #expect(stage.server.items == ["Tokens"])
          #expect(stage.host.journal.count("POST", "/tables/talks") == 2)
          #expect(stage.host.journal.count("GET", "/.auth/refresh") == 1)
          // The renewed token was stored.
          let read = try await tool.run(["call", "GET", table] + store)
          #expect(read.object["body"] as? String == "[]", "\(read.talk)")
          #expect(stage.host.journal.count("GET", "/.auth/refresh") == 1)
          for outcome in [signedIn, written, read] {
            stage.evidence.add(outcome.output)
            stage.evidence.add(outcome.talk)
          }
        }
      }
    }

    @Test(
      "A call with an account of the app's own needs the application key, and a 401 ends the session"
    )
    func ownAccount() async throws {
      try await MobileServicesStoryTests.play(isAppService: false) { stage async throws in
        try await SignInCommandTests.tool { tool, store in
          let key = [
            "--application-key-file",
            try tool.file("application.key", MobileServicesStoryTests.applicationKey),
          ]
          let person = [
            "--user-name", "mia", "--password-file",
            try tool.file("password", MobileServicesStoryTests.password),
          ]
          #expect(
            try await tool.run(["register", "--server", stage.host.base.text] + key + person).status
              == 0)
          #expect(
            try await tool.run(
              SignInCommandTests.app + [stage.host.base.text] + key + person + store
            ).status == 0)
          let call = ["call", "GET", stage.host.base.text + "tables/talks"] + store
          let keyless = try await tool.run(call)
          #expect(keyless.status == 2)
          #expect(stage.host.journal.count("GET", "/tables/talks") == 0)
          let read = try await tool.run(call + key)
          #expect(read.status == 0, "\(read.talk)")
          stage.server.expireTokens()
          let over = try await tool.run(call + key)
          #expect(over.code == "session.over")
          #expect(stage.host.journal.count("GET", "/tables/talks") == 2)
          #expect(try await tool.run(["session", "show"] + store).code == "session.none")
          for outcome in [keyless, read, over] {
            stage.evidence.add(outcome.output)
            stage.evidence.add(outcome.talk)
          }
        }
      }
    }

    // MARK: Mobile Foundation

    @Test(
      "A sign-out ends the session at Mobile Foundation; if the server is down, the session stays"
    )
    func mobileFoundation() async throws {
      try await SignInCommandTests.tool { tool, store in
        let password = try tool.file("password", "p4ssw0rd-of-john")
        try await SimulatorHost.serving { base in
          FoundationServer(base: base, time: SystemTime()) { "p4ssw0rd-of-\($0)" }
        } _: { host in
          let signIn =
            [
              "sign-in", "mobile-foundation", "--server", host.base.text + "mfp/api",
              "--application", "org.example.talks", "--application-version", "1.0.0", "--device",
              "dev-1", "--scope", "accessRestricted", "--user-name", "john", "--password-file",
              password,
            ] + store
          #expect(try await tool.run(signIn).status == 0)
          let mine = ["call", "GET", host.base.text + "mfp/api/adapters/talks/mine"] + store
          let read = try await tool.run(mine)
          #expect(read.status == 0, "\(read.talk)")
          let out = try await tool.run(["session", "sign-out"] + store)
          #expect(out.status == 0, "\(out.talk)")
          #expect(out.object["serviceTold"] as? Bool == true)
          #expect(out.object["forgotten"] as? String == "mobile-foundation")
          #expect(host.journal.count("POST", "/mfp/api/preauth/v1/logout") == 1)
          #expect(try await tool.run(mine).code == "session.none")
          #expect(host.journal.refusals == [])
          #expect(try await tool.run(signIn).status == 0)
        }
        let down = try await tool.run(["session", "sign-out"] + store)
        #expect(down.status == 3)
        #expect(down.talk.contains("transport.no-connection"), "\(down.talk)")
        #expect(try await tool.run(["session", "show"] + store).status == 0)
      }
    }
  }
#endif
