import AccessControl
import HTTPExchange
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// A relying party and a service identity that have everything in common: only the kind of a grant tells them apart.
@Suite("What a code or a refresh token of the local Access Control Service is good for")
struct BoundGrantTests {
  private let fixture: SiteFixture
  private static let verifier = String(repeating: "v", count: 43)
  private static let address = "https://twin.example/code"
  private static let second = "https://twin.example/two"
  private static let third = "https://other.example/code"

  init() throws {
    let address = try HTTPURL(Self.address)
    let second = try HTTPURL(Self.second)
    let third = try HTTPURL(Self.third)
    let parties = ["twin", "other", "mute"].map { name in
      var party = RelyingParty(
        realm: name, format: .jwt, ruleGroups: name == "mute" ? [] : ["default"])
      party.returnAddresses = [address]
      party.clientSecret = Secret("secret of \(name)")
      party.exchange.draft13Clients = ["twin", "other"]
      return party
    }
    let identities = ["twin", "other"].map { name in
      var identity = ServiceIdentity(name: name, password: Secret("secret of \(name)"))
      identity.redirectAddresses = name == "twin" ? [address, second] : [address, third]
      return identity
    }
    var group = RuleGroup("default")
    group.generate(for: .google)
    let mia = TestPerson(
      name: "Mia",
      claims: ClaimSet([
        Claim(.nameIdentifier, "mia"), Claim(.emailAddress, "mia@example.org"), Claim(.name, "Mia"),
      ]))
    let signing = try SiteFixture().signing
    fixture = try SiteFixture(
      ServiceNamespace(
        issuer: "https://acs.example/", relyingParties: parties,
        providers: [ACSIdentityProvider(id: "Google", name: "Google", .testPeople([mia]))],
        identities: identities, ruleGroups: [group],
        keys: NamespaceKeys(
          signing: signing, symmetric: SymmetricKey(bytes: SiteFixture.identifiers),
          identifiers: SymmetricKey(bytes: SiteFixture.identifiers))))
  }

  private static func challenge(_ verifier: String) -> String {
    Base64.encode(DigestAlgorithm.sha256.digest(of: Array(verifier.utf8)) ?? [], .url)
  }

  private static func target(_ path: String, _ fields: [String: String?]) -> String {
    path + "?"
      + fields.compactMap { name, value in
        value.map { name + "=" + HTTPURL.percentEncoded($0) }
      }.joined(separator: "&")
  }

  private static func delegation(_ changes: [String: String?] = [:]) -> String {
    target(
      "/v2/OAuth2-13/authorize",
      [
        "response_type": "code", "client_id": "twin", "scope": "twin", "redirect_uri": address,
        "code_challenge": challenge(verifier), "code_challenge_method": "S256",
      ].merging(changes) { $1 })
  }

  private static func openID(_ changes: [String: String?] = [:]) -> String {
    target(
      "/v2/openid/authorize",
      [
        "response_type": "code", "client_id": "twin", "scope": "openid", "redirect_uri": address,
        "code_challenge": challenge(verifier), "code_challenge_method": "S256",
      ].merging(changes) { $1 })
  }

