import Foundation
import HTTPExchange
import IdentityProviderTesting
import IssuerRegistry
import JSONWebTokens
import RegistryTesting
import SecurityKeys
import SignIn
import TestSupport
import Testing
import TokenBasics

/// What is a bearer token, whoever signed it.
@Suite("Bearer tokens: what one is")
struct BearerTokenTests {
  private let fixture: BearerTokenFixture

  init() throws { fixture = try BearerTokenFixture() }

  @Test(
    "An ID token, a logout token and another type are no access tokens",
    arguments: [
      ("JOSE", nil), ("application/jwt", nil), ("logout+jwt", nil), ("x", nil), ("JWT", "nonce"),
      ("JWT", "events"), ("at+jwt", "at_hash"), (nil, "c_hash"),
    ] as [(String?, String?)])
  func purpose(type: String?, member: String?) async throws {
    let strict = try fixture.authenticator(BearerTokenFixture.discovery)
    let token = try fixture.jwt({ if let member { $0[member] = "\"x\"" } }, type: type)
    #expect(await fixture.code(strict, token) == .tokenPurpose)
    if member != nil {
      let lenient = BearerTokenFixture.discovery.dropLast() + ", \"idTokens\": true}"
      #expect(
        try await fixture.principal(fixture.authenticator(String(lenient)), token)?.subject
          == "alice")
    }
  }

  @Test(
    "Whoever has our public key can put an ID token into a container: it is judged as it is outside"
  )
  func containers() async throws {
    let own = TestVector.bytes("keys/rp-rsa.key")
    let recipient = try JSONWebEncryptionRecipient(PrivateKey(pemOrDER: own).publicKey)
    func inside(_ token: String) throws -> String {
      String(
        decoding: try EncryptedJSONWebToken.encrypt(Array(token.utf8), to: recipient), as: UTF8.self
      )
    }
    try Data(own).write(to: fixture.folder.appending(path: "rp.key"))
    let api = try fixture.authenticator(
      BearerTokenFixture.discovery, ", \"decryptionKeys\": [\"rp.key\"]")
    #expect(try await fixture.principal(api, inside(fixture.jwt()))?.subject == "alice")
    #expect(
      await fixture.code(api, try inside(fixture.jwt({ $0["nonce"] = "\"x\"" }))) == .tokenPurpose)
    let strict = try fixture.authenticator(
      BearerTokenFixture.discovery.dropLast() + ", \"type\": \"at+jwt\"}",
      ", \"decryptionKeys\": [\"rp.key\"]")
    #expect(await fixture.code(strict, try inside(fixture.jwt())) == .tokenPurpose)
  }

  @Test(
    "RFC 9068: The types of access tokens are taken, and where one is demanded its members are too")
  func accessTokens() async throws {
    let usual = try fixture.authenticator(BearerTokenFixture.discovery)
    for type in [nil, "JWT", "jwt", "at+jwt", "AT+JWT", "application/at+jwt"] {
      #expect(
        try await fixture.principal(usual, fixture.jwt(type: type)) != nil, "\(type ?? "none")")
    }
    let strict = try fixture.authenticator(
      String(BearerTokenFixture.discovery.dropLast()) + ", \"type\": \"at+jwt\"}")
    #expect(await fixture.code(strict, try fixture.jwt()) == .tokenPurpose)
    #expect(
      await fixture.code(strict, try fixture.jwt(type: "at+jwt")) == .tokenPurpose,
      "no client_id, no jti")
    let whole = try fixture.jwt(
      {
        $0["client_id"] = "\"c\""
        $0["jti"] = "\"1\""
      }, type: "at+jwt")
    #expect(try await fixture.principal(strict, whole)?.subject == "alice")
    for type in ["JWT", nil] {
      let other = try fixture.jwt(
        {
          $0["client_id"] = "\"c\""
          $0["jti"] = "\"1\""
        }, type: type)
      #expect(await fixture.code(strict, other) == .tokenPurpose, "\(type ?? "no type")")
    }
  }

  @Test(
    "An SD-JWT is no access token, also where its issuer is trusted for such: what keeps its holder out need not be disclosed",
    arguments: ["", ", \"type\": \"at+jwt\"", ", \"idTokens\": true"])
  func credentials(more: String) async throws {
    let key = try ProviderKey.first
    try fixture.write("keys.json", "{\"keys\":[\(key.json)]}")
    let presented = try fixture.jwt(type: "dc+sd-jwt") + "~"
    let issuer = try TrustedIssuer(
      "https://idp.example/tenant",
      keys: JSONWebKeySet(parsing: Array("{\"keys\":[\(key.json)]}".utf8)).keys, formats: [.sdjwt])
    let trust = Trust(issuers: [issuer], audiences: .oneOf([BearerTokenFixture.audience]))
    let genuine = try TokenValidator(trust).validate(
      AnyToken(reading: Array(presented.utf8)), at: fixture.time.now)
    #expect(genuine.facts.subject == "alice")
    let both = try fixture.authenticator(
      """
      {"name": "https://idp.example/tenant", "keys": ["jwks:keys.json"], "formats": ["jwt", "sdjwt"]\(more)}
      """)
    #expect(await fixture.code(both, presented) == .tokenPurpose)
    let access = try fixture.jwt(
      {
        $0["client_id"] = "\"c\""
        $0["jti"] = "\"1\""
      }, type: "at+jwt")
    #expect(try await fixture.principal(both, access)?.subject == "alice")
  }

  @Test(
    "A token that is bound to a key is none for whoever has it, by whichever way that is known")
  func bound() async throws {
    let bound = try fixture.jwt { $0["cnf"] = "{\"jkt\":\"x\"}" }
    #expect(
      await fixture.code(try fixture.authenticator(BearerTokenFixture.discovery), bound)
        == .possessionMissing)
    let lenient = BearerTokenFixture.discovery.dropLast() + ", \"idTokens\": true}"
    #expect(
      await fixture.code(try fixture.authenticator(String(lenient)), bound) == .possessionMissing)
    let asked = try fixture.authenticator(BearerTokenFixture.introspection())
    fixture.answering(["cnf": "{\"x5t#S256\":\"x\"}"])
    #expect(await fixture.code(asked, "bound") == .tokenPurpose)
    fixture.answering([:])
    #expect(try await fixture.principal(asked, "unbound")?.subject == "bob")
  }
}
