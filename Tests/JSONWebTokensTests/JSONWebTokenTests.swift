import Claims
import Federation
import JSONWebTokens
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

@Suite("JSON Web Tokens")
struct JSONWebTokenTests {
  @Test("Mobile Services derive their signing key from the master key")
  func mobileServices() throws {
    let key = try MobileServicesKey.signingKey(masterKey: "masterKeyForDocs0123456789")
    let trust = Trust(
      issuers: [TrustedIssuer(MobileServicesKey.issuer, keys: [.secret(key)], formats: [.jwt])],
      audiences: .oneOf(["Custom"]))
    let token = try JSONWebToken(parsing: TestVector.bytes("jwt/tv-10.txt"))
    let now = try Instant(dateTime: "2029-12-31T23:55:00Z")
    let verified = try TokenValidator(trust).validate(token, at: now)
    #expect(verified.claims["uid"] == ["Custom:42"])
    let other = try MobileServicesKey.signingKey(masterKey: "another")
    let wrong = Trust(
      issuers: [TrustedIssuer(MobileServicesKey.issuer, keys: [.secret(other)], formats: [.jwt])],
      audiences: .oneOf(["Custom"]))
    #expect(throws: TokenError(.signatureInvalid)) {
      try TokenValidator(wrong).validate(token, at: now)
    }
    #expect(throws: TokenError(.unreadableKey)) { try MobileServicesKey.signingKey(masterKey: "") }
  }

  @Test("JWT-23 A nonce ties the token to a request: it must be there, and be that request's")
  func nonce() throws {
    let key = try KeySpecification.key("hmac-file:keys/hmac-64.key", files: VectorFiles())
    let trust = Trust(
      issuers: [
        TrustedIssuer("https://idp.example/idp", keys: [key], formats: [.jwt])
      ], audiences: .oneOf(["https://rp.example/saml"]))
    let now = try Instant(dateTime: "2030-01-01T12:00:00Z")
    func validate(_ file: String, answering request: String?) throws -> Verified<JSONWebToken> {
      try TokenValidator(trust).validate(
        JSONWebToken(parsing: TestVector.bytes(file)), at: now,
        expecting: Expectations(inResponseTo: request))
    }
    #expect(try validate("jwt/jwt-23-session.txt", answering: "n-1").claims["nonce"] == ["n-1"])
    #expect(try validate("jwt/pyjwt-hs256.txt", answering: nil).claims["nonce"].isEmpty)
    #expect(throws: TokenError(.responseRequestMismatch)) {
      try validate("jwt/jwt-23-session.txt", answering: "n-2")
    }
    #expect(throws: TokenError(.responseUnsolicited)) {
      try validate("jwt/pyjwt-hs256.txt", answering: "n-1")
    }
  }

  @Test("The verified token has the key for single use: issuer and jti")
  func tokenID() throws {
    let key = try KeySpecification.key("hmac-file:keys/hmac-64.key", files: VectorFiles())
    let trust = Trust(
      issuers: [TrustedIssuer("https://idp.example/idp", keys: [key], formats: [.jwt])],
      audiences: .oneOf(["https://rp.example/saml"]))
    let token = try JSONWebToken(parsing: TestVector.bytes("jwt/jwt-23-session.txt"))
    let verified = try TokenValidator(trust).validate(
      token, at: Instant(dateTime: "2030-01-01T12:00:00Z"))
    #expect(verified.facts.issuer == "https://idp.example/idp")
    #expect(verified.facts.tokenID == "t1")
  }

  @Test(
    "JWT-29 A set of keys is a configured file; an address is a path that does not exist",
    arguments: ["https://idp.example/keys", "http://127.0.0.1/keys", "file:///etc/passwd"])
  func keySets(address: String) {
    struct NoFiles: FileSource {
      func read(_ path: String) throws(TokenError) -> [UInt8] {
        throw TokenError(.unreadableKey, node: path)
      }
    }
    #expect(throws: TokenError(.unreadableKey)) {
      try KeySpecification.keys("jwks:" + address, files: NoFiles())
    }
  }

  @Test(
    "Ed25519 has two names in JOSE (RFC 9864, 2.2), and each is for keys of its curve alone",
    arguments: ["EdDSA", "Ed25519"])
  func edwards(name: String) throws {
    func validate(alg: String, _ key: String) throws -> Verified<JSONWebToken> {
      let key = try SigningKey(PrivateKey(pemOrDER: TestVector.bytes("keys/\(key).key")))
      let input = [#"{"alg":"\#(alg)"}"#, #"{"iss":"i","aud":"a","exp":1893499500}"#]
        .map { Base64.encode(Array($0.utf8), .url) }.joined(separator: ".")
      let signature = Base64.encode(try key.sign(Array(input.utf8)), .url)
      let trust = Trust(
        issuers: [TrustedIssuer("i", keys: [.publicKey(key.publicKey)], formats: [.jwt])],
        audiences: .oneOf(["a"]))
      return try TokenValidator(trust).validate(
        JSONWebToken(parsing: Array((input + "." + signature).utf8)),
        at: Instant(secondsSinceEpoch: 1_893_499_200))
    }
    #expect(try validate(alg: name, "idp-ed25519").facts.issuer == "i")
    for other in ["idp-ed448", "idp-ec256", "idp-rsa"] {
      #expect(throws: TokenError(.algorithmKeyMismatch)) { try validate(alg: name, other) }
    }
    for unknown in [name.lowercased(), name + " "] {
      do {
        _ = try validate(alg: unknown, "idp-ed25519")
        Issue.record("accepted")
      } catch let error as TokenError {
        #expect(error.code == .unknownSignatureAlgorithm)
        // What no build can verify is not advised.
        #expect(error.expected?.contains("EdDSA, Ed25519, Ed448") == true)
        #expect(error.expected?.contains("ML-DSA-44") == false)
      }
    }
  }

  @Test("Short names can be replaced by their claim URIs, and back")
  func naming() throws {
    var token = try JSONWebToken(parsing: TestVector.bytes("jwt/tv-8.txt"))
    #expect(token.unverifiedClaims["nameid"] == ["100004711"])
    token.naming = .claimURIs
    #expect(token.unverifiedClaims[.nameIdentifier] == ["100004711"])
    #expect(token.unverifiedClaims[.identityProvider] == ["Facebook-1234567890"])
    #expect(token.unverifiedClaims.first?.originalName == "nameid")
    #expect(ClaimNaming.shortName(of: .nameIdentifier) == "nameid")
    #expect(ClaimNaming.shortName(of: .role) == "role")
    #expect(ClaimNaming.shortName(of: "urn:x") == nil)
  }

  @Test("JWT-28 A key set has verifying keys, passes secrets and others over, is never empty")
  func keySets() throws {
    let text = String(decoding: TestVector.bytes("keys/jwks-ps256.json"), as: UTF8.self)
    let modulus = try #require(text.firstMatch(of: /"n": "([^"]+)"/)?.1)
    let rsa = #"{"kty":"RSA","n":"\#(modulus)","e":"AQAB"}"#
    let set = { (keys: [String]) in
      try JSONWebKeySet(parsing: Array("{\"keys\":[\(keys.joined(separator: ","))]}".utf8))
    }
    let mixed = try set([rsa, #"{"kty":"XYZ"}"#, "{}", "1"])
    #expect(mixed.keys.count == 1)
    #expect(mixed.passedOver.map(\.code) == [.unsupportedKey, .jsonMember, .jsonMember])
    let secret = #"{"kty":"oct","k":"AAAA"}"#
    #expect(try set([rsa, secret]).passedOver == [TokenError(.privateKey)])
    #expect(throws: TokenError(.privateKey)) { try set([secret]) }
    let priv = rsa.replacingOccurrences("}", with: ",\"d\":\"AA\"}")
    #expect(try set([rsa, priv]).passedOver == [TokenError(.privateKey)])
    #expect(throws: TokenError(.privateKey)) { try set([priv]) }
    for use in [",\"use\":\"enc\"}", ",\"key_ops\":[\"sign\"]}"] {
      #expect(throws: TokenError(.emptyKeySet)) {
        try set([rsa.replacingOccurrences("}", with: use)])
      }
    }
    #expect(throws: TokenError(.unknownSignatureAlgorithm)) {
      try set([rsa.replacingOccurrences("}", with: ",\"alg\":\"none\"}")])
    }
    #expect(throws: TokenError(.emptyKeySet)) { try set([]) }
    #expect(throws: TokenError(.jsonMember)) {
      try JSONWebKeySet(parsing: Array(#"{"keys":{}}"#.utf8))
    }
    #expect(throws: TokenError(.unreadableKey)) {
      try set(Array(repeating: rsa, count: 1001))
    }
  }

  @Test("JWT-31 A parsed token has its claims under the name unverifiedClaims")
  func unverified() throws {
    let token = try JSONWebToken(parsing: TestVector.bytes("jwt/tampered.txt"))
    #expect(token.unverifiedClaims["role"] == ["admin"])
  }

  @Test("JWT-33 A token beyond the size limit is refused before anything is decoded")
  func size() {
    let octets = [UInt8](repeating: UInt8(ascii: "a"), count: (1 << 20) + 1)
    #expect(throws: TokenError(.inputTooLarge)) { try JSONWebToken(parsing: octets) }
  }
}

extension String {
  fileprivate func replacingOccurrences(_ old: String, with new: String) -> String {
    split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }
}
