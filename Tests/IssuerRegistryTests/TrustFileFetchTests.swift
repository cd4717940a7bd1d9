import Federation
import HTTPExchange
import IssuerRegistry
import JSONWebTokens
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// A trust file with the keys that its addresses have now.
@Suite("A trust file that is fetched")
struct TrustFileFetchTests {
  private struct NoFiles: FileSource {
    func read(_ path: String) throws(TokenError) -> [UInt8] { throw TokenError(.unreadableFile) }
  }

  private let key: SigningKey
  private let now = Instant(secondsSinceEpoch: 1_893_499_200)

  init() throws {
    key = try SigningKey(PrivateKey(pemOrDER: TestVector.bytes("keys/idp-ec256.key")))
  }

  /// The set of an issuer that publishes more than it should: its private key, a secret, and what is malformed.
  private var keySet: String {
    let set = PublishedKey.keySet([PublishedKey(key.publicKey, algorithm: key.algorithm)])
    let entry = String(decoding: set, as: UTF8.self)
      .replacing("{\"keys\":[", with: "").replacing("]}", with: "")
    return "{\"keys\":[" + entry.replacing("{\"kty\"", with: "{\"note\":\"SECRET-NOTE\",\"kty\"")
      + ",{\"kty\":\"oct\",\"kid\":\"s\",\"k\":\"U0VDUkVU\"}"
      + ",{\"kty\":\"EC\",\"crv\":\"P-256\"}]}"
  }

  private func transport(
    _ change: @escaping @Sendable (String) -> HTTPResponse? = { _ in nil }
  ) -> ScriptedTransport {
    let keySet = keySet
    return ScriptedTransport { (request) throws(TokenError) in
      if let answer = change(request.url.text) { return answer }
      switch request.url.text {
      case "https://op.example/.well-known/openid-configuration":
        return .json(
          """
          {"issuer":"https://op.example","authorization_endpoint":"https://op.example/a",
           "token_endpoint":"https://op.example/t","jwks_uri":"https://op.example/keys"}
          """)
      case "https://op.example/keys", "https://api.example/keys": return .json(keySet)
      default: return .of(404)
      }
    }
  }

  private static let file = """
    {"skew": 30, "audiences": ["urn:app"], "issuers": [
      {"name": "https://op.example", "id": "op", "openID": true, "algorithms": ["ES256"]},
      {"name": "urn:other", "keysAt": "https://api.example/keys", "type": "at+jwt"},
      {"name": "urn:asked", "introspection": {"at": "https://as.example/i", "clientID": "c", "clientSecret": "file:s"}},
      {"name": "urn:files", "keys": ["idp.crt"], "formats": ["saml20"]},
      {"name": "urn:both", "keys": ["idp.crt", "hmac:U0VDUkVU"]},
      {"name": "urn:secret", "keys": ["hmac:U0VDUkVU"], "formats": ["swt"]}
    ]}
    """

  private func token(_ issuer: String) throws -> [UInt8] {
    var draft = TokenDraft(issuer: issuer, audiences: ["urn:app"], issuedAt: now)
    draft.subject = "ada"
    return try JSONWebToken.mint(draft, key: key, keyID: key.publicKey.thumbprint)
  }

  @Test("Keys come from the configuration of an issuer of tokens alone")
  func issuerOfTokens() async throws {
    let transport = transport { address in
      guard address.hasSuffix("openid-configuration") else { return nil }
      return .json("{\"issuer\":\"https://op.example\",\"jwks_uri\":\"https://op.example/keys\"}")
    }
    let fetched = try await TrustFileFetch(Array(Self.file.utf8), over: transport)
    let issuers = try JSONParser.parse(fetched.document)["issuers"]?.array ?? []
    let op = try #require(issuers.first { $0["name"]?.string == "https://op.example" })
    #expect(op["keys"]?.array?.isEmpty == false)
  }

