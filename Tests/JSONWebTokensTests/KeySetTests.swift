import Claims
import Foundation
import JSONWebTokens
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// JWK sets as issuers publish them.
@Suite("Key sets of others")
struct KeySetTests {
  /// The components of the RSA and the EC key of the vectors, base64url.
  private static let rsa = components("idp-rsa.key", ["n", "e"])
  private static let ec = components("idp-ec256.key", ["x", "y"])

  private static func components(_ file: String, _ names: [String]) -> [String: String] {
    guard let key = try? PrivateKey(pemOrDER: TestVector.bytes("keys/" + file)).publicKey else {
      return [:]
    }
    if let (modulus, exponent) = key.rsaComponents {
      return ["n": Base64.encode(modulus, .url), "e": Base64.encode(exponent, .url)]
    }
    let point = key.curveAndPoint?.point ?? []
    return [
      "x": Base64.encode(Array(point.dropFirst().prefix(32)), .url),
      "y": Base64.encode(Array(point.suffix(32)), .url),
    ]
  }

  private static func rsaKey(_ more: [String: Any] = [:]) -> [String: Any] {
    (["kty": "RSA"] as [String: Any]).merging(rsa) { $1 }.merging(more) { $1 }
  }

  private static func ecKey(_ more: [String: Any] = [:]) -> [String: Any] {
    (["kty": "EC", "crv": "P-256"] as [String: Any]).merging(ec) { $1 }.merging(more) { $1 }
  }

  private func set(_ keys: [[String: Any]]) throws -> JSONWebKeySet {
    let data = try JSONSerialization.data(withJSONObject: ["keys": keys])
    return try JSONWebKeySet(parsing: Array(data))
  }

  private func code(_ keys: [[String: Any]]) throws -> TokenError.Code? {
    do {
      _ = try set(keys)
      return nil
    } catch let error as TokenError {
      return error.code
    }
  }

  // MARK: Passed over

  @Test(
    "JWT-28 A key that cannot be used is passed over with its place and cause; the rest is used")
  func passedOver() throws {
    let short = String(repeating: "A", count: 100)
    let cases: [([String: Any], TokenError.Code)] = [
      (["kty": "XYZ", "kid": "bad"], .unsupportedKey), (["kid": "bad"], .jsonMember),
      (Self.ecKey(["kid": "bad", "crv": "secp256k1"]), .unsupportedKey),
      (Self.ecKey(["kid": "bad", "y": Self.ec["x"] ?? ""]), .weakKey),
      (Self.ecKey(["kid": "bad", "x": "!"]), .unreadableKey),
      (Self.ecKey(["kid": "bad", "x": ""]), .unreadableKey),
      (Self.ecKey(["kid": "bad", "x": NSNull()]), .unreadableKey),
      (Self.ecKey(["kid": "bad", "alg": "ES384"]), .algorithmKeyMismatch),
      (Self.rsaKey(["kid": "bad", "n": short]), .weakKey),
      (Self.rsaKey(["kid": "bad", "e": "AQ"]), .weakKey),
      (Self.rsaKey(["kid": "bad", "alg": "ES256"]), .algorithmKeyMismatch),
      (Self.rsaKey(["kid": "bad", "alg": "none"]), .unknownSignatureAlgorithm),
      (Self.rsaKey(["kid": "bad", "d": "AA"]), .privateKey),
      (["kty": "oct", "kid": "bad", "k": short], .privateKey),
      (["kty": "OKP", "kid": "bad", "crv": "X448", "x": short], .unsupportedKey),
      (["kty": "OKP", "kid": "bad", "crv": "Ed448", "x": short], .unreadableKey),
      (["kty": "OKP", "kid": "bad", "crv": "Ed25519", "x": short], .unreadableKey),
    ]
    for (bad, cause) in cases {
      let read = try set([Self.rsaKey(["kid": "good"]), bad])
      #expect(read.keys.map(\.keyID) == ["good"])
      #expect(read.passedOver.map(\.code) == [cause])
      let node = read.passedOver.first?.node ?? ""
      #expect(node.hasPrefix("keys[1] (kid \"bad\")"))
      // Of nothing but that, the set is refused, and says why.
      #expect(try code([bad]) == cause)
    }
  }

  @Test(
    "A key for another use is left out without a word; a set of nothing else is refused as empty")
  func otherUses() throws {
    for other: [String: Any] in [
      ["use": "enc"], ["use": "x509-svid"], ["key_ops": ["encrypt"]], ["alg": "RSA-OAEP-256"],
      ["alg": "ECDH-ES+A256KW"], ["use": "enc", "alg": "unheard-of"],
    ] {
      let read = try set([Self.rsaKey(["kid": "good"]), Self.rsaKey(other)])
      #expect(read.keys.count == 1 && read.passedOver.isEmpty && read.warnings.isEmpty)
      #expect(try code([Self.rsaKey(other)]) == .emptyKeySet)
    }
    #expect(try code([]) == .emptyKeySet)
  }

