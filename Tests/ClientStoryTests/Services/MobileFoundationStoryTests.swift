#if Client
  import FederationNetwork
  import Federation
  import FederationClient
  import HTTPExchange
  import SimulatedService
  import Simulators
  import SimulatorHost
  import Synchronization
  import TestSupport
  import Testing

  @Suite("Mobile Foundation, over sockets")
  struct MobileFoundationStoryTests {
    /// Submits the given answers, and records the events.
    final class Person: ChallengeHandler {
      private let state: Mutex<(answers: [ChallengeAnswer], heard: [String])>

      init(_ answers: ChallengeAnswer...) { state = Mutex((answers, [])) }

      var heard: [String] { state.withLock { $0.heard } }

      func handleChallenge(_ challenge: SecurityChallenge) async -> ChallengeAnswer {
        state.withLock { state in
          state.heard.append(
            "challenge \(challenge.errorMessage ?? "-") \(challenge.remainingAttempts ?? -1)")
          return state.answers.isEmpty ? .cancel : state.answers.removeFirst()
        }
      }

      func handleSuccess(_ success: SecurityCheckSuccess) async {
        state.withLock { $0.heard.append("success \(success.user?.displayName ?? "-")") }
      }

      func handleFailure(_ failure: SecurityCheckFailure) async {
        state.withLock { $0.heard.append("failure \(failure.reason ?? "-")") }
      }
    }

    @Test("First launch, challenge, resource, remember-me, restart, log-out")
    func story() async throws {
      let time = ManualTime()
      let made = Mutexed<FoundationServer?>(nil)
      let identities = MemoryIdentityStore()
      try await SimulatorHost.serving { base in
        let server = FoundationServer(base: base, time: time)
        made.withLock { $0 = server }
        return server
      } _: { host in
        guard let server = made.current else { throw Browser.Lost() }
        let transport = try AsyncHTTPClientTransport()
        let evidence = Evidence()
        let base = try host.base.at(path: "/mfp/api")
        func launch(_ person: Person) async -> MobileFoundation {
          let client = MobileFoundation(
            base: base,
            application: MobileApplication(
              id: "org.example.talks", platform: "linux", version: "1.0.0"),
            device: MobileDevice(id: "dev-1", platform: "linux"), identities: identities,
            over: transport, time: time, observer: evidence.observer)
          await client.registerChallengeHandler(person, forSecurityCheck: "UserLogin")
          return client
        }
        let resource = HTTPRequest(
          .post, try host.base.at(path: "/mfp/api/adapters/talks/mine"),
          body: Array("body".utf8))
        // First launch: a challenge, a wrong password, the right one, the same body again.
        let person = Person(
          .submit(["username": "john", "password": "wrong-password"]),
          .submit(["username": "john-the-first", "password": "john-the-first", "rememberMe": true])
        )
        let client = await launch(person)
        let answer = try await client.response(to: resource)
        #expect(String(decoding: answer.body, as: UTF8.self) == "mine: body")
        #expect(
          person.heard == ["challenge - 3", "challenge Wrong Credentials 2", "success John"])
        #expect(server.registrations == 1)
        evidence.hide(server.tokens)
        // Preemptive login with the wrong password leads to a challenge; the person cancels.
        server.endSessions()
        let token = try await client.obtainAccessToken(forScope: "accessRestricted")
        evidence.add(token)
        try await client.logout(securityCheck: "UserLogin")
        await evidence.expect(.sessionCancelled) {
          try await client.login(
            securityCheck: "UserLogin",
            credentials: ["username": "john", "password": "wrong-password"])
        }
        let user = try await client.login(
          securityCheck: "UserLogin",
          credentials: [
            "username": "john-the-first", "password": "john-the-first", "rememberMe": true,
          ])
        #expect(user?.displayName == "John")
        // Restart: the client is registered, the person remembered, no challenge.
        server.endSessions()
        let silent = Person()
        let later = await launch(silent)
        _ = try await later.obtainAccessToken(forScope: "accessRestricted")
        #expect(silent.heard == ["success John"])
        #expect(server.registrations == 1)
        evidence.hide(server.tokens)
        // The server no longer knows the client: it registers again, once.
        server.forgetClients()
        let third = Person(
          .submit(["username": "john-the-first", "password": "john-the-first"]))
        let anew = await launch(third)
        _ = try await anew.obtainAccessToken(forScope: "accessRestricted")
        #expect(server.registrations == 2)
        // Three wrong answers block the check.
        try await anew.logout(securityCheck: "UserLogin")
        let wrong = ChallengeAnswer.submit(["username": "john", "password": "wrong-password"])
        let blocked = Person(wrong, wrong, wrong)
        await anew.registerChallengeHandler(blocked, forSecurityCheck: "UserLogin")
        await evidence.expect(.clientSecurityCheck) {
          try await anew.obtainAccessToken(forScope: "accessRestricted")
        }
        #expect(blocked.heard.last == "failure Account blocked")
        let kept = try #require(try await identities.identity())
        evidence.add(kept)
        evidence.hide(server.tokens)
        evidence.hide("wrong-password", "john-the-first", kept.revealed)
        #expect(host.journal.refusals == [])
        evidence.search("Mobile Foundation")
        await transport.shutdown()
      }
    }
  }
#endif
