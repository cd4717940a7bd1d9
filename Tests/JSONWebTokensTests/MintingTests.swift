import Claims
import JSONWebTokens
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

@Suite("Issuing JSON Web Tokens")
struct MintingTests {
  static let now = Instant(secondsSinceEpoch: 1_893_499_200)

  static let draft = TokenDraft(
    issuer: "https://idp.example/idp", audiences: ["urn:a", "urn:b"], subject: "ada",
    claims: ClaimSet([
      Claim("role", "editor"), Claim("role", "b\"\\\u{1}\n徐"), Claim("team", "x"),
    ]), issuedAt: now, id: "t1")

  func trust(_ key: VerificationKey) -> Trust {
    Trust(
      issuers: [TrustedIssuer("https://idp.example/idp", keys: [key], formats: [.jwt])],
      audiences: .oneOf(["urn:b"]))
  }

  @Test(
    "A signed token verifies with the certificate or public key",
    arguments: [
      ("idp-rsa", "crt"), ("idp-ec256", "crt"), ("idp-ec384", "crt"), ("idp-ec521", "crt"),
      ("idp-ed25519", "pub"),
    ])
  func signs(name: String, ending: String) throws {
    let key = try SigningKey(PrivateKey(pemOrDER: TestVector.bytes("keys/\(name).key")))
    let octets = try JSONWebToken.mint(Self.draft, key: key, keyID: "k")
    let verified = try TokenValidator(
      trust(VerificationKey(pemOrDER: TestVector.bytes("keys/\(name).\(ending)")))
    ).validate(JSONWebToken(parsing: octets), at: Self.now)
    #expect(verified.claims["team"] == ["x"])
    #expect(verified.claims["role"] == ["editor", "b\"\\\u{1}\n徐"])
    #expect(verified.facts.tokenID == "t1")
    #expect(verified.facts.audiences == ["urn:a", "urn:b"])
  }

  @Test("The same draft and key give the same bytes, and a secret needs the digest's length")
  func deterministic() throws {
    let key = try SymmetricKey(bytes: [UInt8](repeating: 7, count: 48))
    #expect(
      try JSONWebToken.mint(Self.draft, key: key) == JSONWebToken.mint(Self.draft, key: key))
    _ = try JSONWebToken.mint(Self.draft, key: key, algorithm: .hmacSHA384)
    #expect(throws: TokenError(.hmacKeyLength)) {
      try JSONWebToken.mint(Self.draft, key: key, algorithm: .hmacSHA512)
    }
    #expect(throws: TokenError(.mintAlgorithm)) {
      try JSONWebToken.mint(Self.draft, key: key, algorithm: .rsaSHA256)
    }
  }

  @Test(
    "ISS-3 A claim with a registered name is refused",
    arguments: ["iss", "aud", "exp", "nbf", "iat", "jti", "sub"])
  func reserved(name: String) throws {
    var draft = Self.draft
    draft.claims = ClaimSet([Claim(ClaimType(name), "x")])
    let key = try SymmetricKey(bytes: [UInt8](repeating: 7, count: 32))
    #expect(throws: TokenError(.mintReservedName)) { try JSONWebToken.mint(draft, key: key) }
  }
}
