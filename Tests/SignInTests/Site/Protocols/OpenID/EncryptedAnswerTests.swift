import HTTPExchange
import JSONWebTokens
import SecurityKeys
import SignIn
import TestSupport
import Testing
import TokenBasics

/// What a provider encrypts to us (OpenID Connect Core 1.0, 10.2).
@Suite("OpenID Connect: encrypted answers")
struct EncryptedAnswerTests {
  private let fixture: OpenIDFixture

  init() throws { fixture = try OpenIDFixture() }

  private func key(_ name: String) throws -> PrivateKey {
    try PrivateKey(pemOrDER: TestVector.bytes("keys/\(name).key"))
  }

  private func party(
    _ names: [String] = ["rp-rsa", "rp-ec256"], required: Bool = false,
    _ change: (inout OpenIDClient) -> Void = { _ in }
  ) throws -> OpenIDRelyingParty {
    try fixture.party { client in
      client.decryptionKeys = try names.map { name in
        let key = try key(name)
        return DecryptionKey(key, keyID: key.publicKey.thumbprint)
      }
      client.demandsEncryption = required
      change(&client)
    }
  }

  /// A recipient with that key.
  private func recipient(
    _ name: String, _ algorithm: KeyManagement? = nil, _ encryption: ContentEncryption = .aes256GCM
  ) throws -> JSONWebEncryptionRecipient {
    let key = try key(name).publicKey
    return try JSONWebEncryptionRecipient(
      key, keyID: key.thumbprint, algorithm: algorithm, encryption: encryption)
  }

  private static func encrypted(_ text: String, to recipient: JSONWebEncryptionRecipient) -> String
  {
    let token = try? EncryptedJSONWebToken.encrypt(Array(text.utf8), to: recipient)
    return String(decoding: token ?? [], as: UTF8.self)
  }

  /// Encrypts the ID token of the answer.
  private func encrypting(
    to recipient: JSONWebEncryptionRecipient
  ) -> @Sendable (inout ScriptedProvider.State) -> Void {
    { state in
      state.answer = { answer in
        let signed = (answer["id_token"] ?? "").replacing("\"", with: "")
        answer["id_token"] = quoted(Self.encrypted(signed, to: recipient))
      }
    }
  }

  @Test(
    "An encrypted ID token signs in, and what is shown at sign-out is the signed one inside",
    arguments: [
      ("rp-rsa", KeyManagement.rsaOAEP256, ContentEncryption.aes128CBCHMAC),
      ("rp-rsa", .rsaOAEP, .aes256GCM), ("rp-ec256", .ecdhES, .aes128GCM),
      ("rp-ec256", .ecdhESA256KW, .aes256GCM),
    ])
  func encryptedToken(name: String, algorithm: KeyManagement, encryption: ContentEncryption)
    async throws
  {
    for required in [false, true] {
      let signIn = try await fixture.signIn(
        party(required: required), code: "code-\(required)",
        encrypting(to: recipient(name, algorithm, encryption)))
      #expect(signIn.principal.subject == "alice" && signIn.principal.claims["name"] == ["Alice"])
      #expect(signIn.idToken.revealed.split(separator: ".").count == 3)
    }
  }

