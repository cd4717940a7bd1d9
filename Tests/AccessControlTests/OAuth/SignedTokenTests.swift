import AccessControl
import HTTPExchange
import JSONWebTokens
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

@Suite("How JSON Web Tokens of the local Access Control Service are signed and encrypted")
struct SignedTokenTests {
  private static func keys(_ algorithm: SignatureAlgorithm) throws -> WebSigningKey {
    func key() throws -> PrivateKey {
      switch algorithm {
      case .ecdsaSHA256: try PrivateKey(generating: .ec256)
      case .ed25519: try PrivateKey(generating: .ed25519)
      default: try PrivateKey(generating: .rsa2048)
      }
    }
    return WebSigningKey(
      try SigningKey(key(), algorithm: algorithm), others: [try key().publicKey])
  }

  private func text(_ json: JSONValue, _ name: String) throws -> String {
    try #require(json[name]?.string)
  }

  /// The published keys, and those of one algorithm alone.
  private func published(
    _ fixture: OAuthFixture, _ algorithm: SignatureAlgorithm
  ) async throws -> [TrustedKey] {
    let set = try await fixture.site.get("/v2/openid/keys").body
    return try JSONWebKeySet(parsing: set).keys.filter { $0.algorithms == [algorithm] }
  }

  private func validate(
    _ token: String, by keys: [TrustedKey], for audience: String, _ opening: [DecryptionKey] = []
  ) throws -> ClaimSet {
    var trust = Trust(
      issuers: [TrustedIssuer("https://acs.example/", keys: keys, formats: [.jwt])],
      audiences: .oneOf([audience]))
    trust.decryptionKeys = opening
    return try TokenValidator(trust).validate(
      AnyToken(reading: Array(token.utf8)), at: SiteFixture.now
    ).claims
  }

