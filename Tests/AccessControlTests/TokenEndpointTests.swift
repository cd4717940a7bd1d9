import AccessControl
import HTTPExchange
import SAML
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

@Suite("The token endpoints of the local Access Control Service")
struct TokenEndpointTests {
  private let fixture: SiteFixture
  private let realm = "uri:talks.example.org"

  init() throws { fixture = try SiteFixture() }

  private func verified(_ token: [UInt8]) throws -> ClaimSet {
    try TokenValidator(fixture.trust(realm)).validate(
      AnyToken(reading: token), at: SiteFixture.now
    ).claims
  }

  /// What a service identity says about itself: who, and until when.
  private static let claims = "Issuer=uploader&ExpiresOn=\(SiteFixture.now.seconds + 300)"

  private func assertion(_ pairs: String, key: UInt8 = 8) throws -> String {
    let key = try SymmetricKey(bytes: [UInt8](repeating: key, count: 32))
    let mac = key.authenticate(pairs.utf8.span, with: .sha256) ?? []
    return pairs + "&HMACSHA256=" + FormEncoding.encode(Base64.encode(mac))
  }

  @Test("WRAP: a password or an assertion gives a token, encoded twice")
  func wrap() async throws {
    let name = [("wrap_name", "uploader"), ("wrap_password", "pass word"), ("wrap_scope", realm)]
    let asserted = [
      ("wrap_assertion_format", "SWT"), ("wrap_assertion", try assertion(Self.claims)),
      ("wrap_scope", realm),
    ]
    for (fields, path) in [(name, "/WRAPv0.9"), (name, "/WRAPv0.9/"), (asserted, "/WRAPv0.9/")] {
      let response = try await fixture.post(path, fields)
      #expect(response.status == 200)
      #expect(
        response.fields["Content-Type"]?.hasPrefix("application/x-www-form-urlencoded") == true)
      let form = try FormReader(response.body)
      #expect(form["wrap_access_token_expires_in"] == "599")
      let claims = try verified(Array((form["wrap_access_token"] ?? "").utf8))
      #expect(claims.single("urn:program") == "uploader")
      #expect(claims.single(.identityProvider) == "https://acs.example/")
    }
  }

  @Test("WRAP: each refusal has its number and status")
  func wrapRefusals() async throws {
    let scope = ("wrap_scope", realm)
    let swt = ("wrap_assertion_format", "SWT")
    for (fields, number, status) in [
      ([("wrap_name", "uploader"), ("wrap_password", "x"), scope], "ACS50012", 401),
      ([("wrap_name", "x"), ("wrap_password", "pass word"), scope], "ACS50012", 401),
      (
        [("wrap_name", "uploader"), ("wrap_password", "pass word"), ("wrap_scope", "uri:x")],
        "ACS50001", 400
      ),
      ([("wrap_name", "uploader"), scope], "ACS90011", 400), ([], "ACS90011", 400),
      (
        [swt, ("wrap_assertion", try assertion(Self.claims, key: 9)), scope], "ACS50006", 401
      ),
      ([swt, ("wrap_assertion", try assertion("Issuer=stranger")), scope], "ACS50026", 401),
      (
        [swt, ("wrap_assertion", try assertion(Self.claims + "&Audience=uri%3ax")), scope],
        "ACS50010", 401
      ),
      (
        [swt, ("wrap_assertion", try assertion("Issuer=uploader&ExpiresOn=1")), scope],
        "ACS50009", 401
      ),
      ([swt, ("wrap_assertion", "a=b"), scope], "ACS50006", 401),
      (
        [("wrap_assertion_format", "SAML"), ("wrap_assertion", "<a/>"), scope], "ACS50008", 401
      ),
      ([("wrap_assertion_format", "X"), ("wrap_assertion", "x"), scope], "ACS70003", 400),
    ] as [([(String, String)], String, Int)] {
      let response = try await fixture.post("/WRAPv0.9", fields)
      #expect(response.status == status, "\(number): \(response.text)")
      #expect(response.text.hasPrefix("Error:Code:\(status):SubCode:T0:Detail:\(number): "))
      #expect(!response.text.contains("pass word"))
      #expect(response.fields["Retry-After"] == nil)
    }
    let method = try await fixture.post("/WRAPv0.9", [], method: "PUT")
    #expect(method.status == 405 && method.text.contains("ACS90007"))
    let silent = try await fixture.post(
      "/WRAPv0.9",
      [("wrap_name", "uploader"), ("wrap_password", "pass word"), ("wrap_scope", "uri:silent")])
    #expect(silent.status == 401 && silent.text.contains("ACS60001"))
  }

  @Test("WRAP: a certificate that is missing or has ended has its number, and a good one passes")
  func wrapCertificates() async throws {
    func asserted(_ name: String, by signer: String) async throws -> HTTPExchange.HTTPResponse {
      let key = try SigningKey(
        PrivateKey(pemOrDER: TestVector.bytes("keys/\(signer).key")),
        certificate: SiteFixture.certificate(signer))
      let draft = TokenDraft(
        issuer: name, audiences: ["https://acs.example/"], subject: name,
        issuedAt: fixture.clock.now)
      let assertion = try SAMLIssuer(.v2, key: key).assertion(draft)
      return try await fixture.post(
        "/WRAPv0.9",
        [
          ("wrap_assertion_format", "SAML"),
          ("wrap_assertion", String(decoding: assertion, as: UTF8.self)), ("wrap_scope", realm),
        ])
    }
    #expect(try await asserted("idp-rsa", by: "idp-rsa").status == 200)
    for (name, signer, number) in [
      ("uploader", "idp-rsa", "ACS50016"), ("expired", "expired", "ACS50017"),
      ("idp-rsa", "other-rsa", "ACS50006"),
    ] {
      let response = try await asserted(name, by: signer)
      #expect(
        response.status == 401 && response.text.contains("Detail:\(number): "),
        "\(name): \(response.text)")
    }
  }

  @Test("More requests than the namespace allows are told to wait, and later ones pass")
  func rate() async throws {
    let fixture = try SiteFixture(limit: 3)
    let fields = [("wrap_name", "uploader"), ("wrap_password", "pass word"), ("wrap_scope", realm)]
    var statuses: [Int] = []
    for _ in 0..<5 { statuses.append(try await fixture.post("/WRAPv0.9", fields).status) }
    #expect(statuses == [200, 200, 200, 429, 429])
    let refused = try await fixture.post("/v2/OAuth2-13", [("grant_type", "x")])
    #expect(refused.text.contains("ACS90055") && refused.fields["Retry-After"] == "1")
    #expect(refused.text.contains("issuing.rate"))
    fixture.clock.advance(bySeconds: 1)
    #expect(try await fixture.post("/WRAPv0.9", fields).status == 200)
  }

  private func oauth(_ fields: [(String, String)]) async throws -> (Int, JSONValue) {
    let response = try await fixture.post("/v2/OAuth2-13/", fields)
    return (response.status, try JSONParser.parse(response.body))
  }

  @Test("OAuth 2.0 draft 13: credentials or an assertion give a token, with the service's types")
  func credentials() async throws {
    for fields in [
      [
        ("grant_type", "client_credentials"), ("client_id", "uploader"),
        ("client_secret", "pass word"), ("scope", realm),
      ],
      [
        ("grant_type", "http://oauth.net/grant_type/swt/1.0/bearer"),
        ("assertion", try assertion(Self.claims)), ("scope", realm),
      ],
    ] {
      let (status, json) = try await oauth(fields)
      #expect(
        status == 200 && json["expires_in"]?.string == "600" && json["scope"]?.string == realm)
      #expect(
        json["token_type"]?.string
          == "http://schemas.xmlsoap.org/ws/2009/11/swt-token-profile-1.0")
      let claims = try verified(Array((json["access_token"]?.string ?? "").utf8))
      #expect(claims.single("urn:program") == "uploader")
    }
  }

  @Test("SVC-11: An assertion has one use in each form that old clients send it in")
  func oneUse() async throws {
    let draft = TokenDraft(
      issuer: "idp-rsa", audiences: ["https://acs.example/"], subject: "idp-rsa",
      issuedAt: fixture.clock.now)
    let assertion = try Self.issuer().assertion(draft)
    let bearer = "http://oauth.net/grant_type/saml/2.0/bearer"
    for (text, grant) in [
      (String(decoding: assertion, as: UTF8.self), bearer),
      (Base64.encode(assertion, .url), bearer),
      (Base64.encode(assertion, .url), "urn:ietf:params:oauth:grant-type:saml2-bearer"),
    ] {
      let fields = [("grant_type", grant), ("assertion", text), ("scope", realm)]
      #expect(try await fixture.post("/v2/OAuth2-13", fields).status == 200)
      let again = try await fixture.post("/v2/OAuth2-13", fields)
      #expect(again.status == 401 && again.text.contains("replay.used"), "\(again.text)")
    }
  }

  private static func issuer() throws -> SAMLIssuer {
    SAMLIssuer(
      .v2,
      key: try SigningKey(
        PrivateKey(pemOrDER: TestVector.bytes("keys/idp-rsa.key")),
        certificate: SiteFixture.certificate("idp-rsa")))
  }

  @Test("RFC 7522, 3: an assertion that names a recipient is for that endpoint alone")
  func recipients() async throws {
    for (recipient, isTaken) in [
      ("https://acs.example/v2/OAuth2-13", true), ("https://acs.example/v2/OAuth2-13/", true),
      ("https://acs.example/WRAPv0.9", false), ("https://acs.example/v2/openid/token", false),
    ] {
      let draft = TokenDraft(
        issuer: "idp-rsa", audiences: ["https://acs.example/"], subject: "idp-rsa",
        issuedAt: fixture.clock.now)
      let assertion = try Self.issuer().assertion(
        draft, delivery: SAMLDelivery(recipient: recipient))
      let response = try await fixture.post(
        "/v2/OAuth2-13",
        [
          ("grant_type", "urn:ietf:params:oauth:grant-type:saml2-bearer"),
          ("assertion", Base64.encode(assertion, .url)), ("scope", realm),
        ])
      #expect((response.status == 200) == isTaken, "\(recipient): \(response.text)")
      #expect(response.text.contains("subject.recipient-mismatch") == !isTaken)
    }
  }

  /// Signs in for a code, and returns it.
  private func code(challenge: String? = nil) async throws -> String {
    var target =
      "/v2/OAuth2-13/authorize?response_type=code&client_id=uploader&whr=Google&state=s%26t"
      + "&scope=uri%3Atalks.example.org&redirect_uri=https%3A%2F%2Fapp.example%2Fcode"
    if let challenge { target += "&code_challenge_method=S256&code_challenge=" + challenge }
    let response = try await fixture.press("0", after: fixture.get(target))
    let location = try HTTPURL(try #require(response.fields["Location"]))
    #expect(location.origin.host == "app.example" && location.path == "/code")
    let query = try FormReader((location.query ?? "").utf8)
    #expect(query["state"] == "s&t")
    return try query.require("code")
  }

  private func exchange(
    _ code: String, _ changes: [String: String] = [:]
  ) async throws -> (Int, JSONValue) {
    var fields = [
      "grant_type": "authorization_code", "client_id": "uploader", "client_secret": "pass word",
      "scope": realm, "redirect_uri": "https://app.example/code", "code": code,
    ]
    fields.merge(changes) { $1 }
    return try await oauth(fields.map { ($0.key, $0.value) })
  }

  @Test("A code gives one token and one refresh token, which gives the next")
  func codes() async throws {
    let code = try await code()
    let (status, json) = try await exchange(code)
    #expect(status == 200)
    let claims = try verified(Array((json["access_token"]?.string ?? "").utf8))
    #expect(claims.single(.emailAddress) == "mia@example.org")
    let refresh = try #require(json["refresh_token"]?.string)
    let renewed = try await exchange(
      "", ["grant_type": "refresh_token", "refresh_token": refresh])
    #expect(renewed.0 == 200 && renewed.1["refresh_token"]?.string != refresh)
    // SVC-11: whoever brings a used one ends its successors, too.
    let next = try #require(renewed.1["refresh_token"]?.string)
    let twice = try await exchange("", ["grant_type": "refresh_token", "refresh_token": refresh])
    #expect(twice.0 == 400 && twice.1["error"]?.string == "invalid_grant")
    let ended = try await exchange("", ["grant_type": "refresh_token", "refresh_token": next])
    #expect(ended.0 == 400)
  }

  @Test("A refresh token ends with the person's provider at the relying party, and a code as well")
  func withdrawnProvider() async throws {
    let refresh = try #require(try await exchange(code()).1["refresh_token"]?.string)
    let code = try await code()
    let before = fixture.site.store.current
    var parties = before.relyingParties
    for place in parties.indices { parties[place].providers = [] }
    fixture.site.store.replace(
      with: try ServiceNamespace(
        issuer: before.issuer, relyingParties: parties, providers: before.providers,
        identities: before.identities, ruleGroups: before.ruleGroups, keys: before.keys))
    let refreshing = ["grant_type": "refresh_token", "refresh_token": refresh]
    for changes in [refreshing, ["code": code]] {
      let (status, json) = try await exchange("", changes)
      let said = json["error_description"]?.string ?? ""
      #expect(status == 400 && said.contains("(issuing.unknown-provider)"), "\(said)")
      #expect(json["error"]?.string == "invalid_grant")
    }
  }

  @Test("A service identity is counted by its name for what it asserts, too")
  func assertionRates() async throws {
    let fixture = try SiteFixture(fixture.site.store.current, rates: RequestRates(perIdentity: 2))
    func status(_ number: Int64) async throws -> Int {
      let claims = "Issuer=uploader&ExpiresOn=\(SiteFixture.now.seconds + 300 + number)"
      return try await fixture.post(
        "/WRAPv0.9",
        [
          ("wrap_assertion_format", "SWT"), ("wrap_assertion", assertion(claims)),
          ("wrap_scope", realm),
        ]
      ).status
    }
    #expect(try await status(1) == 200)
    #expect(try await status(2) == 200)
    #expect(try await status(3) == 429)
    fixture.clock.advance(bySeconds: 1)
    #expect(try await status(4) == 200)
  }

  @Test("A code that comes a second time is refused, and ends what the first use gave")
  func codeTwice() async throws {
    let code = try await code()
    let (status, json) = try await exchange(code)
    #expect(status == 200)
    let refresh = try #require(json["refresh_token"]?.string)
    let again = try await exchange(code)
    #expect(again.0 == 400 && again.1["error"]?.string == "invalid_grant")
    #expect(again.1["error_description"]?.string?.hasPrefix("ACS70008: ") == true)
    let renewed = try await exchange(
      "", ["grant_type": "refresh_token", "refresh_token": refresh])
    #expect(renewed.0 == 400 && renewed.1["error"]?.string == "invalid_grant")
  }

  @Test("A code is good for its client, its address, its proof and its time alone")
  func boundCodes() async throws {
    let verifier = String(repeating: "v", count: 43)
    let digest = DigestAlgorithm.sha256.digest(of: Array(verifier.utf8)) ?? []
    let code = try await code(challenge: Base64.encode(digest, .url))
    for (changes, number) in [
      (["client_id": "stranger"], "ACS70001"), (["client_secret": "x"], "ACS70002"),
      (["redirect_uri": "https://app.example/other"], "ACS70008"),
      (["scope": "uri:silent"], "ACS70008"), (["code_verifier": verifier + "x"], "ACS70008"),
      ([:], "ACS70008"), (["code": code + "A"], "ACS70008"),
      (["grant_type": "refresh_token", "refresh_token": code], "ACS70008"),
      (["grant_type": "password"], "ACS70003"), (["scope": "uri:x"], "ACS50001"),
    ] {
      let (status, json) = try await exchange(code, changes)
      #expect(status >= 400, "\(changes)")
      #expect(json["error_description"]?.string?.hasPrefix(number) == true, "\(changes)")
    }
    #expect(try await exchange(code, ["code_verifier": verifier]).0 == 200)
    let late = try await self.code()
    fixture.clock.advance(bySeconds: 900)
    #expect(try await exchange(late).0 == 400)
  }

  @Test("A client that may not ask is told at its address, and one that is unknown here")
  func delegation() async throws {
    let base =
      "&scope=uri%3Atalks.example.org&redirect_uri=https%3A%2F%2Fapp.example%2Fcode&state=s"
    let wrong = try await fixture.get(
      "/v2/OAuth2-13/authorize?response_type=token&client_id=uploader" + base)
    #expect(
      wrong.fields["Location"]?.hasPrefix("https://app.example/code?error=invalid_request") == true)
    let unknown = try await fixture.get(
      "/v2/OAuth2-13/authorize?response_type=code&client_id=stranger" + base)
    #expect(unknown.status == 401 && unknown.text.contains("ACS70001"))
    let cancelled = try await fixture.press(
      "cancel",
      after: fixture.get(
        "/v2/OAuth2-13/authorize?response_type=code&client_id=uploader&whr=Google" + base))
    #expect(
      cancelled.fields["Location"]?.hasPrefix("https://app.example/code?error=access_denied")
        == true)
  }

  @Test("While no code can be kept the client is told that it is not its fault")
  func unkeptCode() async throws {
    for (most, name) in [(0, "error=temporarily_unavailable"), (2, "code=")] {
      let fixture = try SiteFixture(mostValues: most)
      let page = try await fixture.get(
        "/v2/OAuth2-13/authorize?response_type=code&client_id=uploader&whr=Google"
          + "&scope=uri%3Atalks.example.org&redirect_uri=https%3A%2F%2Fapp.example%2Fcode&state=s")
      let answer = try await fixture.press("0", after: page)
      #expect(
        answer.fields["Location"]?.hasPrefix("https://app.example/code?\(name)") == true,
        "\(answer.fields["Location"] ?? "nowhere")")
    }
  }

  @Test("Every code of the issuing family has a number of Access Control Service")
  func numbers() {
    // Section 2.12 of the protocol reference.
    let table: [(TokenError.Code, Int, Int)] = [
      (.issuingRealm, 50_001, 400), (.issuingReplyAddress, 50_011, 400),
      (.issuingCredentials, 50_012, 401), (.issuingCancelled, 50_019, 401),
      (.issuingNoSymmetricKey, 50_003, 500), (.issuingNoCertificate, 50_004, 500),
      (.issuingNoEncryption, 50_005, 500), (.issuingRequest, 20_000, 400),
      (.issuingProvider, 20_000, 400), (.issuingField, 90_011, 400),
      (.issuingMethod, 90_007, 405), (.issuingGrantType, 70_003, 400),
      (.issuingGrant, 70_008, 400), (.issuingClient, 70_001, 401),
      (.issuingClientSecret, 70_002, 401), (.issuingRate, 90_055, 429),
      (.issuingSOAPMessage, 10_000, 400), (.issuingSOAPHeader, 10_001, 400),
      (.issuingSOAPBody, 10_002, 400), (.issuingSOAPSecurity, 10_003, 400),
      (.issuingMetadata, 20_002, 400), (.issuingMetadataImport, 20_003, 400),
      (.issuingMetadataUnavailable, 20_002, 503), (.issuingRulesChanged, 90_004, 409),
      (.rulesNoOutput, 60_001, 401), (.rulesTooManyClaims, 60_000, 500),
      (.rulesTooManyPasses, 60_000, 500), (.issuingNoIdentifierKey, 50_003, 500),
      (.issuingSAMLRequest, 20_000, 400), (.issuingAuthorizationRequest, 20_000, 400),
      (.issuingSignIn, 20_000, 400), (.issuingNameFormat, 20_000, 400),
      (.issuingSubject, 20_001, 400), (.issuingFreshness, 20_001, 400),
      (.issuingReservedClaim, 60_000, 500), (.issuingPassword, 50_012, 401),
      (.issuingAdminRole, 50_012, 403), (.issuingProtocol, 20_000, 400),
      (.issuingUnencrypted, 20_000, 400),
    ]
    for (code, number, status) in table {
      let found = ACSRefusal(TokenError(code))
      #expect(found.number.number == number && found.status == status, "\(code.rawValue)")
    }
    // What the provider or an assertion says has a number for each kind; the file's errors have none.
    #expect(table.count == TokenError.Code.issuingCodes.count - 5)
    for (error, place, number, status) in [
      (TokenError(.issuingNoEncryption), .request, 50_005, 500),
      (TokenError(.transportTimeout), .provider(.openID), 90_005, 504),
      (TokenError(.signatureInvalid), .provider(.openID), 30_001, 400),
      (TokenError(.issuingProviderAnswer), .provider(.facebook), 40_000, 400),
      (TokenError(.transportStatus, node: "token_endpoint"), .provider(.facebook), 40_001, 400),
      (TokenError(.digestMismatch), .provider(.federation), 20_001, 400),
      (TokenError(.noKey), .assertion(.saml20), 50_016, 401),
      (TokenError(.weakKey), .assertion(.saml20), 50_017, 401),
      (TokenError(.expired), .assertion(.jwt), 50_027, 401),
      (TokenError(.rulesTooManyClaims), .request, 60_000, 500),
      (TokenError(.replayStoreFull), .request, 90_046, 503),
      (TokenError(.signInSessionStore), .request, 60_021, 503),
      (TokenError(.unreadableKey), .request, 50_000, 500),
      (TokenError(.mintCharacter), .provider(.federation), 20_001, 400),
      (TokenError(.mintClaimType), .request, 60_000, 400),
      (TokenError(.rulesTooManyClaims, node: "input", .givenClaims), .request, 60_000, 400),
      (TokenError(.issuingAssertion), .assertion(.swt), 50_009, 401),
      (TokenError(.signatureMissing), .request, 20_000, 400),
    ] as [(TokenError, ACSRefusal.Place, Int, Int)] {
      let code = ACSRefusal(error, at: place)
      #expect(code.number.number == number && code.status == status, "\(error)")
    }
  }
}