  @Test("Where encryption is required, a signed token alone is refused; elsewhere it is not")
  func required() async throws {
    #expect(
      try await fixture.refusal(party(required: true)) { _ in } == .signInNotEncrypted)
    #expect(try await fixture.refusal(party()) { _ in } == nil)
    // Nothing could be decrypted.
    #expect(throws: TokenError.self) { _ = try party([], required: true) }
  }

  @Test("Another key, a changed octet, a container without a signature, or two of them are refused")
  func refused() async throws {
    let own = try recipient("rp-rsa")
    let stranger = try JSONWebEncryptionRecipient(key("other-rsa").publicKey)
    #expect(
      try await fixture.refusal(party(), encrypting(to: stranger)) == .decryptionFailed)
    let unnamed = try recipient("other-rsa")
    #expect(
      try await fixture.refusal(party(), encrypting(to: unnamed)) == .encryptionKeyMismatch)
    // Without keys an encrypted token is none that we read.
    #expect(try await fixture.refusal(fixture.party(), encrypting(to: own)) == .unsupportedFormat)
    func answering(_ change: @escaping @Sendable (String) -> String) async throws
      -> TokenError.Code?
    {
      try await fixture.refusal(party()) { state in
        state.answer = { answer in
          let signed = (answer["id_token"] ?? "").replacing("\"", with: "")
          answer["id_token"] = quoted(change(signed))
        }
      }
    }
    #expect(
      try await answering { signed in
        let text = Self.encrypted(signed, to: own)
        return text.dropLast(4) + (text.hasSuffix("AAAA") ? "BBBB" : "AAAA")
      } == .decryptionFailed)
    #expect(
      try await answering { signed in
        let claims = signed.split(separator: ".")[1]
        let octets = (try? Base64.decode(String(claims).utf8, .url)) ?? []
        let sealed = try? JSONWebEncryption.encrypt(octets, contentType: nil, to: own)
        return String(decoding: sealed ?? [], as: UTF8.self)
      } == .signatureMissing)
    #expect(
      try await answering { signed in
        let inner = Array(Self.encrypted(signed, to: own).utf8)
        let sealed = try? JSONWebEncryption.encrypt(inner, contentType: "JWT", to: own)
        return String(decoding: sealed ?? [], as: UTF8.self)
      } == .nestedEncryption)
    // The signature inside counts as it does outside.
    #expect(
      try await answering { signed in
        Self.encrypted(String(signed.dropLast(4)) + "AAAA", to: own)
      } == .signatureInvalid)
  }

  @Test(
    "UserInfo may be encrypted JSON, or an encrypted signed token; its subject is compared alike")
  func userInfo() async throws {
    let party = try party { $0.userInfo = .always }
    let own = try recipient("rp-rsa")
    let issuer = fixture.provider.issuer
    func seal(_ text: String, _ type: String? = nil) throws -> HTTPResponse {
      let octets = try JSONWebEncryption.encrypt(Array(text.utf8), contentType: type, to: own)
      return .of(200, "application/jwt", String(decoding: octets, as: UTF8.self))
    }
    func signed(_ audience: String, _ subject: String = "alice") throws -> String {
      try ProviderKey.first.token(
        [
          "iss": quoted(issuer), "aud": quoted(audience), "sub": quoted(subject),
          "email": quoted("alice@example.com"), "email_verified": "true",
        ], keyID: "rsa-1")
    }
    let plain = "{\"sub\":\"alice\",\"email\":\"alice@example.com\",\"email_verified\":true}"
    for (number, answer) in [
      try seal(plain), try seal(signed("client 1"), "JWT"),
      // Signed alone, as by a provider that has not read our keys yet.
      .of(200, "application/jwt", try signed("client 1")),
    ].enumerated() {
      let signIn = try await fixture.signIn(party, code: "code-\(number)") {
        $0.replaced["/userinfo"] = answer
      }
      #expect(signIn.principal.claims["email"] == ["alice@example.com"])
    }
    for (answer, code) in [
      (try seal(plain.replacing("alice\"", with: "mallory\"")), TokenError.Code.signInUserInfo),
      (try seal(signed("another"), "JWT"), .signInUserInfo),
      (try seal(signed("client 1", "mallory"), "JWT"), .signInUserInfo),
      (.of(200, "application/jwt", "a.b.c.d.e"), .malformedBase64),
    ] {
      #expect(try await fixture.refusal(party) { $0.replaced["/userinfo"] = answer } == code)
    }
  }

  @Test("The keys are published, each for its use, without their private halves")
  func published() throws {
    let signing = try SigningKey(key("idp-ec256"))
    let method = OpenIDMethod(
      try party {
        $0.authentication = .privateKey(signing, keyID: signing.publicKey.thumbprint)
      })
    let set = try #require(method.publishedKeys)
    let keys = try #require(try JSONParser.parse(set)["keys"]?.array)
    #expect(keys.compactMap { $0["use"]?.string } == ["sig", "enc", "enc"])
    #expect(keys.allSatisfy { $0["d"] == nil && $0["kid"] != nil })
    #expect(keys[1]["kty"]?.string == "RSA" && keys[2]["kty"]?.string == "EC")
    #expect(OpenIDMethod(try fixture.party()).publishedKeys == nil)
    #expect(OpenIDMethod(try party()).publishedKeys != nil)
  }
}