  @Test(
    "Each relying party has ID tokens and access tokens by its algorithm, verified by the published keys",
    arguments: [
      ("PS256", SignatureAlgorithm.rsaPSSSHA256), ("ES256", .ecdsaSHA256), ("EdDSA", .ed25519),
    ])
  func algorithms(name: String, algorithm: SignatureAlgorithm) async throws {
    let fixture = try OAuthFixture(web: [Self.keys(algorithm)]) { parties in
      // The client and the API, and not the other client.
      for index in [0, 3] { parties[index].signing = algorithm }
    }
    let keys = try await published(fixture, algorithm)
    #expect(keys.count == 2 && Set(keys.compactMap(\.keyID)).count == 2)
    let tokens = try await fixture.tokens(
      "chat", ["scope": "openid email read", "resource": OAuthFixture.api])
    for (member, audience) in [("id_token", "chat"), ("access_token", OAuthFixture.api)] {
      let token = try text(tokens, member)
      let header = try ExchangeFixture.parts(token).header
      #expect(header["alg"]?.string == name && header["kid"]?.string == keys[0].keyID)
      #expect(try !validate(token, by: keys, for: audience).isEmpty)
      // The control: the key of RS256 verifies none of them.
      let others = try await published(fixture, .rsaSHA256)
      #expect(throws: TokenError.self) { try validate(token, by: others, for: audience) }
    }
    let other = try text(try await fixture.tokens("other"), "id_token")
    #expect(try ExchangeFixture.parts(other).header["alg"]?.string == "RS256")
    let metadata = try JSONParser.parse(
      await fixture.site.get("/.well-known/openid-configuration").body)
    #expect(
      metadata["id_token_signing_alg_values_supported"]?.array?.compactMap(\.string)
        == ["RS256", name])
    let asked = try await fixture.post(
      "/v2/openid/introspect", [("token", text(tokens, "access_token"))], as: OAuthFixture.api)
    #expect(asked.json["active"]?.bool == true, "\(asked.response.text)")
  }

  @Test("A relying party whose algorithm has no key gets no token of another")
  func keyless() async throws {
    let fixture = try OAuthFixture { $0[0].signing = .ecdsaSHA256 }
    let answer = try await fixture.answer()
    #expect(answer.parameters["code"] == nil && answer.parameters["error"] != nil)
    #expect(throws: TokenError(.issuingNoCertificate)) {
      try NamespaceFixture.unsigned(by: .ed25519)
    }
  }

  @Test(
    "Tokens are encrypted to the key of their audience, and what is inside is signed",
    arguments: [
      (PrivateKey.NewKind.rsa2048, KeyManagement.rsaOAEP256, ContentEncryption.aes256GCM),
      (.rsa2048, .rsaOAEP256, .aes128CBCHMAC), (.ec256, .ecdhES, .aes256GCM),
      (.ec256, .ecdhES, .aes128CBCHMAC),
    ])
  func encrypted(
    kind: PrivateKey.NewKind, algorithm: KeyManagement, encryption: ContentEncryption
  ) async throws {
    let key = try PrivateKey(generating: kind)
    let recipient = try JSONWebEncryptionRecipient(
      key.publicKey, keyID: "theirs", algorithm: algorithm, encryption: encryption)
    let fixture = try OAuthFixture { parties in
      for index in [0, 3] {
        parties[index].requiresEncryption = true
        parties[index].webRecipient = recipient
      }
    }
    let tokens = try await fixture.tokens(
      "chat", ["scope": "openid email read", "resource": OAuthFixture.api])
    let keys = try await published(fixture, .rsaSHA256)
    for (member, audience) in [("id_token", "chat"), ("access_token", OAuthFixture.api)] {
      let token = try text(tokens, member)
      let part = try #require(token.split(separator: ".").first)
      let header = try JSONParser.parse(Base64.decode(Array(part.utf8), .url))
      #expect(header["alg"]?.string == algorithm.name && header["enc"]?.string == encryption.name)
      #expect(header["kid"]?.string == "theirs" && header["cty"]?.string == "JWT")
      // A few letters stand in random text by chance.
      for part in token.split(separator: ".") {
        let octets = try Base64.decode(Array(part.utf8), .url)
        #expect(!String(decoding: octets, as: UTF8.self).contains("\"sub\""))
      }
      _ = try validate(token, by: keys, for: audience, [DecryptionKey(key)])
      let stranger = try PrivateKey(generating: kind)
      #expect(throws: TokenError(.decryptionFailed)) {
        try validate(token, by: keys, for: audience, [DecryptionKey(stranger)])
      }
    }
    // One who is no audience of them gets tokens as before.
    #expect(
      try text(try await fixture.tokens("other"), "id_token").split(separator: ".").count == 3)
  }

  @Test("Where tokens have to be encrypted and there is no key, there is none")
  func keylessRecipient() async throws {
    let fixture = try OAuthFixture { $0[0].requiresEncryption = true }
    let answer = try await fixture.answer()
    #expect(answer.parameters["code"] == nil && answer.parameters["error"] != nil)
  }

  @Test("Of two algorithms with a key each, a relying party has its own")
  func twoAlgorithms() async throws {
    let web = [try Self.keys(.rsaPSSSHA256), try Self.keys(.ecdsaSHA256)]
    let fixture = try OAuthFixture(web: web) { parties in
      parties[0].signing = .ecdsaSHA256
      parties[1].signing = .rsaPSSSHA256
    }
    for (client, name) in [("chat", "ES256"), ("other", "PS256")] {
      let token = try text(try await fixture.tokens(client), "id_token")
      #expect(try ExchangeFixture.parts(token).header["alg"]?.string == name)
    }
  }
}

extension NamespaceFixture {
  /// What a namespace without a key for an algorithm issues to a relying party that has it.
  static func unsigned(by algorithm: SignatureAlgorithm) throws -> IssuedToken {
    var party = RelyingParty(realm: "uri:jwt", format: .jwt, ruleGroups: ["default"])
    party.signing = algorithm
    return try NamespaceFixture().namespace.issue(
      ClaimSet(mia), from: .provider("Google"), to: party, at: SiteFixture.now)
  }
}
