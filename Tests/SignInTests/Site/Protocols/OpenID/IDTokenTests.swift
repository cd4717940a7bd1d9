import HTTPExchange
import SecurityKeys
import SignIn
import TestSupport
import Testing
import TokenBasics

@Suite("OpenID Connect: the ID token")
struct IDTokenTests {
  private let fixture: OpenIDFixture

  init() throws { fixture = try OpenIDFixture() }

  /// The refusal of an ID token with other members; nil removes one.
  private func refusal(
    _ members: [String: String?], _ change: (inout OpenIDClient) throws -> Void = { _ in }
  ) async throws -> TokenError.Code? {
    try await fixture.refusal(fixture.party(change)) { state in
      state.payload = { payload in
        for (name, value) in members { payload[name] = value }
      }
    }
  }

  @Test(
    "Audiences beside the client are those that the registration lists, where it lists any, and no party is named only with a warning"
  )
  func otherAudiences() async throws {
    let client = quoted(ScriptedProvider.clientID)
    for (listed, expected) in [
      (nil, nil), (["other"], nil), ([], .audienceMismatch), (["others"], .audienceMismatch),
    ] as [([String]?, TokenError.Code?)] {
      let found = try await refusal(["aud": "[\(client),\"other\"]"]) { $0.otherAudiences = listed }
      #expect(found == expected, "\(String(describing: listed))")
    }
  }

  @Test(
    "A member that is null is not there: one that may be absent changes nothing, one that is needed is missing"
  )
  func nullMembers() async throws {
    for name in ["azp", "sid", "at_hash", "c_hash", "nbf", "jti", "acr"] {
      #expect(try await refusal([name: "null"]) == nil, "\(name)")
    }
    for name in ["iss", "aud", "exp", "iat", "nonce"] {
      let absent = try await refusal([name: nil])
      let null = try await refusal([name: "null"])
      #expect(absent != nil && absent == null, "\(name)")
    }
    #expect(try await refusal(["sub": "null"]) == .jsonMember)
  }

