import Claims
import ClientScript
import Federation
import TokenBasics
@testable import FederationClient
import Foundation
import HTTPExchange
import SecrecyTesting
import TestSupport
import Testing

@Suite("Token endpoints")
struct TokenEndpointTests {
  static let password = WRAPGrant.password(name: "uploader", password: Secret("c2Vj+cmV0"))
  static let oauthClient = OAuthClient(id: "uploader", secret: Secret("s3cr&et"))

  static func wrapBody(_ token: String = ACS.shortSWT, _ rest: String = "") -> String {
    "wrap_access_token=" + String(decoding: ACS.form([("x", token)]), as: UTF8.self).dropFirst(2)
      + rest
  }

  static func wrap(
    _ response: HTTPResponse, _ grant: WRAPGrant = password
  ) async throws -> AccessControlToken {
    try await ACS.client(ScriptedTransport([response])).token(grant)
  }

  static func json(
    _ token: String, type: String = ACS.swtType, expires: String = "\"600\"", _ rest: String = ""
  ) -> String {
    let escaped = token.replacingOccurrences(of: "&", with: "\\u0026")
      .replacingOccurrences(of: "\"", with: "\\\"").replacingOccurrences(of: "\n", with: "\\n")
    return """
      {"token_type":"\(type)","access_token":"\(escaped)","expires_in":\(expires),\
      "scope":"uri:talks.example.org"\(rest)}
      """
  }

  static func oauth(_ body: String) async throws -> AccessControlToken {
    try await ACS.client(ScriptedTransport([.json(body)])).token(
      .clientCredentials, client: oauthClient)
  }

  @Test(
    "A session contains the issuer's claims after the trust's projection",
    arguments: [
      (ClaimProjection.all, "role", "editor,speaker"),
      (.stripping(ClaimType.identityPrefix), "emailaddress", "mia+news@example.org"),
      (ClaimProjection(prefixes: ["urn:nothing/"]), "", ""),
    ])
  func projected(_ projection: ClaimProjection, name: String, value: String) async throws {
    var trust = try ACS.trust()
    trust.issuers[0].projection = projection
    let service = try ACS.service()
    let token = try AccessControlToken(
      Array(ACS.swt.utf8), service: service, trust: trust, at: ACS.now)
    let session = try token.session(scheme: .bearer, at: ACS.now)
    let type =
      projection == .all ? ClaimType.role : ClaimType(name)
    #expect(session.claims[type] == (value.isEmpty ? [] : [value]))
    #expect(session.claims.isEmpty == value.isEmpty)
    // Subject and provider's token are read from all claims.
    #expect(session.principal == Principal(authority: ACS.facebook, subject: "100004711"))
    #expect(session.provider == ACS.facebook)
    #expect(session.providerTokens.map { $0.reveal() } == ["AAAB1+x/y="])
  }

  // MARK: WRAP

