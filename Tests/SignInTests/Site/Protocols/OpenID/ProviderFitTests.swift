import HTTPExchange
import IdentityProviderTesting
import IssuerRegistry
import JSONWebTokens
import SecurityKeys
import SignIn
import TestSupport
import Testing
import TokenBasics

@Suite("OpenID Connect: what the provider offers")
struct ProviderFitTests {
  private let fixture: OpenIDFixture

  init() throws { fixture = try OpenIDFixture() }

  // MARK: Algorithms

  @Test(
    "An algorithm that the provider lists and that needs no exception is taken",
    arguments: [
      ("idp-ec256", SignatureAlgorithm.ecdsaSHA256), ("idp-ec384", .ecdsaSHA384),
      ("idp-ec521", .ecdsaSHA512), ("idp-rsa", .rsaPSSSHA256), ("idp-rsa", .rsaPSSSHA512),
      ("idp-rsa", .rsaSHA384), ("idp-ed25519", .ed25519),
    ])
  func listed(name: String, algorithm: SignatureAlgorithm) async throws {
    let key = try ProviderKey(name, algorithm)
    fixture.provider.change {
      $0.signer = key
      $0.keySet = [key]
      $0.discovery["id_token_signing_alg_values_supported"] =
        "[\"HS256\",\"none\",\"XY1\",\"\(algorithm.nameInJOSE)\"]"
    }
    #expect(try await fixture.signIn(fixture.party()).principal.subject == "alice")
    let other = algorithm == .rsaSHA256 ? SignatureAlgorithm.rsaSHA512 : .rsaSHA256
    let registered = try fixture.party { $0.signingAlgorithms = [algorithm, other] }
    #expect(try await fixture.signIn(registered, code: "2").principal.subject == "alice")
    let narrow = try fixture.party { $0.signingAlgorithms = [other] }
    #expect(try await fixture.refusal(narrow) { _ in } == .signInIncompatible)
  }

  @Test("One that the provider does not list is refused, also where the key would do")
  func notListed() async throws {
    let key = try ProviderKey("idp-ec256", .ecdsaSHA256)
    let code = try await fixture.refusal {
      $0.signer = key
      $0.keySet.append(key)
    }
    #expect(code == .algorithmNotAllowed)
    fixture.provider.change { $0.discovery["id_token_signing_alg_values_supported"] = nil }
    await fixture.registry.refresh()
    // RS256 is that of a provider that lists none.
    #expect(try await fixture.refusal { _ in } == .algorithmNotAllowed)
    let first = try ProviderKey.first
    #expect(try await fixture.refusal { $0.signer = first } == nil)
  }

  @Test(
    "An algorithm that the provider begins to list is taken once its configuration is read again")
  func listedLater() async throws {
    _ = try await fixture.signIn(fixture.party())
    let key = try ProviderKey("idp-ec256", .ecdsaSHA256)
    fixture.time.advance(bySeconds: 61)
    let signIn = try await fixture.signIn(fixture.party(), code: "2") {
      $0.signer = key
      $0.keySet = [key]
      $0.discovery["id_token_signing_alg_values_supported"] = "[\"ES256\"]"
    }
    #expect(signIn.principal.subject == "alice")
  }

  // MARK: What does not fit

  private func incompatibilities(
    _ member: String, _ value: String?, _ change: (inout OpenIDClient) throws -> Void
  ) async throws -> [ProviderIncompatibility] {
    let fixture = try OpenIDFixture()
    fixture.provider.change { $0.discovery[member] = value }
    let party = try fixture.party(change)
    return party.incompatibilities(try await fixture.registry.configuration(at: fixture.time.now))
  }