  @Test("JWT-20: An audience is the client, and the party that is named is the client too")
  func audience() async throws {
    let client = quoted(ScriptedProvider.clientID)
    #expect(try await refusal(["aud": "\"another\""]) == .audienceMismatch)
    #expect(try await refusal(["aud": "\"client 1x\""]) == .audienceMismatch)
    #expect(try await refusal(["aud": nil]) == .audienceMissing)
    #expect(try await refusal(["aud": "[\(client),\"other\"]"]) == nil)
    #expect(
      try await refusal(["aud": "[\(client),\"other\"]", "azp": "\"other\""]) == .audienceMismatch)
    #expect(try await refusal(["azp": "\"other\""]) == .audienceMismatch)
    #expect(try await refusal(["azp": "7"]) == .audienceMismatch)
    #expect(try await refusal(["azp": client]) == nil)
    #expect(try await refusal(["aud": "[\(client)]"]) == nil)
    #expect(try await refusal(["aud": "[\(client),\"other\"]", "azp": client]) == nil)
  }

  @Test("JWT-21: The issuer is the configured one, byte for byte")
  func issuer() async throws {
    for other in ["https://evil.example/", fixture.provider.issuer + "/"] {
      #expect(try await refusal(["iss": quoted(other)]) == .issuerUntrusted)
    }
    #expect(try await refusal(["iss": nil]) == .issuerMissing)
    #expect(try await refusal([:]) == nil)
  }

  @Test("JWT-22: Another type of token is no ID token")
  func purpose() async throws {
    for type in ["at+jwt", "logout+jwt", "application/secevent+jwt"] {
      #expect(try await fixture.refusal { $0.type = type } == .tokenPurpose)
    }
    for type in [nil, "JWT", "application/jwt"] {
      #expect(try await fixture.refusal { $0.type = type } == nil)
    }
  }

  @Test("JWT-23: The nonce is that of the request")
  func nonce() async throws {
    #expect(try await refusal(["nonce": "\"another\""]) == .responseRequestMismatch)
    #expect(try await refusal(["nonce": nil]) == .responseUnsolicited)
    #expect(try await refusal(["nonce": "7"]) == .responseUnsolicited)
    #expect(try await refusal([:]) == nil)
  }

  @Test("JWT-23: The hashes of code and access token are compared where they are there")
  func hashes() async throws {
    func hash(_ text: String) -> String {
      let digest = DigestAlgorithm.sha256.digest(of: Array(text.utf8)) ?? []
      return quoted(Base64.encode(digest.prefix(16), .url))
    }
    #expect(try await refusal(["at_hash": hash("access-2")]) == .signInIDToken)
    #expect(try await refusal(["c_hash": hash("code-2")]) == .signInIDToken)
    #expect(try await refusal(["c_hash": "\"\""]) == .signInIDToken)
    #expect(try await refusal(["at_hash": "7"]) == .signInIDToken)
    #expect(
      try await refusal(["at_hash": hash("access-1"), "c_hash": hash("code-1")]) == nil)
  }

  @Test("The members that OpenID Connect demands are there, and of their type")
  func members() async throws {
    #expect(try await refusal(["sub": nil]) == .signInIDToken)
    #expect(
      try await refusal(["sub": quoted(String(repeating: "a", count: 256))]) == .signInIDToken)
    #expect(try await refusal(["sub": "7"]) == .jsonMember)
    #expect(try await refusal(["iat": nil]) == .signInIDToken)
    #expect(try await refusal(["exp": nil]) == .noExpiry)
    #expect(try await refusal(["sid": "7"]) == .signInIDToken)
    #expect(try await refusal(["sid": nil]) == nil)
    #expect(try await refusal(["sub": quoted(String(repeating: "a", count: 255))]) == nil)
  }

  @Test("The times are compared with the skew of the relying party")
  func times() async throws {
    let now = fixture.time.now.seconds
    #expect(try await refusal(["exp": "\(now - 60)"]) == .expired)
    #expect(try await refusal(["iat": "\(now + 61)"]) == .issuedInFuture)
    #expect(try await refusal(["nbf": "\(now + 61)"]) == .notYetValid)
    #expect(try await refusal(["exp": "\(now - 59)", "iat": "\(now + 60)"]) == nil)
  }

  @Test("The algorithm is that of the registration, whatever the token names")
  func algorithm() async throws {
    for name in ["none", "HS256", "RS512", "PS256", "rs256"] {
      let code = try await fixture.refusal { $0.algorithm = name }
      #expect(code == .algorithmNotAllowed)
    }
    fixture.provider.change {
      $0.discovery["id_token_signing_alg_values_supported"] = "[\"RS256\",\"ES256\"]"
    }
    await fixture.registry.refresh()
    let party = try fixture.party { $0.signingAlgorithms = [.ecdsaSHA256] }
    #expect(try await fixture.refusal(party) { $0.algorithm = "RS256" } == .algorithmNotAllowed)
    #expect(try await fixture.refusal { $0.algorithm = "RS256" } == nil)
  }

  @Test("A registration with no algorithm, or with one of a shared secret, is refused")
  func registration() throws {
    for algorithms: [SignatureAlgorithm] in [[], [.hmacSHA256], [.rsaSHA256, .rsaSHA1]] {
      #expect(throws: TokenError(.signInConfiguration)) {
        try fixture.party { $0.signingAlgorithms = algorithms }
      }
    }
    #expect(throws: TokenError(.signInConfiguration)) {
      try fixture.party { $0.scopes = ["email"] }
    }
    #expect(throws: TokenError(.signInConfiguration)) {
      try fixture.party { $0.authentication = .basic(Secret("")) }
    }
    _ = try fixture.party { $0.signingAlgorithms = [.rsaSHA256, .ecdsaSHA256, .ed25519] }
  }

  @Test("A person who signed in longer ago than max_age, or not demonstrably, is refused")
  func maxAge() async throws {
    let now = fixture.time.now.seconds
    let old = ["auth_time": "\(now - 361)"]
    #expect(try await refusal(old) { $0.maxAge = 300 } == .signInContext)
    #expect(try await refusal([:]) { $0.maxAge = 300 } == .signInContext)
    #expect(try await refusal(["auth_time": "\(now + 61)"]) { $0.maxAge = 300 } == .signInContext)
    #expect(try await refusal(["auth_time": "\"\(now)\""]) { $0.maxAge = 300 } == .signInContext)
    #expect(try await refusal(["auth_time": "\(now - 360)"]) { $0.maxAge = 300 } == nil)
    #expect(try await refusal(["auth_time": "\(now - 360).0e+0"]) { $0.maxAge = 300 } == nil)
    #expect(
      try await refusal(["auth_time": "\(now - 361)0e-1"]) { $0.maxAge = 300 } == .signInContext)
    #expect(try await refusal(old) == nil)
  }

  @Test("A person who signed in by none of the demanded contexts is refused")
  func contexts() async throws {
    #expect(
      try await refusal(["acr": "\"pwd\""]) { $0.contexts = ["mfa", "hw"] } == .signInContext)
    #expect(try await refusal([:]) { $0.contexts = ["mfa"] } == .signInContext)
    #expect(try await refusal(["acr": "[\"mfa\"]"]) { $0.contexts = ["mfa"] } == .signInContext)
    #expect(try await refusal(["acr": "\"hw\""]) { $0.contexts = ["mfa", "hw"] } == nil)
    #expect(try await refusal(["acr": "\"pwd\""]) == nil)
  }

  @Test("A token by a new key is verified after one fetch, with and without a name for the key")
  func rollover() async throws {
    let party = try fixture.party()
    _ = try await fixture.signIn(party, code: "before")
    let second = try ProviderKey.second
    fixture.provider.change {
      $0.signer = second
      $0.keySet = [second]
    }
    #expect(try await fixture.signIn(party, code: "after").principal.subject == "alice")
    // A key that nobody publishes stays unknown; the fetch for it is a minute away.
    #expect(try await fixture.refusal(party) { $0.namedKey = "invented" } == .unknownKeyID)
    #expect(try await fixture.refusal(party) { $0.namedKey = nil } == nil)
  }

  @Test("A token that is refused for anything else makes nobody fetch keys")
  func noFetch() async throws {
    let party = try fixture.party()
    _ = try await fixture.signIn(party, code: "before")
    func fetches() -> Int {
      fixture.transport.requests.count { $0.url.path.hasSuffix("/keys") }
    }
    let before = fetches()
    fixture.time.advance(bySeconds: 61)
    let code = try await fixture.refusal(party) { state in
      state.payload = { $0["aud"] = "\"another\"" }
    }
    #expect(code == .audienceMismatch && fetches() == before)
    fixture.time.advance(bySeconds: 61)
    let unknown = try await fixture.refusal(party) { state in
      state.payload = { _ in }
      state.namedKey = "invented"
    }
    #expect(unknown == .unknownKeyID && fetches() == before + 1)
  }

  @Test("A token signed by a key of nobody is refused")
  func signature() async throws {
    let second = try ProviderKey.second
    let code = try await fixture.refusal {
      $0.signer = second
      $0.namedKey = "rsa-1"
    }
    #expect(code == .signatureInvalid)
  }

  @Test("Claims are named as the registration says")
  func naming() async throws {
    let party = try fixture.party { $0.naming = .claimURIs }
    let signIn = try await fixture.signIn(party) { state in
      state.payload = { $0["email"] = "\"a@example.com\"" }
    }
    #expect(signIn.principal.claims[.emailAddress] == ["a@example.com"])
  }
}
