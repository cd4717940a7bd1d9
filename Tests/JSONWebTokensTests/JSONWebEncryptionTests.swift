import Claims
import Foundation
import JSONWebTokens
import Octets
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// What the vectors of `jwe/` do not show: our own encryption, lists of algorithms, keys as JWK.
@Suite("JSON Web Encryption")
struct JSONWebEncryptionTests {
  static let now = Instant(secondsSinceEpoch: 1_893_499_200)
  static let secret = (0..<64).map { UInt8($0) }

  static func privateKey(_ name: String) throws -> PrivateKey {
    try PrivateKey(pemOrDER: TestVector.bytes("keys/\(name).key"))
  }

  static func signed() throws -> [UInt8] {
    try JSONWebToken.mint(
      TokenDraft(
        issuer: "https://idp.example/", audiences: ["https://rp.example/"], subject: "alice",
        issuedAt: now, id: "_1"),
      key: SigningKey(privateKey("idp-rsa")))
  }

  static func trust(_ keys: [DecryptionKey]) throws -> Trust {
    Trust(
      issuers: [
        TrustedIssuer(
          "https://idp.example/", keys: [.publicKey(try privateKey("idp-rsa").publicKey)])
      ], audiences: .any, decryptionKeys: keys)
  }

  static func validate(_ token: [UInt8], _ trust: Trust) throws -> Verified<EncryptedJSONWebToken> {
    try TokenValidator(trust).validate(EncryptedJSONWebToken(parsing: token), at: now)
  }

  /// A key of ours for an algorithm, and the recipient that it is to others.
  static func pairs(
    _ algorithm: KeyManagement, _ encryption: ContentEncryption
  ) throws -> [(DecryptionKey, JSONWebEncryptionRecipient)] {
    if let length = algorithm.secretLength(encryption) {
      let secret = try SymmetricKey(bytes: Array(secret.prefix(length)))
      return [
        (
          DecryptionKey(secret),
          try JSONWebEncryptionRecipient(secret, algorithm: algorithm, encryption: encryption)
        )
      ]
    }
    return try ["rp-rsa", "rp-ec256", "rp-ec384", "rp-ec521", "rp-x25519"].compactMap { name in
      let key = try privateKey(name)
      guard algorithm.accepts(key.publicKey.kind) else { return nil }
      return (
        DecryptionKey(key),
        try JSONWebEncryptionRecipient(key.publicKey, algorithm: algorithm, encryption: encryption)
      )
    }
  }