  @Test(
    "JWT-28 Each member of a private key makes it private, without d too",
    arguments: ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"])
  func privateMembers(name: String) throws {
    #expect(try code([Self.rsaKey([name: "AQ"])]) == .privateKey)
    #expect(try code([Self.ecKey([name: "AQ"])]) == .privateKey)
    #expect(try set([Self.rsaKey([name: NSNull()])]).keys.count == 1)
  }

  // MARK: Spellings

  @Test("n, e, x and y may be base64 with padding or of the standard alphabet, with a warning")
  func alphabets() throws {
    let modulus = try #require(Self.rsa["n"])
    let octets = try Base64.decode(Array(modulus.utf8).span, .url)
    let standard = Base64.encode(octets)
    #expect(standard.contains("+") || standard.contains("/"))
    let strict = try #require(try set([Self.rsaKey()]).keys.first).key.fingerprint
    for text in [
      standard, modulus + "==", String(standard.prefix { $0 != "=" }),
    ] {
      let read = try set([Self.rsaKey(["n": text, "e": "AQAB"])])
      #expect(read.keys.first?.key.fingerprint == strict)
      #expect(read.warnings.count == 1 && read.warnings[0].hasPrefix("keys[0]: n is base64"))
      #expect(read.passedOver.isEmpty)
    }
    let point = Self.ec.mapValues { $0 + "=" }
    let read = try set([Self.ecKey(point)])
    #expect(read.keys.count == 1 && read.warnings.count == 2)
    for text in [standard + "=", modulus + "=", "=" + modulus, modulus + "-+", modulus + " "] {
      #expect(try code([Self.rsaKey(["n": text])]) == .unreadableKey)
    }
  }

  @Test(
    "An EC coordinate may miss or have leading zeros, with a warning; a longer one is refused")
  func coordinates() throws {
    // A point whose x begins with a zero octet.
    let key = try Self.keyWithLeadingZero()
    let point = try #require(key.curveAndPoint?.point)
    let (x, y) = (Array(point.dropFirst().prefix(32)), Array(point.suffix(32)))
    #expect(x.first == 0)
    for (octets, count) in [(x, 0), (Array(x.dropFirst()), 1), ([0] + x, 1), ([0, 0] + x, 1)] {
      let read = try set([
        Self.ecKey(["x": Base64.encode(octets, .url), "y": Base64.encode(y, .url)])
      ])
      #expect(read.keys.first?.key.publicKey?.isSameKey(as: key) == true)
      #expect(read.warnings.count == count)
    }
    let long = Base64.encode([1] + x, .url)
    #expect(try code([Self.ecKey(["x": long, "y": Base64.encode(y, .url)])]) == .unreadableKey)
  }

  private static func keyWithLeadingZero() throws -> PublicKey {
    for _ in 0..<100_000 {
      let key = try PrivateKey(generating: .ec256).publicKey
      if key.curveAndPoint?.point.dropFirst().first == 0 { return key }
    }
    throw TokenError(.unreadableKey)
  }

  @Test("A member that is null is absent, and an empty key_ops too")
  func nulls() throws {
    let all = [
      "use", "alg", "key_ops", "kid", "d", "dp", "dq", "qi", "p", "q", "oth", "k", "crv", "x", "y",
      "x5c",
    ]
    let nulls = Dictionary(uniqueKeysWithValues: all.map { ($0, NSNull() as Any) })
    let read = try set([Self.rsaKey(nulls)])
    #expect(read.keys.count == 1 && read.keys[0].keyID == nil && read.keys[0].algorithms == nil)
    #expect(read.passedOver.isEmpty && read.warnings.isEmpty)
    #expect(try set([Self.rsaKey(["key_ops": [String]()])]).keys.count == 1)
  }

  @Test("SPIFFE's use of keys that sign JWTs is a signing use")
  func spiffe() throws {
    let read = try set([
      Self.ecKey(["kid": "a", "use": "jwt-svid"]), Self.ecKey(["use": "x509-svid"]),
    ])
    #expect(read.keys.map(\.keyID) == ["a"])
  }

  @Test("A kid that is no string names no key, with a warning")
  func numericIdentifier() throws {
    let read = try set([Self.rsaKey(["kid": 7])])
    #expect(read.keys.first?.keyID == nil && read.keys.count == 1)
    #expect(read.warnings.first?.contains("kid is") == true)
  }

  // MARK: Identifiers

  private func verdict(
    _ keys: [[String: Any]], signedBy file: String, _ algorithm: SignatureAlgorithm,
    keyID: String? = "k"
  ) throws -> TokenError.Code? {
    let signer = try SigningKey(
      PrivateKey(pemOrDER: TestVector.bytes("keys/" + file)), algorithm: algorithm)
    let now = try Instant(dateTime: "2030-01-01T12:00:00Z")
    let draft = TokenDraft(
      issuer: "https://idp.example", audiences: ["a"], claims: ClaimSet([]), issuedAt: now,
      lifetime: 300)
    let token = try JSONWebToken(
      parsing: JSONWebToken.mint(draft, key: signer, keyID: keyID))
    let trust = Trust(
      issuers: [TrustedIssuer("https://idp.example", keys: try set(keys).keys)],
      audiences: .oneOf(["a"]))
    do throws(TokenError) {
      _ = try TokenValidator(trust).validate(token, at: now)
      return nil
    } catch {
      return error.code
    }
  }

  @Test("JWT-7 Keys of one kid are told apart by type and algorithm")
  func oneIdentifier() throws {
    let other = Self.components("other-rsa.key", ["n", "e"])
    let otherRSA = { (more: [String: Any]) in
      Self.rsaKey(other.merging(more.compactMapValues { "\($0)" }) { $1 })
    }
    let three = ["RS256", "RS384", "RS512"].map { Self.rsaKey(["kid": "k", "alg": $0]) }
    #expect(try verdict(three, signedBy: "idp-rsa.key", .rsaSHA384) == nil)
    #expect(try verdict(three, signedBy: "idp-rsa.key", .rsaPSSSHA256) == .algorithmNotAllowed)
    // The same key twice is one.
    let same = [Self.rsaKey(["kid": "k"]), Self.rsaKey(["kid": "k"])]
    #expect(try verdict(same, signedBy: "idp-rsa.key", .rsaSHA256) == nil)
    // Two types.
    let types = [Self.ecKey(["kid": "k"]), Self.rsaKey(["kid": "k"])]
    #expect(try verdict(types, signedBy: "idp-rsa.key", .rsaSHA256) == nil)
    #expect(try verdict(types, signedBy: "idp-ec256.key", .ecdsaSHA256) == nil)
    // Two algorithms of two keys.
    let algorithms = [
      Self.rsaKey(["kid": "k", "alg": "RS256"]), otherRSA(["kid": "k", "alg": "RS512"]),
    ]
    #expect(try verdict(algorithms, signedBy: "idp-rsa.key", .rsaSHA256) == nil)
    #expect(try verdict(algorithms, signedBy: "other-rsa.key", .rsaSHA512) == nil)
    #expect(try verdict(algorithms, signedBy: "idp-rsa.key", .rsaSHA512) == .signatureInvalid)
  }

  @Test("JWT-7 Two keys that fit refuse the token that names them, and no other")
  func ambiguity() throws {
    let other = Self.components("other-rsa.key", ["n", "e"])
    let both = [
      Self.rsaKey(["kid": "k", "alg": "RS256"]),
      Self.rsaKey(other.merging(["kid": "k"]) { $1 }),
      Self.ecKey(["kid": "k"]),
    ]
    #expect(try verdict(both, signedBy: "idp-rsa.key", .rsaSHA256) == .duplicateKeyID)
    #expect(try verdict(both, signedBy: "other-rsa.key", .rsaSHA256) == .duplicateKeyID)
    // Only one of them verifies RS512, and only one type ES256.
    #expect(try verdict(both, signedBy: "other-rsa.key", .rsaSHA512) == nil)
    #expect(try verdict(both, signedBy: "idp-ec256.key", .ecdsaSHA256) == nil)
    // A token that names none may be of any.
    #expect(try verdict(both, signedBy: "other-rsa.key", .rsaSHA256, keyID: nil) == nil)
  }

  // MARK: Other content

  @Test("Content that is no key set is named, with where the keys are")
  func lookalikes() {
    let cases = [
      (
        #"{"issuer":"https://idp.example","jwks_uri":"https://idp.example/keys"}"#,
        "https://idp.example/keys"
      ),
      (#"{"k1":"-----BEGIN CERTIFICATE-----\nMIID"}"#, "JWK set"), ("[]", "{\"keys\""),
      (#"{"issuers":[]}"#, "a trust file"), ("-----BEGIN CERTIFICATE-----\n", "without jwks:"),
      ("<!DOCTYPE html><html>", "page"), ("<md:EntityDescriptor/>", "trusted metadata"),
    ]
    for (text, word) in cases {
      do throws(TokenError) {
        _ = try JSONWebKeySet(parsing: Array(text.utf8))
        Issue.record("\(text) was read")
      } catch {
        #expect(error.code == .notKeySet)
        #expect(error.hint.contains(word))
      }
    }
    #expect(throws: TokenError(.notKeySet)) { try JSONWebKeySet(parsing: [0x1F, 0x8B, 8, 0, 0]) }
    #expect(throws: TokenError(.malformedJSON)) { try JSONWebKeySet(parsing: Array("{".utf8)) }
  }
}
