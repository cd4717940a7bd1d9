import Foundation
import HTTPExchange
import IdentityProviderTesting
import IssuerRegistry
import JSONWebTokens
import Octets
import RegistryTesting
import SecurityKeys
import SignIn
import TestSupport
import Testing

/// Bearer tokens of issuers that a trust file names by an address, or that are asked.
@Suite("Bearer tokens: keys by address, and introspection")
final class BearerTokenTests: Sendable {
  private static let audience = "https://api.example"
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "bearer-\(UUID().uuidString)/")
  private let provider: OpenIDFixture
  private let observer = RecordingObserver()
  /// What the introspection endpoint answers.
  private let answer: Mutexed<HTTPResponse>
  private let transport: ScriptedTransport
  private var time: ManualTime { provider.time }

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let provider = try OpenIDFixture()
    let answer = Mutexed(HTTPResponse.json("{\"active\":false}"))
    self.answer = answer
    self.provider = provider
    transport = ScriptedTransport { (request) throws(TokenError) in
      if request.url.text == "https://as.example/introspect" { return answer.current }
      return try await provider.transport.response(to: request)
    }
    try write("secret", "s3cret\n")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
  }

  private func authenticator(
    _ issuers: some StringProtocol, _ more: String = ""
  ) throws -> TokenAuthenticator {
    try write(
      "trust.json", "{\"audiences\": [\"\(Self.audience)\"], \"issuers\": [\(issuers)]\(more)}")
    let registry = BearerTokenRegistry(
      trustFile: folder.path() + "trust.json", transport: transport, clock: time,
      observer: observer)
    return TokenAuthenticator(registry, clock: time)
  }

  private static let discovery =
    "{\"name\": \"https://idp.example/tenant\", \"id\": \"op\", \"openID\": true}"
  private static let keysAt =
    "{\"name\": \"https://idp.example/tenant\", \"keysAt\": \"https://idp.example/tenant/keys\"}"
  private static func introspection(_ more: String = ", \"clientSecret\": \"file:secret\"")
    -> String
  {
    """
    {"name": "https://as.example", "id": "as", "introspection":
      {"at": "https://as.example/introspect", "clientID": "api 1"\(more)}}
    """
  }

  private func jwt(
    _ change: (inout [String: String]) -> Void = { _ in }, type: String? = "JWT",
    by key: ProviderKey? = nil
  ) throws -> String {
    var payload = [
      "iss": quoted("https://idp.example/tenant"), "aud": quoted(Self.audience),
      "sub": quoted("alice"), "iat": "\(time.now.seconds)", "exp": "\(time.now.seconds + 300)",
    ]
    change(&payload)
    let key = try key ?? ProviderKey.first
    return try key.token(payload, type: type, keyID: key.keyID)
  }

  private func principal(
    _ authenticator: TokenAuthenticator, _ token: String
  ) async throws -> FederatedPrincipal? {
    try await authenticator.principal(HTTPFields([("Authorization", "Bearer \(token)")]))
  }

  private func code(_ authenticator: TokenAuthenticator, _ token: String) async -> TokenError.Code?
  {
    await refusalCode { _ = try await principal(authenticator, token) }
  }

  private func requests(_ end: String) -> Int {
    transport.requests.count { $0.url.text.hasSuffix(end) }
  }

  // MARK: Keys by address

  @Test("Keys come by discovery, or from their address, and are fetched once")
  func keys() async throws {
    for issuers in [Self.discovery, Self.keysAt] {
      let authenticator = try authenticator(issuers)
      for _ in 0..<3 {
        #expect(try await principal(authenticator, jwt())?.subject == "alice")
      }
      #expect(await code(authenticator, try jwt { $0["aud"] = "\"other\"" }) == .audienceMismatch)
      #expect(
        await code(authenticator, try jwt { $0["iss"] = "\"https://x/\"" }) == .issuerUntrusted)
    }
    #expect(requests("/keys") == 2 && requests("openid-configuration") == 1)
  }

  @Test(
    "GATE-28: A key that is not known is fetched, and ten thousand invented ones cause one fetch a minute"
  )
  func unknownKeys() async throws {
    let authenticator = try authenticator(Self.keysAt)
    #expect(try await principal(authenticator, jwt()) != nil)
    let second = try ProviderKey.second
    provider.provider.change { $0.keySet.append(second) }
    #expect(try await principal(authenticator, jwt(by: second)) != nil)
    let invented = try ProviderKey("idp-ec256", .ecdsaSHA256)
    for _ in 0..<20 { #expect(await code(authenticator, try jwt(by: invented)) == .unknownKeyID) }
    #expect(requests("/keys") == 2)
    time.advance(bySeconds: 60)
    #expect(await code(authenticator, try jwt(by: invented)) == .unknownKeyID)
    #expect(requests("/keys") == 3)
  }

  @Test("A token that no key of its issuer could have signed causes no fetch")
  func noKey() async throws {
    let authenticator = try authenticator(Self.keysAt)
    #expect(try await principal(authenticator, jwt()) != nil)
    time.advance(bySeconds: 60)
    let other = try ProviderKey("idp-ec256", .ecdsaSHA256)
    let token = try other.token(
      [
        "iss": quoted("https://idp.example/tenant"), "aud": quoted(Self.audience),
        "sub": quoted("alice"), "exp": "\(time.now.seconds + 300)",
      ], keyID: nil)
    #expect(await code(authenticator, token) != nil)
    let stranger = try jwt { $0["iss"] = "\"https://x.example\"" }
    #expect(await code(authenticator, stranger) == .issuerUntrusted)
    // A format for which the issuer has no key at all.
    #expect(await code(authenticator, try simple()) == .noKey)
    #expect(requests("/keys") == 1)
  }

  /// A Simple Web Token of the provider, by a key of 32 ones.
  private func simple(age: Int64 = 0) throws -> String {
    let draft = TokenDraft(
      issuer: "https://idp.example/tenant", audiences: [Self.audience], subject: "alice",
      issuedAt: time.now.advanced(bySeconds: -age))
    let key = try SymmetricKey(bytes: [UInt8](repeating: 1, count: 32))
    return String(decoding: try SimpleWebToken.mint(draft, key: key), as: UTF8.self)
  }

  @Test("GATE-8: What is wrong with a token that our own keys judge is its fault, whatever is away")
  func outageOfOthers() async throws {
    let secret = Base64.encode([UInt8](repeating: 1, count: 32), .standard)
    let authenticator = try authenticator(
      Self.keysAt
        + """
        , {"name": "https://idp.example/tenant", "keys": ["hmac:\(secret)"], "formats": ["swt"]}
        """)
    provider.provider.change { $0.replaced["/keys"] = .of(500) }
    #expect(try await principal(authenticator, simple())?.subject == "alice")
    #expect(await code(authenticator, try simple(age: 90_000)) == .expired)
    #expect(await code(authenticator, try jwt()) == .registryUnavailable)
  }

  @Test(
    "GATE-8: While an issuer cannot be reached nothing is said of its tokens; those of others are judged"
  )
  func outage() async throws {
    let pinned = try ProviderKey("rp-ec256", .ecdsaSHA256)
    try write("pinned.json", "{\"keys\":[\(pinned.json)]}")
    let authenticator = try authenticator(
      Self.keysAt + ", {\"name\": \"https://pinned.example\", \"keys\": [\"jwks:pinned.json\"]}")
    provider.provider.change { $0.replaced["/keys"] = .of(500) }
    let away = await code(authenticator, try jwt())
    #expect(away == .registryUnavailable)
    #expect(TokenAuthenticator.refusal(TokenError(try #require(away))).status == 503)
    let other = try jwt({ $0["iss"] = "\"https://pinned.example\"" }, by: pinned)
    #expect(try await principal(authenticator, other)?.subject == "alice")
    provider.provider.change { $0.replaced["/keys"] = nil }
    time.advance(bySeconds: 3_600)
    #expect(try await principal(authenticator, jwt()) != nil)
  }

  @Test(
    "A secret in a fetched set verifies nothing, and the file's algorithms narrow those of the keys"
  )
  func algorithms() async throws {
    let narrow = Self.keysAt.dropLast() + ", \"algorithms\": [\"RS512\"]}"
    #expect(await code(try authenticator(String(narrow)), try jwt()) != nil)
    provider.provider.change {
      $0.replaced["/keys"] = .json(
        "{\"keys\":[{\"kty\":\"oct\",\"kid\":\"rsa-1\",\"k\":\"AAAA\"}]}")
    }
    let refused = await code(try authenticator(Self.keysAt), try jwt())
    #expect(refused == .registryUnavailable, "\(String(describing: refused))")
  }

  // MARK: What a bearer token is

  @Test(
    "An ID token, a logout token and another type are no access tokens",
    arguments: [
      ("JOSE", nil), ("application/jwt", nil), ("logout+jwt", nil), ("x", nil), ("JWT", "nonce"),
      ("JWT", "events"), ("at+jwt", "at_hash"), (nil, "c_hash"),
    ] as [(String?, String?)])
  func purpose(type: String?, member: String?) async throws {
    let strict = try authenticator(Self.discovery)
    let token = try jwt({ if let member { $0[member] = "\"x\"" } }, type: type)
    #expect(await code(strict, token) == .tokenPurpose)
    if member != nil {
      let lenient = Self.discovery.dropLast() + ", \"idTokens\": true}"
      #expect(try await principal(authenticator(String(lenient)), token)?.subject == "alice")
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
    try Data(own).write(to: folder.appending(path: "rp.key"))
    let api = try authenticator(Self.discovery, ", \"decryptionKeys\": [\"rp.key\"]")
    #expect(try await principal(api, inside(jwt()))?.subject == "alice")
    #expect(await code(api, try inside(jwt({ $0["nonce"] = "\"x\"" }))) == .tokenPurpose)
    let strict = try authenticator(
      Self.discovery.dropLast() + ", \"type\": \"at+jwt\"}", ", \"decryptionKeys\": [\"rp.key\"]")
    #expect(await code(strict, try inside(jwt())) == .tokenPurpose)
  }

  @Test(
    "RFC 9068: The types of access tokens are taken, and where one is demanded its members are too")
  func accessTokens() async throws {
    let usual = try authenticator(Self.discovery)
    for type in [nil, "JWT", "jwt", "at+jwt", "AT+JWT", "application/at+jwt"] {
      #expect(try await principal(usual, jwt(type: type)) != nil, "\(type ?? "none")")
    }
    let strict = try authenticator(
      String(Self.discovery.dropLast()) + ", \"type\": \"at+jwt\"}")
    #expect(await code(strict, try jwt()) == .tokenPurpose)
    #expect(await code(strict, try jwt(type: "at+jwt")) == .tokenPurpose, "no client_id, no jti")
    let whole = try jwt(
      {
        $0["client_id"] = "\"c\""
        $0["jti"] = "\"1\""
      }, type: "at+jwt")
    #expect(try await principal(strict, whole)?.subject == "alice")
    for type in ["JWT", nil] {
      let other = try jwt(
        {
          $0["client_id"] = "\"c\""
          $0["jti"] = "\"1\""
        }, type: type)
      #expect(await code(strict, other) == .tokenPurpose, "\(type ?? "no type")")
    }
  }

  @Test(
    "An SD-JWT is no access token, also where its issuer is trusted for such: what keeps its holder out need not be disclosed",
    arguments: ["", ", \"type\": \"at+jwt\"", ", \"idTokens\": true"])
  func credentials(more: String) async throws {
    let key = try ProviderKey.first
    try write("keys.json", "{\"keys\":[\(key.json)]}")
    let presented = try jwt(type: "dc+sd-jwt") + "~"
    let issuer = try TrustedIssuer(
      "https://idp.example/tenant",
      keys: JSONWebKeySet(parsing: Array("{\"keys\":[\(key.json)]}".utf8)).keys, formats: [.sdjwt])
    let trust = Trust(issuers: [issuer], audiences: .oneOf([Self.audience]))
    let genuine = try TokenValidator(trust).validate(
      AnyToken(reading: Array(presented.utf8)), at: time.now)
    #expect(genuine.facts.subject == "alice")
    let both = try authenticator(
      """
      {"name": "https://idp.example/tenant", "keys": ["jwks:keys.json"], "formats": ["jwt", "sdjwt"]\(more)}
      """)
    #expect(await code(both, presented) == .tokenPurpose)
    let access = try jwt(
      {
        $0["client_id"] = "\"c\""
        $0["jti"] = "\"1\""
      }, type: "at+jwt")
    #expect(try await principal(both, access)?.subject == "alice")
  }

  @Test(
    "A token that is bound to a key is none for whoever has it, by whichever way that is known")
  func bound() async throws {
    let bound = try jwt { $0["cnf"] = "{\"jkt\":\"x\"}" }
    #expect(await code(try authenticator(Self.discovery), bound) == .tokenPurpose)
    let lenient = Self.discovery.dropLast() + ", \"idTokens\": true}"
    #expect(await code(try authenticator(String(lenient)), bound) == .tokenPurpose)
    let asked = try authenticator(Self.introspection())
    answering(["cnf": "{\"x5t#S256\":\"x\"}"])
    #expect(await code(asked, "bound") == .tokenPurpose)
    answering([:])
    #expect(try await principal(asked, "unbound")?.subject == "bob")
  }

  // MARK: Introspection

  private func answering(_ members: [String: String?]) {
    var all: [String: String] = [
      "active": "true", "sub": quoted("bob"), "aud": quoted(Self.audience),
      "iss": quoted("https://as.example"), "scope": quoted("read write"), "acr": quoted("mfa"),
    ]
    for (name, value) in members { all[name] = value }
    let text = object(all)
    answer.withLock { $0 = .json(text) }
  }

  @Test("An opaque token is what its issuer says of it: subject, claims, audience")
  func opaque() async throws {
    let authenticator = try authenticator(Self.introspection())
    answering([:])
    let found = try #require(try await principal(authenticator, "opaque-1"))
    #expect(found.subject == "bob" && found.issuer == "https://as.example")
    #expect(found.claims["scope"] == ["read write"] && found.claims["active"].isEmpty)
    #expect(found.authenticationContexts == ["mfa"] && found.tokenScopes == ["read", "write"])
    let request = try #require(transport.requests.last)
    #expect(request.method == .post && request.parameter("token") == "opaque-1")
    #expect(
      request.fields["Authorization"] == "Basic "
        + Data("api%201:s3cret".utf8).base64EncodedString())
    #expect(!observer.lines.contains { $0.contains("opaque-1") })
    answering(["sub": nil, "iss": nil])
    #expect(try await principal(authenticator, "opaque-2")?.subject == "")
  }

  @Test(
    "An issuer vouches for its refresh tokens, too, and for those that are bound: none is for whoever has it",
    arguments: [
      ("Bearer", true), ("bearer", true), ("access_token", true), ("refresh_token", false),
      ("Refresh", false), ("DPoP", false), ("ID_TOKEN", false), ("MAC", false),
    ])
  func introspectedTypes(type: String, isGood: Bool) async throws {
    let authenticator = try authenticator(Self.introspection())
    answering(["token_type": quoted(type)])
    #expect(await code(authenticator, "opaque") == (isGood ? nil : .tokenPurpose))
  }

  @Test("An address that the issuer does not call verified is no identity")
  func introspectedEmail() async throws {
    for (place, (word, values)) in [
      (nil, ["a@x.example"]), ("true", ["a@x.example"]), ("\"true\"", ["a@x.example"]),
      ("false", []), ("\"no\"", []),
    ].enumerated() as EnumeratedSequence<[(String?, [String])]> {
      let authenticator = try authenticator(Self.introspection())
      answering(["email": quoted("a@x.example"), "email_verified": word, "phone": "\"1\""])
      let found = try #require(try await principal(authenticator, "mail-\(place)"))
      #expect(found.claims["email"] == values, "\(word ?? "nothing")")
      #expect(found.claims["phone"] == ["1"])
    }
  }

  @Test("Where nothing is said of an address, those of the issuer's own domains count")
  func emailDomains() async throws {
    func isMarked(
      _ authenticator: TokenAuthenticator, _ token: String, _ domains: [String]
    ) async throws -> [Bool] {
      let fields = try HTTPFields([("Authorization", "Bearer \(token)")])
      let read = try #require(try RequestToken(fields))
      let found = try await authenticator.authenticate(read) {
        ["op", "as"].contains($0) ? domains : []
      }
      return found.principal.claims.filter { $0.type == "email" }
        .map { $0.properties[Claim.unconfirmedEmail] != nil }
    }
    let token = try jwt { $0["email"] = "\"a@x.example\"" }
    answering(["email": quoted("a@x.example")])
    for (issuer, token) in [(Self.discovery, token), (Self.introspection(), "opaque")] {
      let authenticator = try authenticator(issuer)
      for (domains, isUnconfirmed) in [([], true), (["y.example"], true), (["X.example"], false)] {
        let found = try await isMarked(authenticator, token, domains)
        #expect(found == [isUnconfirmed], "\(domains)")
      }
    }
    let verified = try jwt {
      $0["email"] = "\"a@x.example\""
      $0["email_verified"] = "true"
    }
    #expect(try await isMarked(authenticator(Self.discovery), verified, []) == [false])
  }

  @Test("An answer counts for a minute, and never past the end of the token")
  func memory() async throws {
    let authenticator = try authenticator(Self.introspection())
    answering(["exp": "\(time.now.seconds + 30)"])
    for _ in 0..<5 { #expect(try await principal(authenticator, "short") != nil) }
    #expect(requests("/introspect") == 1)
    time.advance(bySeconds: 30)
    #expect(await code(authenticator, "short") == .expired)
    answering([:])
    #expect(try await principal(authenticator, "long") != nil)
    answering(["active": "false"])
    time.advance(bySeconds: 59)
    #expect(try await principal(authenticator, "long") != nil)
    time.advance(bySeconds: 1)
    #expect(await code(authenticator, "long") == .signInTokenInactive)
  }

  @Test("The issuer that is asked is called, and shown, as the file says now")
  func renamed() async throws {
    let before = Self.introspection()
    let authenticator = try authenticator(before)
    answering(["urn:x/role": quoted("a"), "group": quoted("b")])
    func found() async throws -> (id: String?, types: [String]) {
      let fields = try HTTPFields([("Authorization", "Bearer opaque")])
      let (principal, id) = try await authenticator.authenticate(
        try #require(try RequestToken(fields)))
      return (id, principal.claims.map(\.type.name))
    }
    let first = try await found()
    #expect(first.id == "as" && first.types.contains("group"))
    let after = before.replacing(
      "\"id\": \"as\"", with: "\"id\": \"other\", \"claimsPrefix\": [\"urn:x/\"]")
    try write("trust.json", "{\"audiences\": [\"\(Self.audience)\"], \"issuers\": [\(after)]}")
    time.advance(bySeconds: 2)
    let second = try await found()
    #expect(second.id == "other" && second.types == ["urn:x/role"])
    // It is the same issuer, whose answer is remembered.
    #expect(requests("/introspect") == 1)
  }

  @Test("Ten requests at once with one token are one question")
  func singleFlight() async throws {
    let authenticator = try authenticator(Self.introspection())
    answering([:])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<10 {
        group.addTask { [self] in
          let found = try await principal(authenticator, "same")
          #expect(found != nil)
        }
      }
      try await group.waitForAll()
    }
    #expect(requests("/introspect") == 1)
  }

  @Test("A token of another issuer, audience or time is refused")
  func refusals() async throws {
    let now = time.now.seconds
    let cases: [([String: String?], TokenError.Code?)] = [
      (["active": "false"], .signInTokenInactive), (["aud": nil], .audienceMissing),
      (["aud": "\"other\""], .audienceMismatch), (["aud": "[\"x\",\"https://api.example\"]"], nil),
      (["iss": "\"https://evil.example\""], .registryIntrospection), (["exp": "\(now)"], .expired),
      (["nbf": "\(now + 1)"], .notYetValid), (["exp": "\(now + 1)"], nil),
    ]
    for (place, (members, expected)) in cases.enumerated() {
      let authenticator = try authenticator(Self.introspection())
      answering(members)
      #expect(await code(authenticator, "token-\(place)") == expected, "\(members)")
    }
  }

  @Test(
    "Where the issuer is away, or does not say whether the token is active, nothing is known: 503")
  func away() async throws {
    let answers: [HTTPResponse] = [
      .of(500), .of(401), .of(302), .json("{}"), .json("{\"active\":\"true\"}"),
      .json("{\"active\":1}"),
      .json("[]"), .of(200, "text/html", "<html>"), .json("{\"active\":true,\"active\":true}"),
      .json("{\"active\":true,\"pad\":\"" + String(repeating: "a", count: 300_000) + "\"}"),
    ]
    for (place, given) in answers.enumerated() {
      let authenticator = try authenticator(Self.introspection())
      answer.withLock { $0 = given }
      let error = await #expect(throws: TokenError.self) {
        try await principal(authenticator, "t\(place)")
      }
      #expect(error?.code == .registryIntrospection, "\(place)")
      #expect(TokenAuthenticator.refusal(error).status == 503)
      // It is not remembered.
      answering([:])
      #expect(try await principal(authenticator, "t\(place)") != nil)
    }
    #expect(observer.lines.contains { $0.hasPrefix("registry.introspection-failed") })
  }

  @Test(
    "Where the issuer is slow, away or sends more than is read, nothing is known: 503",
    arguments: [
      TokenError.Code.transportTimeout, .transportNoConnection, .transportTooLarge,
      .transportUntrustedServer,
    ])
  func network(code: TokenError.Code) async throws {
    try write(
      "trust.json",
      "{\"audiences\": [\"\(Self.audience)\"], \"issuers\": [\(Self.introspection())]}")
    let limits = Mutexed([Int]())
    let broken = ScriptedTransport { (request) throws(TokenError) in
      limits.withLock { $0.append(request.maximumResponseBytes) }
      throw TokenError(code)
    }
    let authenticator = TokenAuthenticator(
      BearerTokenRegistry(
        trustFile: folder.path() + "trust.json", transport: broken, clock: time, observer: observer),
      clock: time)
    let error = await #expect(throws: TokenError.self) {
      try await principal(authenticator, "opaque")
    }
    #expect(error?.code == .registryIntrospection)
    #expect(TokenAuthenticator.refusal(error).status == 503)
    // Five megabytes are never read.
    #expect(limits.current.allSatisfy { $0 <= 1 << 20 } && limits.current.count == 1)
  }

  @Test("Tokens are shown to no stranger: a JWT goes there only if it names that issuer")
  func strangers() async throws {
    let authenticator = try authenticator(Self.introspection() + ", " + Self.keysAt)
    answering([:])
    #expect(try await principal(authenticator, jwt())?.subject == "alice")
    for token in [
      try jwt { $0["iss"] = "\"https://stranger.example\"" }, try jwt { $0["iss"] = nil },
      "eyJhbGciOiJSU0EtT0FFUCJ9.a.b.c.d", "eyJhbGciOiJSUzI1NiJ9.!!.x",
      "a=b&Issuer=c&HMACSHA256=d", "<saml/>",
    ] { #expect(await code(authenticator, token) != nil) }
    #expect(requests("/introspect") == 0)
    let own = try jwt { $0["iss"] = "\"https://as.example\"" }
    #expect(try await principal(authenticator, own)?.subject == "bob")
    #expect(requests("/introspect") == 1)
  }

  // MARK: The file

  @Test(
    "What cannot be is an error with its line",
    arguments: [
      "{\"name\": \"https://a\", \"openID\": false}", "{\"name\": \"https://a\", \"openID\": 1}",
      "{\"name\": \"urn:a\", \"openID\": true}", "{\"openID\": true}",
      "{\"name\": \"a\", \"keysAt\": \"http://a/\"}", "{\"name\": \"a\", \"keysAt\": 7}",
      "{\"name\": \"a\", \"keysAt\": \"https://a/\", \"openID\": true}",
      "{\"name\": \"a\", \"keysAt\": \"https://a/\", \"keys\": [\"a\"]}",
      "{\"name\": \"a\", \"keysAt\": \"https://a/\", \"algorithms\": [\"HS256\"]}",
      "{\"name\": \"a\", \"keysAt\": \"https://a/\", \"algorithms\": [\"rsa-sha1\"]}",
      "{\"name\": \"a\", \"keysAt\": \"https://a/\", \"type\": \"jwt\"}",
      "{\"name\": \"a\", \"keysAt\": \"https://a/\", \"idTokens\": \"yes\"}",
      "{\"name\": \"a\", \"introspection\": {}}",
      "{\"name\": \"a\", \"introspection\": {\"at\": \"https://a/\"}}",
      "{\"name\": \"a\", \"introspection\": {\"at\": \"https://a/\", \"clientID\": \"c\", \"clientSecret\": \"s\"}}",
      "{\"name\": \"a\", \"introspection\": {\"at\": \"https://a/\", \"clientID\": \"c\", \"x\": 1}}",
      introspection("")
        + ", {\"name\": \"b\", \"introspection\": {\"at\": \"https://b/\", \"clientID\": \"c\"}}",
      keysAt + ", " + discovery,
    ])
  func mistakes(issuers: String) throws {
    struct NoFiles: FileSource {
      func read(_ path: String) throws(TokenError) -> [UInt8] { throw TokenError(.unreadableFile) }
    }
    let text = "{\"audiences\": [\"a\"],\n\"issuers\": [\(issuers)]}"
    let file = TrustFile(parsing: Array(text.utf8), files: NoFiles())
    #expect(file.trust == nil)
    #expect(file.errors.first?.node?.hasPrefix("line ") == true, "\(issuers)")
  }

  @Test("A reader without a network refuses such a file, and one that fetches does not")
  func withoutNetwork() async throws {
    let authenticator = try authenticator(Self.discovery)
    #expect(try await principal(authenticator, jwt()) != nil)
    let plain = FileRegistry(trustFile: folder.path() + "trust.json")
    #expect(plain.readyTrust(at: time.now) == nil)
    #expect(plain.health(at: time.now).first?.lastError?.code == .trustFileRemote)
  }
}
