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

/// Bearer tokens of issuers that a trust file names by an address, and the file.
@Suite("Bearer tokens: keys by address")
struct BearerKeyTests {
  private let fixture: BearerTokenFixture

  init() throws { fixture = try BearerTokenFixture() }

  @Test("Keys come by BearerTokenFixture.discovery, or from their address, and are fetched once")
  func keys() async throws {
    for issuers in [BearerTokenFixture.discovery, BearerTokenFixture.keysAt] {
      let authenticator = try fixture.authenticator(issuers)
      for _ in 0..<3 {
        #expect(try await fixture.principal(authenticator, fixture.jwt())?.subject == "alice")
      }
      #expect(
        await fixture.code(authenticator, try fixture.jwt { $0["aud"] = "\"other\"" })
          == .audienceMismatch)
      #expect(
        await fixture.code(authenticator, try fixture.jwt { $0["iss"] = "\"https://x/\"" })
          == .issuerUntrusted)
    }
    #expect(fixture.requests("/keys") == 2 && fixture.requests("openid-configuration") == 1)
  }

  @Test(
    "GATE-28: A key that is not known is fetched, and ten thousand invented ones cause one fetch a minute"
  )
  func unknownKeys() async throws {
    let authenticator = try fixture.authenticator(BearerTokenFixture.keysAt)
    #expect(try await fixture.principal(authenticator, fixture.jwt()) != nil)
    let second = try ProviderKey.second
    fixture.provider.provider.change { $0.keySet.append(second) }
    #expect(try await fixture.principal(authenticator, fixture.jwt(by: second)) != nil)
    let invented = try ProviderKey("idp-ec256", .ecdsaSHA256)
    for _ in 0..<20 {
      #expect(await fixture.code(authenticator, try fixture.jwt(by: invented)) == .unknownKeyID)
    }
    #expect(fixture.requests("/keys") == 2)
    fixture.time.advance(bySeconds: 60)
    #expect(await fixture.code(authenticator, try fixture.jwt(by: invented)) == .unknownKeyID)
    #expect(fixture.requests("/keys") == 3)
  }

  @Test(
    "Tokens of an issuer without sign-in are verified by its configuration",
    arguments: [nil, "\"urn:kubernetes:programmatic_authorization\""])
  func issuerOfTokens(endpoint: String?) async throws {
    let fixture = fixture
    fixture.provider.provider.change {
      $0.discovery["authorization_endpoint"] = endpoint
      $0.discovery["token_endpoint"] = nil
    }
    let authenticator = try fixture.authenticator(BearerTokenFixture.discovery)
    #expect(try await fixture.principal(authenticator, fixture.jwt())?.subject == "alice")
    let code = await refusalCode {
      _ = try await fixture.provider.party().begin(returningTo: nil, at: fixture.time.now)
    }
    #expect(code == .signInNoEndpoint)
  }

  @Test("A token that no key of its issuer could have signed causes no fetch")
  func noKey() async throws {
    let authenticator = try fixture.authenticator(BearerTokenFixture.keysAt)
    #expect(try await fixture.principal(authenticator, fixture.jwt()) != nil)
    fixture.time.advance(bySeconds: 60)
    let other = try ProviderKey("idp-ec256", .ecdsaSHA256)
    let token = try other.token(
      [
        "iss": quoted("https://idp.example/tenant"), "aud": quoted(BearerTokenFixture.audience),
        "sub": quoted("alice"), "exp": "\(fixture.time.now.seconds + 300)",
      ], keyID: nil)
    #expect(await fixture.code(authenticator, token) != nil)
    let stranger = try fixture.jwt { $0["iss"] = "\"https://x.example\"" }
    #expect(await fixture.code(authenticator, stranger) == .issuerUntrusted)
    // A format for which the issuer has no key at all.
    #expect(await fixture.code(authenticator, try simple()) == .noKey)
    #expect(fixture.requests("/keys") == 1)
  }

  /// A Simple Web Token of the provider, by a key of 32 ones.
  private func simple(age: Int64 = 0) throws -> String {
    let draft = TokenDraft(
      issuer: "https://idp.example/tenant", audiences: [BearerTokenFixture.audience],
      subject: "alice",
      issuedAt: fixture.time.now.advanced(bySeconds: -age))
    let key = try SymmetricKey(bytes: [UInt8](repeating: 1, count: 32))
    return String(decoding: try SimpleWebToken.mint(draft, key: key), as: UTF8.self)
  }

  @Test("GATE-8: What is wrong with a token that our own keys judge is its fault, whatever is away")
  func outageOfOthers() async throws {
    let secret = Base64.encode([UInt8](repeating: 1, count: 32), .standard)
    let authenticator = try fixture.authenticator(
      BearerTokenFixture.keysAt
        + """
        , {"name": "https://idp.example/tenant", "keys": ["hmac:\(secret)"], "formats": ["swt"]}
        """)
    fixture.provider.provider.change { $0.replaced["/keys"] = .of(500) }
    #expect(try await fixture.principal(authenticator, simple())?.subject == "alice")
    #expect(await fixture.code(authenticator, try simple(age: 90_000)) == .expired)
    #expect(await fixture.code(authenticator, try fixture.jwt()) == .registryUnavailable)
  }

  @Test(
    "GATE-8: While an issuer cannot be reached nothing is said of its tokens; those of others are judged"
  )
  func outage() async throws {
    let pinned = try ProviderKey("rp-ec256", .ecdsaSHA256)
    try fixture.write("pinned.json", "{\"keys\":[\(pinned.json)]}")
    let authenticator = try fixture.authenticator(
      BearerTokenFixture.keysAt
        + ", {\"name\": \"https://pinned.example\", \"keys\": [\"jwks:pinned.json\"]}")
    fixture.provider.provider.change { $0.replaced["/keys"] = .of(500) }
    let away = await fixture.code(authenticator, try fixture.jwt())
    #expect(away == .registryUnavailable)
    #expect(TokenAuthenticator.refusal(TokenError(try #require(away))).status == 503)
    let other = try fixture.jwt({ $0["iss"] = "\"https://pinned.example\"" }, by: pinned)
    #expect(try await fixture.principal(authenticator, other)?.subject == "alice")
    fixture.provider.provider.change { $0.replaced["/keys"] = nil }
    fixture.time.advance(bySeconds: 3_600)
    #expect(try await fixture.principal(authenticator, fixture.jwt()) != nil)
  }

  @Test(
    "GATE-8: An issuer that never answers stalls its own tokens alone, which are judged when its keys come",
    .timeLimit(.minutes(1)), arguments: [true, false])
  func silence(comes: Bool) async throws {
    let key = try ProviderKey("rp-ec256", .ecdsaSHA256)
    let set = HTTPResponse.json("{\"keys\":[\(key.json)]}")
    let (silence, end) = AsyncStream<Void>.makeStream()
    let provider = fixture.provider.transport
    let transport = ScriptedTransport { (request) throws(TokenError) in
      guard request.url.text == "https://hole.example/keys" else {
        return try await provider.response(to: request)
      }
      for await _ in silence {}
      guard comes else { throw TokenError(.transportTimeout) }
      return set
    }
    let hole = "{\"name\": \"https://hole.example\", \"keysAt\": \"https://hole.example/keys\"}, "
    let authenticator = try fixture.authenticator(
      hole + BearerTokenFixture.keysAt, over: transport)
    for _ in 0..<2 {
      #expect(try await fixture.principal(authenticator, fixture.jwt())?.subject == "alice")
      let stranger = try fixture.jwt { $0["iss"] = "\"https://x.example\"" }
      #expect(await fixture.code(authenticator, stranger) == .issuerUntrusted)
      fixture.time.advance(bySeconds: 1)
    }
    let token = try fixture.jwt({ $0["iss"] = "\"https://hole.example\"" }, by: key)
    async let answer = fixture.code(authenticator, token)
    end.finish()
    let found = await answer
    #expect(found == (comes ? nil : .registryUnavailable))
    #expect(transport.requests.count { $0.url.text == "https://hole.example/keys" } == 1)
    #expect(try await fixture.principal(authenticator, fixture.jwt()) != nil)
  }

  @Test(
    "A secret in a fetched set verifies nothing, and the file's algorithms narrow those of the keys"
  )
  func algorithms() async throws {
    let narrow = BearerTokenFixture.keysAt.dropLast() + ", \"algorithms\": [\"RS512\"]}"
    #expect(await fixture.code(try fixture.authenticator(String(narrow)), try fixture.jwt()) != nil)
    fixture.provider.provider.change {
      $0.replaced["/keys"] = .json(
        "{\"keys\":[{\"kty\":\"oct\",\"kid\":\"rsa-1\",\"k\":\"AAAA\"}]}")
    }
    let refused = await fixture.code(
      try fixture.authenticator(BearerTokenFixture.keysAt), try fixture.jwt())
    #expect(refused == .registryUnavailable, "\(String(describing: refused))")
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
      BearerTokenFixture.introspection("")
        + ", {\"name\": \"b\", \"introspection\": {\"at\": \"https://b/\", \"clientID\": \"c\"}}",
      BearerTokenFixture.keysAt + ", " + BearerTokenFixture.discovery,
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
    let authenticator = try fixture.authenticator(BearerTokenFixture.discovery)
    #expect(try await fixture.principal(authenticator, fixture.jwt()) != nil)
    let plain = FileRegistry(trustFile: fixture.folder.path() + "trust.json")
    #expect(plain.readyTrust(at: fixture.time.now) == nil)
    #expect(plain.health(at: fixture.time.now).first?.lastError?.code == .trustFileRemote)
  }
}
