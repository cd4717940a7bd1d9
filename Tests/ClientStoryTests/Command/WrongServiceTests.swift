#if Client
  import Federation
  import FederationClient
  import Foundation
  import HTTPExchange
  import SimulatedService
  import SimulatorHost
  import TestSupport
  import Testing

  @Suite("claims-client post, given a session of another service")
  struct WrongServiceTests {
    /// A server that accepts everything, so that only the client withholds a token from it.
    struct Stranger: Simulator {
      func answer(_ request: ServerRequest) throws(Refusal) -> HTTPResponse { .json("{}") }
    }

    static let now = SystemTime().now
    static let facebook = "http://www.facebook.com/claims/"

    static func keep(_ claims: [Claim], in store: [String]) throws {
      let session = Session(
        principal: Principal(authority: "acs", subject: "mia"), claims: ClaimSet(claims),
        credential: Credential(.bearer, Secret("session-credential")), signedInAt: now)
      try FileCredentialStore(path: store[1], key: .file(store[3])).update {
        $0.sessions["acs"] = session
      }
    }

    static let targets: [[String]] = [
      ["mastodon"], ["x"], ["linkedin", "--author", "urn:li:person:1", "--api-version", "202601"],
      ["bluesky", "--identifier", "mia.example.org"],
    ]

    static func post(_ target: [String], at base: HTTPURL) -> [String] {
      ["post", "--text", "Hello", "--from-session", "--account", "acs", "--api", base.text]
        + ["--service"] + target
    }

    @Test(
      "TRUST-5 The access token of Facebook reaches no other service, and the error differs from that without a session",
      arguments: targets)
    func otherService(_ target: [String]) async throws {
      try await SimulatorHost.serving({ _ in Stranger() }) { host in
        try await SignInCommandTests.tool { tool, store in
          try Self.keep(
            [
              Claim(.identityProvider, "Facebook-1234567890"),
              Claim(.facebookAccessToken, "facebook-access-token"),
            ], in: store)
          let outcome = try await tool.run(Self.post(target, at: host.base) + store)
          #expect(outcome.status == 1)
          #expect(outcome.code == "session.provider-token")
          #expect(host.journal.requests.isEmpty)
        }
      }
    }

    @Test(
      "TRUST-5 A refresh token, an expired access token and an identity token do not reach Facebook either"
    )
    func wrongKind() async throws {
      for claims in [
        [Claim(ClaimType(Self.facebook + "RefreshToken"), "kept-back-1")],
        [Claim(ClaimType(Self.facebook + "IdToken"), "kept-back-2")],
        [
          Claim(.facebookAccessToken, "kept-back-3"),
          Claim(ClaimType(Self.facebook + "expires"), "1600000000"),
        ],
        [
          Claim(.identityProvider, "Google"), Claim(.facebookAccessToken, "kept-back-4"),
        ],
      ] {
        try await SimulatorHost.serving({ _ in Stranger() }) { host in
          try await SignInCommandTests.tool { tool, store in
            try Self.keep(claims, in: store)
            let outcome = try await tool.run(
              Self.post(["facebook", "--page", "4711", "--api-version", "v23.0"], at: host.base)
                + store)
            #expect(outcome.code == "session.provider-token")
            #expect(host.journal.requests.isEmpty)
          }
        }
      }
    }

    @Test("The right token is used in any order of claims, and a session without one is an error")
    func rightToken() async throws {
      try await SimulatorHost.serving({ _ in Stranger() }) { host in
        try await SignInCommandTests.tool { tool, store in
          let post = Self.post(["x"], at: host.base) + store
          #expect(try await tool.run(post).code == "session.none")
          try Self.keep([], in: store)
          #expect(try await tool.run(post).code == "session.provider-token")
          try Self.keep(
            [
              Claim("http://twitter.com/claims/RefreshToken", "kept-back-5"),
              Claim(.facebookAccessToken, "kept-back-6"),
              Claim("http://twitter.com/claims/AccessToken", "x-access-token"),
            ], in: store)
          _ = try await tool.run(post)
          let seen = host.journal.requests.map { $0["Authorization"] }
          #expect(seen == ["Bearer x-access-token"])
        }
      }
    }
  }
#endif