  @Test("Keys take the place of addresses, the rest stays, and no secret is written")
  func fetches() async throws {
    let fetched = try await TrustFileFetch(Array(Self.file.utf8), over: transport())
    let text = String(decoding: fetched.document, as: UTF8.self)
    #expect(!text.contains("U0VDUkVU") && !text.contains("SECRET"), "\(text)")
    #expect(!text.contains("openID") && !text.contains("keysAt") && !text.contains("introspection"))
    let json = try JSONParser.parse(fetched.document)
    #expect(json["skew"]?.integer == 30)
    let issuers = try #require(json["issuers"]?.array)
    #expect(
      issuers.compactMap { $0["name"]?.string } == [
        "https://op.example", "urn:other", "urn:files", "urn:both",
      ])
    #expect(fetched.issuers == 4)
    #expect(issuers[0]["id"]?.string == "op" && issuers[1]["type"]?.string == "at+jwt")
    #expect(issuers[0]["keys"]?.array?.first?["kty"]?.string == "EC")
    #expect(issuers[2]["keys"]?.array?.compactMap(\.string) == ["idp.crt"])
    #expect(issuers[3]["keys"]?.array?.compactMap(\.string) == ["idp.crt"])
    let leftOut = fetched.notes.filter { if case .leftOut = $0.outcome { true } else { false } }
    #expect(leftOut.map(\.issuer) == ["urn:asked", "urn:secret"])
  }

  @Test("What was fetched verifies tokens without a network")
  func verifies() async throws {
    let file = """
      {"audiences": ["urn:app"], "issuers": [{"name": "https://op.example", "openID": true}]}
      """
    let fetched = try await TrustFileFetch(Array(file.utf8), over: transport())
    let trust = try TrustFile(parsing: fetched.document, files: NoFiles()).get()
    let verified = try TokenValidator(trust).validate(
      AnyToken(reading: token("https://op.example")), at: now)
    #expect(verified.facts.subject == "ada")
    #expect(throws: TokenError.self) {
      _ = try TokenValidator(trust).validate(AnyToken(reading: token("urn:other")), at: now)
    }
    // A file as it is without the fetch is refused, with the name of this verb.
    do {
      _ = try TrustFile(parsing: Array(file.utf8), files: NoFiles()).get()
      Issue.record("a file with an address is trusted")
    } catch {
      #expect(error.code == .trustFileRemote && error.hint.contains("claims trust fetch"))
    }
  }

  @Test("A key in the file itself has to be public and usable")
  func keysInTheFile() throws {
    let good = String(
      decoding: PublishedKey.keySet([PublishedKey(key.publicKey, algorithm: key.algorithm)]),
      as: UTF8.self
    ).replacing("{\"keys\":[", with: "").replacing("]}", with: "")
    func errors(_ key: String) -> [TokenError.Code] {
      let file = "{\"audiences\":[\"a\"],\"issuers\":[{\"name\":\"urn:a\",\"keys\":[\(key)]}]}"
      return TrustFile(parsing: Array(file.utf8), files: NoFiles()).errors.map(\.code)
    }
    #expect(errors(good) == [])
    #expect(errors("{\"kty\":\"oct\",\"k\":\"U0VDUkVU\"}") == [.privateKey])
    #expect(errors(good.replacing("\"crv\"", with: "\"d\":\"AAAA\",\"crv\"")) == [.privateKey])
    #expect(errors("{\"kty\":\"EC\",\"crv\":\"P-256\"}").count == 1)
    #expect(errors("{}").count == 1 && errors("7") == [.trustFileValue])
  }

  @Test(
    "An issuer that cannot be fetched is named with the cause",
    arguments: [
      (
        "https://op.example/.well-known/openid-configuration", HTTPResponse.of(500),
        "transport.status"
      ),
      (
        "https://op.example/.well-known/openid-configuration",
        .json("{\"issuer\":\"https://evil.example\"}"),
        "registry.entity-mismatch"
      ),
      ("https://op.example/keys", .json("{\"keys\":[]}"), "key.empty-set"),
      (
        "https://op.example/keys", .json("{\"keys\":[{\"kty\":\"oct\",\"k\":\"U0VDUkVU\"}]}"),
        "key.private"
      ),
      ("https://op.example/keys", .json("<html>"), "key.not-a-set"),
      ("https://op.example/keys", .of(302), "transport.redirect"),
    ])
  func failures(address: String, answer: HTTPResponse, code: String) async throws {
    let fetched = try await TrustFileFetch(
      Array(Self.file.utf8), over: transport { $0 == address ? answer : nil })
    let failed = try #require(fetched.notes.first { $0.issuer == "https://op.example" })
    guard case .failed(let error) = failed.outcome else {
      Issue.record("\(failed.outcome)")
      return
    }
    #expect(error.code.family == String(code.prefix { $0 != "." }), "\(error.code)")
    #expect(!String(decoding: fetched.document, as: UTF8.self).contains("https://op.example"))
  }
}
