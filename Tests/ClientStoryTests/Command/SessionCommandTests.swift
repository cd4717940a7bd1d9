#if Client
  import Federation
  import FederationClient
  import Foundation
  import HTTPExchange
  import SimulatedService
  import Simulators
  import SimulatorHost
  import Synchronization
  import TestSupport
  import Testing

  @Suite("claims-client session, call and register")
  struct SessionCommandTests {
    /// A server with oPRO's endpoints, written for these tests: one person, whose access token expires
    /// after one renewal.
    final class Server: Simulator {
      private let number = Mutex(1)

      func answer(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
        switch (request.method, request.path) {
        case ("POST", "/oauth/token.json"):
          let form = try request.form()
          guard form["client_id"] == "3234", form["client_secret"] == "client-secret-1" else {
            throw Refusal(401, "another client")
          }
          let next = number.withLock { number in
            if form["refresh_token"] == "refresh-\(number)" {
              number += 1
            } else if form["password"] != "person-password" {
              return 0
            }
            return number
          }
          guard next > 0 else { throw Refusal(401, "neither password nor refresh token") }
          return .json(
            #"{"access_token":"access-\#(next)","refresh_token":"refresh-\#(next)","token_type":"bearer","expires_in":false}"#
          )
        case ("GET", "/oauth_tests/profile"), ("PUT", "/oauth_tests/profile"), (_, "/me"):
          let current = number.withLock { "Token token=\"access-\($0)\"" }
          guard request["Authorization"] == current else {
            return .json(#"{"error":"unauthorized"}"#, status: 401)
          }
          return .json(#"{"id":7,"email":"mia@example.org"}"#)
        default: return .json(#"{"id":7,"email":"mia@example.org"}"#)
        }
      }

    }

    static func keep(_ name: String, at base: HTTPURL, in store: [String]) throws {
      var session = Session(
        principal: Principal(authority: base.origin.description, subject: "7"),
        credential: Credential(.token, Secret("access-0")), refreshToken: Secret("refresh-1"),
        signedInAt: SystemTime().now)
      session.details = [
        "service": "opro", "service.server": base.text, "service.clientID": "3234",
      ]
      let kept = session
      try FileCredentialStore(path: store[1], key: .file(store[3])).update {
        $0.sessions[name] = kept
      }
    }

    @Test("A call sends the credential to the session's own service only, and renews it once")
    func call() async throws {
      try await SimulatorHost.serving({ _ in Server() }) { host in
        try await SimulatorHost.serving({ _ in WrongServiceTests.Stranger() }) { stranger in
          try await SignInCommandTests.tool { tool, store in
            try Self.keep("opro", at: host.base, in: store)
            let secret = try tool.file("secret", "client-secret-1")
            let elsewhere = try await tool.run(["call", "GET", stranger.base.text + "me"] + store)
            #expect(elsewhere.code == "session.other-origin")
            #expect(stranger.journal.requests.isEmpty)
            let call =
              ["call", "GET", host.base.text + "me"] + store + ["--client-secret-file", secret]
            let answer = try await tool.run(call)
            #expect(answer.status == 0, "\(answer.talk)")
            #expect(answer.object["status"] as? Int == 200)
            #expect(host.journal.count("POST", "/oauth/token.json") == 1)
            #expect(host.journal.count("GET", "/me") == 2)
            // The renewed credential was stored.
            #expect(try await tool.run(call).status == 0)
            #expect(host.journal.count("POST", "/oauth/token.json") == 1)
          }
        }
      }
    }

    @Test("A session is renewed on request; without the client's secret it stays as it is")
    func renew() async throws {
      try await SimulatorHost.serving({ _ in Server() }) { host in
        try await SignInCommandTests.tool { tool, store in
          try Self.keep("opro", at: host.base, in: store)
          let without = try await tool.run(["session", "renew"] + store)
          #expect(without.code == "session.renewal-refused")
          #expect(try await tool.run(["session", "show"] + store).status == 0)
          let secret = try tool.file("secret", "client-secret-1")
          let renewed = try await tool.run(
            ["session", "renew"] + store + ["--client-secret-file", secret])
          #expect(renewed.status == 0, "\(renewed.talk)")
          #expect(renewed.object["state"] as? String == "usable")
          #expect(host.journal.count("POST", "/oauth/token.json") == 1)
          #expect(host.journal.count("GET", "/") == 0)
        }
      }
    }

    @Test("Sessions are listed; of several one is named, and another service's is never replaced")
    func several() async throws {
      try await SimulatorHost.serving({ _ in Server() }) { host in
        try await SignInCommandTests.tool { tool, store in
          try Self.keep("opro", at: host.base, in: store)
          try Self.keep("second", at: try HTTPURL("https://opro.example.org/"), in: store)
          let list = try await tool.run(["session", "list"] + store)
          #expect(list.output.contains(#""account":"opro","service":"opro""#))
          #expect(list.output.contains(#""account":"second""#))
          let unnamed = try await tool.run(["session", "show"] + store)
          #expect(unnamed.status == 2)
          #expect(unnamed.talk.contains("--account: opro, second"))
          let password = try tool.file("password", "person-password")
          let secret = try tool.file("secret", "client-secret-1")
          let refused = try await tool.run(
            [
              "sign-in", "opro", "--server", host.base.text, "--client-id", "3234",
              "--client-secret-file", secret, "--user-name", "mia", "--password-file", password,
              "--account", "second",
            ] + store)
          #expect(refused.status == 2)
          #expect(refused.talk.contains("another service: opro at https://opro.example.org/"))
          #expect(host.journal.requests.isEmpty)
          #expect(
            try await tool.run(["session", "show", "--account", "second"] + store).status == 0)
        }
      }
    }

    @Test("A sign-out reaches the service and removes the session; an account is registered")
    func signOut() async throws {
      try await MobileServicesStoryTests.play(isAppService: true) { stage async throws in
        try await SignInCommandTests.tool { tool, store in
          let token = try tool.file("token", MobileServicesStoryTests.providerToken)
          let signedIn = try await tool.run(
            SignInCommandTests.app + [stage.host.base.text, "--api-version", "2.0.0"] + store
              + ["--provider", "facebook", "--token-file", token])
          #expect(signedIn.status == 0, "\(signedIn.talk)")
          #expect(signedIn.object["account"] as? String == "mobile-services")
          let out = try await tool.run(["session", "sign-out"] + store)
          #expect(out.status == 0, "\(out.talk)")
          #expect(out.object["serviceTold"] as? Bool == true)
          #expect(stage.host.journal.count("GET", "/.auth/logout") == 1)
          #expect(try await tool.run(["session", "show"] + store).code == "session.none")
        }
      }
      try await MobileServicesStoryTests.play(isAppService: false) { stage async throws in
        try await SignInCommandTests.tool { tool, store in
          let key = try tool.file("application.key", MobileServicesStoryTests.applicationKey)
          let password = try tool.file("password", MobileServicesStoryTests.password)
          let person = ["--user-name", "mia", "--password-file", password]
          let register =
            [
              "register", "--server", stage.host.base.text, "--application-key-file", key,
              "--email", "mia@example.org",
            ] + person
          let made = try await tool.run(register)
          #expect(made.status == 0, "\(made.talk)")
          #expect(made.object["registered"] as? String == "mia")
          #expect(try await tool.run(register).code == "client.sign-in-refused")
          let signedIn = try await tool.run(
            SignInCommandTests.app + [stage.host.base.text, "--application-key-file", key] + store
              + person)
          #expect(signedIn.status == 0, "\(signedIn.talk)")
        }
      }
    }
  }
#endif