  @Test(
    "Where nobody can sign in it is said before anybody tries",
    arguments: [
      ("id_token_signing_alg_values_supported", "[\"HS256\",\"none\"]", true),
      ("id_token_signing_alg_values_supported", "[\"RS384\"]", false),
      ("response_types_supported", "[\"id_token\"]", false),
      ("userinfo_endpoint", nil, false), ("authorization_endpoint", nil, false),
      ("authorization_endpoint", "\"urn:none\"", false), ("token_endpoint", nil, false),
    ] as [(String, String?, Bool)])
  func obstacles(member: String, value: String?, isOpen: Bool) async throws {
    let change: (inout OpenIDClient) -> Void = {
      $0.signingAlgorithms = isOpen ? nil : [.rsaSHA256]
      $0.userInfo = .always
    }
    let found = try await incompatibilities(member, value, change)
    #expect(found.map(\.preventsSignIn) == [true] && found.first?.error.node == member)
    fixture.provider.change { $0.discovery[member] = value }
    let party = try fixture.party(change)
    let code = await refusalCode {
      _ = try await party.begin(returningTo: nil, at: fixture.time.now)
    }
    #expect(code == found.first?.error.code)
    let usual = ScriptedProvider.discovery("https://idp.example/tenant")[member]
    #expect(try await incompatibilities(member, usual, change).isEmpty)
  }

  @Test(
    "What may work all the same is said and prevents nothing",
    arguments: [
      ("response_modes_supported", "[\"query\",\"fragment\"]", "[\"query\",\"form_post\"]"),
      ("code_challenge_methods_supported", "[\"plain\"]", "[\"plain\",\"S256\"]"),
      ("acr_values_supported", "[\"0\",\"1\"]", "[\"0\",\"mfa\"]"),
      ("prompt_values_supported", "[\"none\",\"login\"]", "[\"select_account\"]"),
      (
        "token_endpoint_auth_methods_supported", "[\"client_secret_basic\"]",
        "[\"private_key_jwt\"]"
      ),
      ("token_endpoint_auth_signing_alg_values_supported", "[\"HS256\",\"ES384\"]", "[\"PS256\"]"),
    ])
  func doubts(member: String, value: String, usual: String) async throws {
    let key = try SigningKey(PrivateKey(pemOrDER: TestVector.bytes("keys/rp-rsa.key")))
    func found(_ value: String) async throws -> [ProviderIncompatibility] {
      let fixture = try OpenIDFixture()
      fixture.provider.change {
        $0.discovery["response_modes_supported"] = "[\"form_post\"]"
        $0.discovery["token_endpoint_auth_methods_supported"] = "[\"private_key_jwt\"]"
        $0.discovery[member] = value
      }
      let party = try fixture.party {
        $0.responseMode = .formPost
        $0.contexts = ["mfa", "hw"]
        $0.prompt = "select_account"
        $0.authentication = .privateKey(key)
      }
      return party.incompatibilities(try await fixture.registry.configuration(at: fixture.time.now))
    }
    let doubts = try await found(value)
    #expect(doubts.map(\.preventsSignIn) == [false])
    #expect(doubts.first?.error.node == member && doubts.first?.error.code == .signInIncompatible)
    #expect(try await found(usual).isEmpty)
  }

  // MARK: Keys and resources

  @Test(
    "The keys that prove who we are are published, those to come among them, and no private part")
  func keys() throws {
    let current = try SigningKey(PrivateKey(pemOrDER: TestVector.bytes("keys/rp-ec256.key")))
    let next = try SigningKey(PrivateKey(pemOrDER: TestVector.bytes("keys/rp-rsa.key")))
    let method = OpenIDMethod(
      try fixture.party {
        $0.authentication = .privateKey(current, keyID: "now")
        $0.announcedKeys = [next]
      })
    let document = try #require(method.publishedKeys)
    let set = try JSONWebKeySet(parsing: document)
    #expect(set.keys.map(\.keyID) == ["now", next.publicKey.thumbprint])
    #expect(set.keys.map { $0.key.publicKey?.isSameKey(as: current.publicKey) } == [true, false])
    #expect(!String(decoding: document, as: UTF8.self).contains("\"d\""))
    #expect(OpenIDMethod(try fixture.party()).publishedKeys == nil)
  }

  @Test("RFC 7638: The thumbprint of the standard's own example")
  func thumbprint() throws {
    let modulus =
      "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMs"
      + "tn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL"
      + "5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"
    let set = try JSONWebKeySet(
      parsing: Array("{\"kty\":\"RSA\",\"n\":\"\(modulus)\",\"e\":\"AQAB\"}".utf8))
    let key = try #require(set.keys.first?.key.publicKey)
    #expect(key.thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
  }