  @Test(
    "What is encrypted with every algorithm is read again, and by no other key",
    arguments: KeyManagement.allCases.filter { $0.exception == nil }, ContentEncryption.allCases)
  func roundTrip(algorithm: KeyManagement, encryption: ContentEncryption) throws {
    let token = try Self.signed()
    for (key, recipient) in try Self.pairs(algorithm, encryption) {
      let encrypted = try EncryptedJSONWebToken.encrypt(token, to: recipient)
      let verified = try Self.validate(encrypted, Self.trust([key]))
      #expect(verified.facts.subject == "alice")
      #expect(verified.encryptedWith?.algorithm == algorithm.name)
      #expect(verified.encryptedWith?.encryption == encryption.name)
      let others: [DecryptionKey] =
        try [
          DecryptionKey(Self.privateKey("other-rsa")),
          DecryptionKey(PrivateKey(generating: .ec256)),
          DecryptionKey(PrivateKey(generating: .ec384)),
          DecryptionKey(PrivateKey(generating: .ec521)),
          DecryptionKey(PrivateKey(generating: .x25519)),
        ]
        + [16, 24, 32, 48, 64].map {
          try DecryptionKey(SymmetricKey(bytes: SystemRandom.octets($0)))
        }
      #expect(throws: TokenError(.decryptionFailed)) {
        try Self.validate(encrypted, Self.trust(others))
      }
      #expect(throws: TokenError(.noDecryptionKey)) {
        try Self.validate(encrypted, Self.trust([]))
      }
    }
  }

  @Test("JWT-15 Only listed algorithms decrypt")
  func listed() throws {
    let key = try Self.privateKey("rp-rsa")
    let encrypted = try EncryptedJSONWebToken.encrypt(
      Self.signed(), to: JSONWebEncryptionRecipient(key.publicKey))
    var trust = try Self.trust([DecryptionKey(key)])
    trust.encryptionAlgorithms = EncryptionAlgorithms(
      keyManagement: [.rsaOAEP256], content: [.aes256GCM])
    _ = try Self.validate(encrypted, trust)
    for algorithms in [
      EncryptionAlgorithms(keyManagement: [.rsaOAEP], content: [.aes256GCM]),
      EncryptionAlgorithms(keyManagement: [.rsaOAEP256], content: [.aes128GCM]),
    ] {
      trust.encryptionAlgorithms = algorithms
      #expect(throws: TokenError(.encryptionNotAllowed)) { try Self.validate(encrypted, trust) }
    }
  }

  @Test("JWT-25 A signed token is used once, whichever container it comes in")
  func identity() throws {
    let key = try Self.privateKey("rp-rsa")
    let recipient = try JSONWebEncryptionRecipient(key.publicKey)
    // Without an identifier the signed octets are the identity.
    var draft = TokenDraft(
      issuer: "https://idp.example/", audiences: ["https://rp.example/"], issuedAt: Self.now,
      id: "_1")
    draft.subject = "alice"
    let token = try JSONWebToken.mint(draft, key: SigningKey(Self.privateKey("idp-rsa")))
    let trust = try Self.trust([DecryptionKey(key)])
    let plain = try TokenValidator(trust).validate(JSONWebToken(parsing: token), at: Self.now)
    let first = try Self.validate(EncryptedJSONWebToken.encrypt(token, to: recipient), trust)
    let second = try Self.validate(EncryptedJSONWebToken.encrypt(token, to: recipient), trust)
    #expect(TokenIdentity(first) == TokenIdentity(second))
    #expect(TokenIdentity(first) == TokenIdentity(plain))
  }

  @Test(
    "The token that was verified in a container comes with the verdict, and is not decrypted again")
  func opened() throws {
    let key = try Self.privateKey("rp-rsa")
    let token = try Self.signed()
    let trust = try Self.trust([DecryptionKey(key)])
    let recipient = try JSONWebEncryptionRecipient(key.publicKey)
    let verified = try Self.validate(EncryptedJSONWebToken.encrypt(token, to: recipient), trust)
    #expect((verified.container?.token as? JSONWebToken)?.octets == token)
    let plain = try TokenValidator(trust).validate(JSONWebToken(parsing: token), at: Self.now)
    #expect(plain.container == nil)
  }

  @Test("A container states nothing before it is opened")
  func container() throws {
    let key = try Self.privateKey("rp-rsa")
    let token = try EncryptedJSONWebToken(
      parsing: EncryptedJSONWebToken.encrypt(
        Self.signed(), to: JSONWebEncryptionRecipient(key.publicKey)))
    #expect(token.unverifiedClaims.isEmpty)
    #expect(token.unverifiedFacts.issuer == "")
    #expect(token.encryptedWith.algorithm == "RSA-OAEP-256")
    #expect(throws: TokenError(.unsupportedFormat)) { try JSONWebToken(parsing: token.octets) }
  }

  @Test(
    "A recipient whose key does not fit the algorithm is refused",
    arguments: [KeyManagement.ecdhES, .a128KW, .direct, .rsaPKCS1])
  func recipients(algorithm: KeyManagement) throws {
    let key = try Self.privateKey("rp-rsa").publicKey
    _ = try JSONWebEncryptionRecipient(key, algorithm: .rsaOAEP)
    #expect(throws: TokenError(.mintEncryptionAlgorithm)) {
      try JSONWebEncryptionRecipient(key, algorithm: algorithm)
    }
    let secret = try SymmetricKey(bytes: Array(Self.secret.prefix(17)))
    #expect(throws: TokenError(.mintEncryptionAlgorithm)) { try JSONWebEncryptionRecipient(secret) }
    #expect(throws: TokenError(.weakKey)) {
      try JSONWebEncryptionRecipient(Self.privateKey("weak-rsa1024").publicKey)
    }
    #expect(throws: TokenError(.mintEncryptionAlgorithm)) {
      try JSONWebEncryptionRecipient(Self.privateKey("idp-ed25519").publicKey)
    }
  }

  static let files = ["rp-rsa", "rp-ec256", "rp-x25519", "rp-secrets"]

  @Test("A private JWK is read, and its public half is a recipient", arguments: files)
  func jwk(name: String) throws {
    let bytes = TestVector.bytes("keys/\(name).jwk")
    let keys = try JSONWebEncryptionKey.decryptionKeys(in: bytes)
    #expect(keys.count == (name == "rp-secrets" ? 5 : 1))
    #expect(keys.allSatisfy { $0.keyID != nil })
    #expect(!"\(keys)".contains("d\":"))
    guard let own = keys.first?.privateKey else {
      #expect(throws: TokenError(.severalKeys)) { try JSONWebEncryptionRecipient(jwk: bytes) }
      return
    }
    #expect(own.publicKey.isSameKey(as: try Self.privateKey(name).publicKey))
    let recipient = try JSONWebEncryptionRecipient(jwk: bytes)
    #expect(recipient.keyID == keys.first?.keyID)
    let encrypted = try EncryptedJSONWebToken.encrypt(Self.signed(), to: recipient)
    _ = try Self.validate(encrypted, Self.trust(keys))
  }

  @Test(
    "A JWK that is none of ours is refused with its reason",
    arguments: [
      (#"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#, TokenError.Code.unreadableKey),
      (#"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#, .unreadableKey),
      (#"{"kty":"OKP","crv":"Ed25519","x":"AA","d":"AA"}"#, .unsupportedKey),
      (#"{"kty":"oct","k":""}"#, .hmacKeyLength), (#"{"kty":"XYZ"}"#, .unsupportedKey),
      (#"{"kty":"oct","use":"sig","k":"AAAA"}"#, .unreadableKey),
      (#"{"kty":"oct","alg":"HS256","k":"AAAA"}"#, .unreadableKey),
      (#"{"kty":"oct","key_ops":["sign"],"k":"AAAA"}"#, .unreadableKey), ("[]", .notKeySet),
    ])
  func badJWK(text: String, code: TokenError.Code) throws {
    #expect(throws: TokenError(code)) {
      try JSONWebEncryptionKey.decryptionKeys(in: Array(text.utf8))
    }
  }

  @Test("A private key beside the public half of another one is refused")
  func mismatchedJWK() throws {
    let bytes = TestVector.bytes("keys/rp-ec256.jwk")
    _ = try JSONWebEncryptionKey.decryptionKeys(in: bytes)
    var json = String(decoding: bytes, as: UTF8.self)
    let other = try Self.privateKey("idp-ec256").publicKey.jsonWebKeyMembers
    for (name, value) in other where name == "x" || name == "y" {
      let start = try #require(json.range(of: "\"\(name)\": \"")).upperBound
      let end = try #require(json[start...].firstIndex(of: "\""))
      json.replaceSubrange(start..<end, with: value)
    }
    #expect(throws: TokenError(.unreadableKey)) {
      try JSONWebEncryptionKey.decryptionKeys(in: Array(json.utf8))
    }
  }

  static let encodedHeader = Base64.encode(Array(#"{"alg":"ES256"}"#.utf8), .url)

  @Test(
    "What is no plain signed token inside is named, and its errors are located inside",
    arguments: [
      ("e30.e30.AA~", TokenError.Code.encryptedContentType, true),
      ("e30.e30.AA~WyJzIiwxXQ~e30.e30.AA", .encryptedContentType, true),
      ("a.b.c.d.e", .nestedEncryption, false), (#"{"sub":"~"}"#, .signatureMissing, false),
      ("<Assertion>~</Assertion>", .jwsParts, true),
      (Self.encodedHeader + ".e3!.AA", .malformedBase64, true),
    ])
  func inside(text: String, code: TokenError.Code, isLocated: Bool) throws {
    let key = try Self.privateKey("rp-ec256")
    let token = try JSONWebEncryption.encrypt(
      Array(text.utf8), contentType: "JWT", to: JSONWebEncryptionRecipient(key.publicKey))
    let error = try Self.refusal(token, [DecryptionKey(key)])
    #expect(error?.code == code)
    #expect((error?.node?.hasPrefix("inside") ?? false) == isLocated)
  }

  /// The refusal of a token by the keys.
  static func refusal(_ token: [UInt8], _ keys: [DecryptionKey]) throws -> TokenError? {
    let trust = try trust(keys)
    do throws(TokenError) {
      let parsed = try EncryptedJSONWebToken(parsing: token)
      _ = try TokenValidator(trust).validate(parsed, at: now)
      return nil
    } catch {
      return error
    }
  }

  @Test("Keys of another kind, size, curve or purpose are told from those of the token")
  func mismatch() throws {
    func refused(
      _ recipient: JSONWebEncryptionRecipient, by key: DecryptionKey, _ expected: String,
      _ found: String
    ) throws {
      let token = try EncryptedJSONWebToken.encrypt(Self.signed(), to: recipient)
      let error = try #require(try Self.refusal(token, [key]))
      #expect(error.code == .encryptionKeyMismatch)
      #expect(error.expected == expected && error.found == found, "\(error)")
      #expect(error.hint.contains("that the issuer encrypts to"))
    }
    let rsa = try Self.privateKey("rp-rsa")
    let large = try PrivateKey(generating: .rsa(bits: 3072)).publicKey
    try refused(
      JSONWebEncryptionRecipient(large), by: DecryptionKey(rsa), "RSA-2048",
      "RSA-3072 with RSA-OAEP-256")
    try refused(
      JSONWebEncryptionRecipient(rsa.publicKey), by: DecryptionKey(rsa, algorithm: .rsaOAEP),
      "RSA-2048 for RSA-OAEP alone", "RSA-2048 with RSA-OAEP-256")
    try refused(
      JSONWebEncryptionRecipient(Self.privateKey("rp-ec384").publicKey, algorithm: .ecdhES),
      by: DecryptionKey(Self.privateKey("rp-ec256")), "EC P-256", "EC P-384 with ECDH-ES")
    let secrets = try [16, 32].map { try SymmetricKey(bytes: Array(Self.secret.prefix($0))) }
    try refused(
      JSONWebEncryptionRecipient(secrets[1], algorithm: .direct, encryption: .aes256GCM),
      by: DecryptionKey(secrets[0]), "a secret of 16 bytes",
      "a secret of 32 bytes with dir and A256GCM")
    try refused(
      JSONWebEncryptionRecipient(rsa.publicKey, keyID: "other"),
      by: DecryptionKey(rsa, keyID: "rsa-1"), "\"rsa-1\"", "\"other\"")
  }

  @Test("Of more keys than one token may cause operations it says how many were tried")
  func tried() throws {
    let key = try Self.privateKey("rp-ec256")
    let token = try EncryptedJSONWebToken.encrypt(
      Self.signed(), to: JSONWebEncryptionRecipient(key.publicKey))
    let others = try (0..<8).map { _ in try DecryptionKey(PrivateKey(generating: .ec256)) }
    #expect(try Self.refusal(token, others.dropLast() + [DecryptionKey(key)]) == nil)
    let few = try Self.refusal(token, others)
    #expect(few?.code == .decryptionFailed && few?.found == nil)
    let many = try Self.refusal(token, others + [DecryptionKey(key)])
    #expect(many?.code == .decryptionFailed)
    #expect(many?.found == "9 that fit" && many?.hint.contains("only 8 of 9 keys") == true)
  }

  @Test("A private RSA key of n, e and d alone is told what it lacks")
  func incomplete() throws {
    let text = String(decoding: TestVector.bytes("keys/rp-rsa.jwk"), as: UTF8.self)
    let cut = text.replacing(/, "(p|q|dp|dq|qi)": "[^"]*"/, with: "")
    #expect(cut.contains("\"d\"") && !cut.contains("\"qi\""))
    do throws(TokenError) {
      _ = try JSONWebEncryptionKey.decryptionKeys(in: Array(cut.utf8))
      Issue.record("accepted")
    } catch {
      #expect(error.code == .unreadableKey && error.node == "p")
      #expect(error.hint.contains("PEM") && !error.hint.contains("issuer"))
    }
  }

  @Test("A key reserved for one algorithm opens no other")
  func reserved() throws {
    let key = try Self.privateKey("rp-rsa")
    let encrypted = try EncryptedJSONWebToken.encrypt(
      Self.signed(), to: JSONWebEncryptionRecipient(key.publicKey, algorithm: .rsaOAEP))
    _ = try Self.validate(encrypted, Self.trust([DecryptionKey(key, algorithm: .rsaOAEP)]))
    #expect(throws: TokenError(.encryptionKeyMismatch)) {
      try Self.validate(encrypted, Self.trust([DecryptionKey(key, algorithm: .rsaOAEP256)]))
    }
  }
}