  /// Signs in: the code, and the cookies of the browser.
  private func code(_ target: String) async throws -> (code: String, cookies: String) {
    let pressed = try await fixture.press("0", after: fixture.get(target))
    let location = try HTTPURL(try #require(pressed.fields["Location"], "\(pressed.text)"))
    return (try FormReader((location.query ?? "").utf8).require("code"), pressed.cookies)
  }

  private func exchange(
    _ code: String, at path: String = "/v2/OAuth2-13", _ changes: [String: String?] = [:],
    authorization: String? = nil
  ) async throws -> (error: String?, json: JSONValue) {
    var fields: [String: String?] = [
      "grant_type": "authorization_code", "client_id": "twin", "client_secret": "secret of twin",
      "scope": "twin", "redirect_uri": Self.address, "code": code, "code_verifier": Self.verifier,
    ]
    fields.merge(changes) { $1 }
    let response = try await fixture.post(
      path, fields.compactMap { name, value in value.map { (name, $0) } },
      authorization: authorization)
    let json = try JSONParser.parse(response.body)
    #expect((response.status == 200) == (json["error"] == nil))
    return (json["error"]?.string, json)
  }

  @Test("SVC-4: A code is good for its client, realm, address and proof, each by itself")
  func alone() async throws {
    let (code, _) = try await code(Self.delegation())
    for changes: [String: String?] in [
      ["client_id": "other", "client_secret": "secret of other"], ["scope": "other"],
      ["redirect_uri": "https://twin.example/other"], ["redirect_uri": nil],
      ["code_verifier": String(repeating: "w", count: 43)], ["code_verifier": nil],
    ] {
      #expect(try await exchange(code, changes).error == "invalid_grant", "\(changes)")
    }
    #expect(try await exchange(code).error == nil)
    let (other, _) = try await self.code(Self.openID())
    for changes: [String: String?] in [
      ["client_id": "other", "client_secret": "secret of other"],
      ["redirect_uri": "https://twin.example/other"], ["redirect_uri": nil],
      ["code_verifier": String(repeating: "w", count: 43)],
    ] {
      let found = try await exchange(other, at: "/v2/openid/token", changes)
      #expect(found.error == "invalid_grant", "\(changes)")
    }
    #expect(try await exchange(other, at: "/v2/openid/token").error == nil)
  }

  @Test("A code goes to the address that was asked for, of those that the client has")
  func addresses() async throws {
    for address in [Self.address, Self.second] {
      let target = Self.delegation(["redirect_uri": address])
      let pressed = try await fixture.press("0", after: fixture.get(target))
      #expect(pressed.fields["Location"]?.hasPrefix(address + "?code=") == true)
    }
    let other = ["client_id": "other", "scope": "other", "redirect_uri": Self.third]
    let pressed = try await fixture.press("0", after: fixture.get(Self.delegation(other)))
    #expect(pressed.fields["Location"]?.hasPrefix(Self.third + "?code=") == true)
    for address in ["https://twin.example/three", Self.third] {
      let stranger = try await fixture.get(Self.delegation(["redirect_uri": address]))
      #expect(stranger.status == 400 && stranger.fields["Location"] == nil)
    }
  }

  @Test("Rules that give no token are told of at once, and not when the code comes")
  func withoutRules() async throws {
    for (realm, word) in [("mute", "?error="), ("twin", "?code=")] {
      let pressed = try await fixture.press(
        "0", after: fixture.get(Self.delegation(["scope": realm])))
      #expect(pressed.fields["Location"]?.hasPrefix(Self.address + word) == true)
    }
  }

  @Test("A code of one protocol is none in the other, even where everything else fits")
  func kinds() async throws {
    let (delegated, _) = try await code(Self.delegation())
    #expect(try await exchange(delegated, at: "/v2/openid/token").error == "invalid_grant")
    #expect(try await exchange(delegated).error == nil)
    let (openID, _) = try await code(Self.openID())
    #expect(try await exchange(openID).error == "invalid_grant")
    #expect(try await exchange(openID, at: "/v2/openid/token").error == nil)
  }

  @Test("RFC 7636, 4.1: A verifier is 43 to 128 characters, whatever its hash is")
  func verifiers() async throws {
    for (count, error) in [(42, "invalid_grant"), (129, "invalid_grant"), (128, nil)] {
      let verifier = String(repeating: "v", count: count)
      let proof = ["code_challenge": Self.challenge(verifier)]
      let delegated = try await code(Self.delegation(proof)).code
      #expect(try await exchange(delegated, ["code_verifier": verifier]).error == error)
      let openID = try await code(Self.openID(proof)).code
      let found = try await exchange(openID, at: "/v2/openid/token", ["code_verifier": verifier])
      #expect(found.error == error)
    }
  }

  @Test("SVC-4: A challenge comes with its method, and the method is S256")
  func methods() async throws {
    for changes: [String: String?] in [
      ["code_challenge_method": nil], ["code_challenge_method": "plain"], ["code_challenge": nil],
    ] {
      for target in [Self.delegation(changes), Self.openID(changes)] {
        let location = try await fixture.get(target).fields["Location"] ?? ""
        #expect(location.hasPrefix(Self.address + "?error=invalid_request"), "\(target)")
      }
    }
  }

  @Test("SVC-11: A refresh token is good for its client and its realm, each by itself")
  func refreshTokens() async throws {
    let (code, _) = try await code(Self.delegation())
    let token = try #require(try await exchange(code).json["refresh_token"]?.string)
    let refresh: [String: String?] = ["grant_type": "refresh_token", "refresh_token": token]
    for changes: [String: String?] in [
      ["client_id": "other", "client_secret": "secret of other"], ["scope": "other"],
      ["refresh_token": token + "A"], ["refresh_token": code],
      ["refresh_token": String(repeating: "A", count: 257)],
    ] {
      let found = try await exchange("", refresh.merging(changes) { $1 })
      #expect(found.error == "invalid_grant", "\(changes)")
    }
    #expect(try await exchange("", refresh).error == nil)
  }

  @Test("A refresh token lasts thirty days")
  func refreshTokensEnd() async throws {
    for (seconds, error) in [(2_591_999, nil), (2_592_000, "invalid_grant")] as [(Int64, String?)] {
      let (code, _) = try await code(Self.delegation())
      let token = try #require(try await exchange(code).json["refresh_token"]?.string)
      fixture.clock.advance(bySeconds: seconds)
      let found = try await exchange("", ["grant_type": "refresh_token", "refresh_token": token])
      #expect(found.error == error)
    }
  }

  @Test("SVC-3: After sign-out no refresh token of the session gives anything")
  func signedOut() async throws {
    let (code, cookies) = try await code(Self.delegation())
    let (stays, _) = try await self.code(Self.delegation())
    let tokens = [
      try #require(try await exchange(code).json["refresh_token"]?.string),
      try #require(try await exchange(stays).json["refresh_token"]?.string),
    ]
    try await fixture.signOut(cookies, at: "/v2/wsfederation?wa=wsignout1.0")
    for (token, error) in zip(tokens, ["invalid_grant", nil]) {
      let found = try await exchange("", ["grant_type": "refresh_token", "refresh_token": token])
      #expect(found.error == error)
    }
  }

  @Test("SVC-3: A sign-in gives one code, however often its form is sent")
  func onceEach() async throws {
    for target in [Self.delegation(), Self.openID()] {
      let begun = try await fixture.get(target)
      let page = try HTTPURL(try #require(begun.fields["Location"])).target
      let first = try await fixture.press("0", at: page, cookies: begun.cookies)
      #expect(first.fields["Location"]?.contains("code=") == true)
      let again = try await fixture.press("0", at: page, cookies: begun.cookies)
      #expect(again.status == 400 && again.text.contains("code signin.finished"))
    }
  }

  @Test("Where nobody may be asked, the only provider asks nobody either")
  func passive() async throws {
    let silent = try await fixture.get(Self.openID(["prompt": "none"])).fields["Location"] ?? ""
    #expect(silent.hasPrefix(Self.address + "?error=login_required"))
    let asked = try await fixture.get(Self.openID(["prompt": "login"])).fields["Location"] ?? ""
    #expect(asked.hasPrefix("https://acs.example/v2/sign-in?cx="))
  }

  @Test("RFC 6749, 2.3.1: A client names itself once, in the header or in the form")
  func clients() async throws {
    func basic(_ name: String) -> String {
      "Basic " + Base64.encode(Array("\(name):secret+of+\(name)".utf8))
    }
    let (code, _) = try await code(Self.openID())
    let bare: [String: String?] = ["client_id": nil, "client_secret": nil]
    for (changes, name) in [
      ([:], "twin"), (["client_secret": nil], "other"), (["client_id": nil], "twin"),
    ] as [([String: String?], String)] {
      let found = try await exchange(
        code, at: "/v2/openid/token", changes, authorization: basic(name))
      #expect(found.error == "invalid_client", "\(changes)")
    }
    let found = try await exchange(
      code, at: "/v2/openid/token", bare, authorization: basic("twin"))
    #expect(found.error == nil)
  }
}