  @Test("A key signs with an algorithm that the provider takes")
  func signingAlgorithm() async throws {
    let key = try SigningKey(PrivateKey(pemOrDER: TestVector.bytes("keys/rp-rsa.key")))
    fixture.provider.change {
      $0.registration = .privateKey(key.publicKey)
      $0.discovery["token_endpoint_auth_signing_alg_values_supported"] = "[\"ES256\",\"PS256\"]"
    }
    let party = try fixture.party { $0.authentication = .privateKey(key) }
    _ = try await fixture.signIn(party)
    let request = fixture.transport.requests.last { $0.url.path.hasSuffix("/token") }
    let assertion = try #require(request?.parameter("client_assertion"))
    let signed = try JSONWebSignature(parsing: Array(assertion.utf8))
    #expect(signed.signatureAlgorithm == .rsaPSSSHA256)
  }

  @Test("A key keeps its own algorithm where the provider takes it among others")
  func ownAlgorithm() async throws {
    let key = try SigningKey(PrivateKey(pemOrDER: TestVector.bytes("keys/rp-rsa.key")))
    fixture.provider.change {
      $0.registration = .privateKey(key.publicKey)
      $0.discovery["token_endpoint_auth_signing_alg_values_supported"] = "[\"PS256\",\"RS256\"]"
    }
    _ = try await fixture.signIn(fixture.party { $0.authentication = .privateKey(key) })
    let request = fixture.transport.requests.last { $0.url.path.hasSuffix("/token") }
    let assertion = try #require(request?.parameter("client_assertion"))
    let signed = try JSONWebSignature(parsing: Array(assertion.utf8))
    #expect(signed.signatureAlgorithm == key.algorithm && key.algorithm == .rsaSHA256)
  }

  @Test("RFC 8707: What tokens are for is in the request and in the exchange of the code")
  func resources() async throws {
    let resources = ["https://api.example/", "urn:api:2"]
    let party = try fixture.party { $0.resources = resources }
    let begun = try await party.begin(returningTo: nil, at: fixture.time.now)
    func named(_ request: HTTPRequest?) -> [String] {
      request?.parameters.filter { $0.name == "resource" }.map(\.value) ?? []
    }
    #expect(named(HTTPRequest(.get, begun.action.address)) == resources)
    _ = try await fixture.signIn(party)
    #expect(named(fixture.transport.requests.last { $0.url.path.hasSuffix("/token") }) == resources)
    for wrong in ["", "api", "/api", "https:", "https://api.example/#a", "https://api example/"] {
      let code = refusalCode { _ = try fixture.party { $0.resources = [wrong] } }
      #expect(code == .signInConfiguration, "\(wrong)")
    }
  }

  // MARK: Documents of providers

  @Test(
    "The configuration of each provider is read, and what is asked of it fits",
    arguments: [
      ("keycloak", "https://keycloak.example/realms/campus", 10),
      ("entra", "https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0", 1),
      ("auth0", "https://example.auth0.com/", 2), ("okta", "https://example.okta.com", 1),
      ("google", "https://accounts.google.com", 1),
      ("kanidm", "https://idm.example/oauth2/openid/gate", 1),
    ])
  func documents(name: String, issuer: String, algorithms: Int) throws {
    let found = try OpenIDConfiguration(
      parsing: TestVector.bytes("discovery/\(name).json"), issuer: issuer)
    let party = try fixture.party {
      $0.scopes = ["openid", "profile", "email"]
      $0.userInfo = .always
    }
    #expect(party.incompatibilities(found).isEmpty)
    #expect(party.signingAlgorithms(found).count == algorithms)
    let post = try fixture.party { $0.authentication = .post(Secret("s")) }
    #expect(post.incompatibilities(found).isEmpty)
    let narrow = try fixture.party { $0.signingAlgorithms = [.rsaSHA256] }
    #expect(narrow.incompatibilities(found).contains(where: \.preventsSignIn) == (name == "kanidm"))
    let form = try fixture.party { $0.responseMode = .formPost }
    #expect(form.incompatibilities(found).isEmpty == (name != "kanidm"))
    let key = try SigningKey(PrivateKey(pemOrDER: TestVector.bytes("keys/rp-rsa.key")))
    let signing = try fixture.party { $0.authentication = .privateKey(key) }
    #expect(
      signing.incompatibilities(found).isEmpty == !["google", "kanidm"].contains(name))
  }
}