  @Test("S3 WRAP sends its three profiles as a form and decodes the answer exactly once")
  func wrapProfiles() async throws {
    let answer = HTTPResponse.form(
      "wrap_access_token=role%3Deditor%26Audience%3Duri%253atalks.example.org%26ExpiresOn%3D1893456000%26Issuer%3Dhttps%253a%252f%252ftalksns.accesscontrol.windows.net%252f%26HMACSHA256%3Dhw1o9yxeQG1ioH6X6vYXmldC8hJkSml1ogBHvpZSzVc%253d&wrap_access_token_expires_in=1199"
    )
    let transport = ScriptedTransport([answer, answer, answer])
    let client = try ACS.client(transport)
    let token = try await client.token(Self.password)
    #expect(token.verified.claims["role"] == ["editor"])
    #expect(token.secret.revealed == ACS.shortSWT)
    _ = try await client.token(.swtAssertion(Secret("Issuer=uploader&HMACSHA256=x%3D")))
    _ = try await client.token(.samlAssertion(Secret("<Assertion a=\"b\"/>")))
    #expect(transport.requests.allSatisfy { $0.method == .post })
    #expect(
      transport.requests.map(\.url.text)
        == Array(
          repeating: "https://talksns.accesscontrol.windows.net/WRAPv0.9", count: 3))
    #expect(
      transport.requests.allSatisfy {
        $0.fields["Content-Type"] == "application/x-www-form-urlencoded"
      })
    #expect(
      transport.requests.map { $0.parameters.map { "\($0.name)=\($0.value)" } } == [
        ["wrap_name=uploader", "wrap_password=c2Vj+cmV0", "wrap_scope=uri:talks.example.org"],
        [
          "wrap_assertion_format=SWT", "wrap_assertion=Issuer=uploader&HMACSHA256=x%3D",
          "wrap_scope=uri:talks.example.org",
        ],
        [
          "wrap_assertion_format=SAML", "wrap_assertion=<Assertion a=\"b\"/>",
          "wrap_scope=uri:talks.example.org",
        ],
      ])
    let key = try SymmetricKey(bytes: Array(0..<32))
    guard
      case .swtAssertion(let assertion) = try WRAPGrant.selfSigned(
        issuer: "uploader", key: key, at: ACS.now)
    else {
      Issue.record("not an assertion")
      return
    }
    let text = assertion.revealed
    let mark = try #require(text.firstRange(of: "&HMACSHA256="))
    let signed = text[..<mark.lowerBound]
    #expect(
      signed.hasPrefix("Issuer=uploader&ExpiresOn=\(ACS.now.advanced(bySeconds: 300).seconds)&id="))
    let octets = Array(signed.utf8)
    let mac = key.authenticate(octets.span, with: .sha256)
    #expect(
      text[mark.upperBound...].removingPercentEncoding.map { Array($0.utf8) }
        == Array(Base64.encode(mac ?? []).utf8))
  }

  @Test(
    "S3 The lifetime of a WRAP answer is optional, may be misspelled, and never lengthens a token")
  func wrapLifetime() async throws {
    let end = Instant(secondsSinceEpoch: 1_893_456_000)
    for (rest, expires) in [
      ("", end), ("&wrap_access_token_expires_in=1199", end),
      ("&wrap_acess_token_expires_in=60", ACS.now.advanced(bySeconds: 60)),
    ] {
      let token = try await Self.wrap(.form(Self.wrapBody(ACS.shortSWT, rest)))
      #expect(token.expires == expires)
    }
  }

  @Test(
    "RP-17 A WRAP answer that is not one is refused",
    arguments: [
      (HTTPResponse.of(200, "text/html", wrapBody()), TokenError.Code.clientContentType),
      (.of(200, nil, wrapBody()), .clientContentType), (.json(wrapBody()), .clientContentType),
      (.form(wrapBody() + "&wrap_access_token=x"), .clientDuplicateParameter),
      (.form(wrapBody() + "&Wrap_Access_Token=x"), .clientDuplicateParameter),
      (.form("wrap_access_token="), .clientParameter), (.form(""), .clientParameter),
      (.form("access_token=x"), .clientParameter),
      (.form(wrapBody() + "&wrap_access_token_expires_in=-1"), .clientParameter),
      (.form(wrapBody() + "&wrap_access_token_expires_in=0"), .clientParameter),
      (.form(wrapBody() + "&wrap_access_token_expires_in=99999999999"), .clientParameter),
      (.form(wrapBody() + "&wrap_access_token_expires_in=+60"), .clientParameter),
      (.of(302, "text/html"), .transportRedirect),
    ])
  func wrapRefuses(response: HTTPResponse, code: TokenError.Code) async throws {
    await expect(throws: TokenError(code)) { try await Self.wrap(response) }
  }

  @Test("RP-17 A token that was encoded twice, or changed, is rejected")
  func wrapToken() async throws {
    let twice = String(decoding: ACS.form([("x", ACS.shortSWT)]), as: UTF8.self).dropFirst(2)
    for token in [
      String(twice), ACS.shortSWT.replacingOccurrences(of: "editor", with: "admin1"), ACS.jwt,
    ] {
      await expect(throws: TokenError.self) { try await Self.wrap(.form(Self.wrapBody(token))) }
    }
    _ = try await Self.wrap(.form(Self.wrapBody()))
  }

  // MARK: OAuth

  @Test("S3 OAuth 2 draft 13 sends each grant as a form to its endpoint")
  func oauthGrants() async throws {
    let body = Self.json(ACS.shortSWT, expires: "600", ",\"refresh_token\":\"r2\"")
    let transport = ScriptedTransport { (_) throws(TokenError) in .json(body) }
    let client = try ACS.client(transport)
    let redirect = try HTTPURL("https://talks.example.org/cb")
    let proofKey = ProofKey(verifier: Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
    #expect(proofKey.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    for grant in [
      OAuthGrant.clientCredentials,
      .authorizationCode(Secret("co+de"), redirectURI: redirect, proofKey: nil),
      .authorizationCode(Secret("code"), redirectURI: redirect, proofKey: proofKey),
      .refreshToken(Secret("r1")), .assertion(Secret(ACS.shortSWT), .swt),
    ] {
      let token = try await client.token(grant, client: Self.oauthClient)
      #expect(token.refreshToken?.revealed == "r2")
    }
    let id = ["client_id=uploader", "client_secret=s3cr&et"]
    let scope = ["scope=uri:talks.example.org"]
    #expect(
      transport.requests[0].url.text == "https://talksns.accesscontrol.windows.net/v2/OAuth2-13")
    #expect(
      transport.requests.map { $0.parameters.map { "\($0.name)=\($0.value)" } } == [
        ["grant_type=client_credentials"] + id + scope,
        ["grant_type=authorization_code"] + id
          + ["code=co+de", "redirect_uri=https://talks.example.org/cb"] + scope,
        ["grant_type=authorization_code"] + id
          + [
            "code=code", "redirect_uri=https://talks.example.org/cb",
            "code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
          ] + scope,
        ["grant_type=refresh_token"] + id + ["refresh_token=r1"] + scope,
        [
          "grant_type=http://oauth.net/grant_type/swt/1.0/bearer", "assertion=\(ACS.shortSWT)",
        ] + scope,
      ])
  }

  @Test("S3 The OAuth answer's token is verified in all four formats")
  func oauthFormats() async throws {
    let saml11 = String(decoding: try ACS.saml(.v1).assertion(ACS.draft()), as: UTF8.self)
    let saml20 = String(decoding: try ACS.saml(.v2).assertion(ACS.draft()), as: UTF8.self)
    for (format, text, type) in [
      (TokenFormat.swt, ACS.swt, ACS.swtType), (.jwt, ACS.jwt, ACS.jwtType),
      (.saml11, saml11, "urn:oasis:names:tc:SAML:1.0:assertion"),
      (.saml20, saml20, "urn:oasis:names:tc:SAML:2.0:assertion"),
    ] {
      let token = try await Self.oauth(Self.json(text, type: type))
      #expect(token.verified.token.format == format)
      #expect(
        token.verified.claims.single(.nameIdentifier) == "100004711" || format == .saml11
          || format == .saml20)
      #expect(
        try token.session(scheme: .bearer, at: ACS.now).principal
          == Principal(authority: ACS.facebook, subject: "100004711"))
      // The response's token type must match the token.
      let other = format == .jwt ? ACS.swtType : ACS.jwtType
      await expect(throws: TokenError.self) {
        try await Self.oauth(Self.json(text, type: other))
      }
    }
    await expect(throws: TokenError(.macMismatch)) {
      try await Self.oauth(
        Self.json(ACS.swt.replacingOccurrences(of: "editor", with: "edit0r")))
    }
  }

  @Test(
    "RP-18 An OAuth answer that is not one is refused",
    arguments: [
      (
        HTTPResponse.of(200, "text/html", json(ACS.shortSWT)),
        TokenError.Code.transportMalformedResponse
      ),
      (.of(200, nil, json(ACS.shortSWT)), .clientContentType),
      (.json(json(ACS.shortSWT, ",\"scope\":\"x\"")), .duplicateJSONName),
      (.json(json(ACS.shortSWT, expires: "-1")), .transportMalformedResponse),
      (.json(json(ACS.shortSWT, expires: "1e3")), .transportMalformedResponse),
      (.json(json(ACS.shortSWT, expires: "true")), .transportMalformedResponse),
      (.json(json(ACS.shortSWT, expires: "\"99999999999\"")), .transportMalformedResponse),
      (.json(json(ACS.shortSWT, expires: "\"6 0\"")), .transportMalformedResponse),
      (.json(json(ACS.shortSWT, type: "Bearer")), .transportMalformedResponse),
      (.json(json("")), .transportMalformedResponse), (.json("[]"), .transportMalformedResponse),
      (.json(json(ACS.shortSWT) + "x"), .transportMalformedResponse),
      (.of(307), .transportRedirect),
    ])
  func oauthRefuses(response: HTTPResponse, code: TokenError.Code) async throws {
    await expect(throws: TokenError(code)) {
      try await ACS.client(ScriptedTransport([response])).token(
        .clientCredentials, client: Self.oauthClient)
    }
  }

  // MARK: Errors

  static let refusal =
    #"{"error":"invalid_client","error_description":"ACS50012: Authentication failed.\r\n"#
    + #"Trace ID: 0a0a\r\nCorrelation ID: 0b0b\r\nTimestamp: 2030-01-01 00:00:00Z"}"#

  @Test("S3 The service's errors are typed by their ACS code, else by their status")
  func errors() async throws {
    for (response, code, node) in [
      (HTTPResponse.json(Self.refusal, status: 400), TokenError.Code.clientCredentials, "ACS50012"),
      (
        .of(401, "text/plain", "Error:Code:401:SubCode:T0:Detail:ACS50006:TraceID:x"),
        .clientCredentials, "ACS50006"
      ),
      (.of(400, "text/html", "ACS50001 and ACS50012"), .clientRelyingParty, "ACS50001"),
      (.of(400, "text/html", "ACS500123 is none"), .clientRequestRefused, nil),
      (.of(401), .clientCredentials, nil),
      (.of(403, "text/plain", "ACS99999"), .clientCredentials, "ACS99999"),
      (.json(#"{"error":"invalid_scope"}"#, status: 400), .clientRequestRefused, nil),
      (.json(#"{"error":"invalid_grant"}"#, status: 400), .clientCredentials, nil),
      (.of(401, "text/plain", "ACS60001"), .clientNoClaims, "ACS60001"),
      (.of(400, "text/html", "<b>ACS50011: reply address</b>"), .clientRelyingParty, "ACS50011"),
    ] as [(HTTPResponse, TokenError.Code, String?)] {
      let transport = ScriptedTransport([response])
      let error = await expect(throws: TokenError(code)) {
        try await ACS.client(transport).token(.clientCredentials, client: Self.oauthClient)
      }
      #expect(error?.node == node)
      #expect(transport.requests.count == 1)
    }
  }

  @Test(
    "S3 Busy and failing responses are retried after 1, 2, 4 and 8 seconds, rejections never",
    arguments: [
      (429, "ACS90055", TokenError.Code.clientServiceBusy), (503, "ACS90046", .clientServiceBusy),
      (500, "", .clientServiceFailed), (500, "ACS50003", .clientServiceKey),
      (504, "ACS90005", .clientProviderFailed),
    ])
  func retries(status: Int, text: String, code: TokenError.Code) async throws {
    let time = ManualTime(ACS.now)
    let times = Mutexed<[Int64]>([])
    let transport = ScriptedTransport { (_) throws(TokenError) in
      times.withLock { $0.append(time.now.seconds - ACS.now.seconds) }
      return .of(status, "text/plain", text)
    }
    let client = try ACS.client(transport, time: time)
    await expect(throws: TokenError(code)) {
      try await time.hurrying { try await client.token(Self.password) }
    }
    #expect(times.current == [0, 1, 3, 7, 15])
    times.withLock { $0 = [] }
    let recovering = ScriptedTransport { (_) throws(TokenError) in
      times.withLock { $0.append(time.now.seconds) }
      return times.current.count < 3 ? .of(status) : .form(Self.wrapBody())
    }
    let patient = try ACS.client(recovering, time: time)
    _ = try await time.hurrying { try await patient.token(Self.password) }
    #expect(times.current.count == 3)
  }

  @Test("RP-9 A secret that the service echoes is in no error")
  func echoes() async throws {
    let echo =
      #"{"error":"invalid_client","error_description":"secret s3cr&et or s3cr%26et of "#
      + #"uploader is wrong"}"#
    do {
      _ = try await ACS.client(ScriptedTransport([.json(echo, status: 400)])).token(
        .clientCredentials, client: Self.oauthClient)
      Issue.record("no error")
    } catch {
      #expect(!"\(error)".contains("s3cr"))
      #expect("\(error)".contains("of uploader is wrong"))
    }
  }

  @Test("S3 Sessions are renewed by refresh token; a refusal ends them, a failure does not")
  func renewal() async throws {
    let session = try await Self.oauth(
      Self.json(ACS.swt, ",\"refresh_token\":\"r1\"")
    ).session(scheme: .oauth, at: ACS.now)
    #expect(session.refreshToken?.revealed == "r1")
    let transport = ScriptedTransport([
      .json(Self.json(ACS.swt, ",\"refresh_token\":\"r2\"")), .json(Self.refusal, status: 400),
    ])
    let refresh = try ACS.client(transport).renewal(client: Self.oauthClient)
    let renewed = try await refresh(session)
    #expect(renewed.refreshToken?.revealed == "r2")
    #expect(renewed.principal == session.principal)
    #expect(transport.requests[0].parameter("refresh_token") == "r1")
    await expect(throws: TokenError(.sessionRenewalRefused)) { try await refresh(renewed) }
    await expect(throws: TokenError(.transportUnreachable)) { try await refresh(renewed) }
    var without = session
    without.refreshToken = nil
    let bare = without
    await expect(throws: TokenError(.sessionRenewalRefused)) { try await refresh(bare) }
  }

  @Test("A token without a subject makes no session, unless the program passes one")
  func subject() async throws {
    let token = try await Self.wrap(.form(Self.wrapBody()))
    expect(throws: TokenError(.clientParameter)) {
      try token.session(scheme: .wrap, at: ACS.now)
    }
    let session = try token.session(scheme: .wrap, at: ACS.now, subject: "uploader")
    #expect(session.principal == Principal(authority: ACS.issuer, subject: "uploader"))
    #expect(session.credential.secret.revealed == ACS.shortSWT)
  }

  @Test("Each code of the service has a meaning and one cause")
  func codes() {
    let numbers = [
      10_000, 20_000, 30_000, 40_000, 50_000, 50_001, 50_003, 50_011, 50_012, 50_019, 60_001,
      60_021, 70_001, 90_005, 90_055,
    ]
    for number in numbers { #expect(ACSNumber(number).meaning != nil) }
    #expect(ACSNumber(12_345).meaning == nil)
    #expect(ACSNumber.cancelled.description == "ACS50019")
  }
}
