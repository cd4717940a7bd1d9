import HTTPExchange
import IdentityProviderTesting
import SecurityKeys
import SignIn
import TestSupport
import Testing

@Suite("OpenID Connect: the code flow")
struct CodeFlowTests {
  private let fixture: OpenIDFixture

  init() throws { fixture = try OpenIDFixture() }

  @Test("A person signs in, and the tokens come with the principal but in no description")
  func signsIn() async throws {
    let signIn = try await fixture.signIn(fixture.party())
    #expect(signIn.principal.issuer == "https://idp.example/tenant")
    #expect(signIn.principal.subject == "alice" && signIn.principal.format == .jwt)
    #expect(signIn.principal.claims["name"] == ["Alice"])
    #expect(signIn.principal.issuerSession.index == "session-1")
    #expect(signIn.accessToken?.revealed == "access-1")
    #expect(signIn.refreshToken?.revealed == "refresh-1")
    #expect(signIn.accessTokenEnd == fixture.time.now.advanced(bySeconds: 300))
    #expect(signIn.idToken.revealed.hasPrefix("ey"))
    var dumped = ""
    dump(signIn, to: &dumped)
    for text in ["\(signIn)", dumped] {
      #expect(!text.contains("access-1") && !text.contains("ey") && !text.contains("Alice"))
    }
    #expect(fixture.provider.complaints.isEmpty)
  }

  @Test("Each way of client authentication is taken by a provider that demands exactly it")
  func authentication() async throws {
    let key = try SigningKey(PrivateKey(pemOrDER: TestVector.bytes("keys/rp-rsa.key")))
    let secret = "a+b/c=d %:ß"
    let ways: [(ScriptedProvider.Registration, ClientAuthentication)] = [
      (.basic(secret), .basic(Secret(secret))), (.post(secret), .post(Secret(secret))),
      (.privateKey(key.publicKey), .privateKey(key, keyID: "rp")), (.none, .none),
    ]
    for (place, way) in ways.enumerated() {
      fixture.provider.change { $0.registration = way.0 }
      let party = try fixture.party { $0.authentication = way.1 }
      #expect(try await fixture.signIn(party, code: "way-\(place)").principal.subject == "alice")
      fixture.provider.change { $0.registration = .basic("another") }
      #expect(try await fixture.refusal(party) { _ in } == .signInRefused)
    }
    // A second assertion has an identifier of its own.
    fixture.provider.change { $0.registration = .privateKey(key.publicKey) }
    let party = try fixture.party { $0.authentication = .privateKey(key) }
    for code in ["one", "two"] { _ = try await fixture.signIn(party, code: code) }
  }

  @Test("The answer comes by form_post where it was asked for")
  func formPost() async throws {
    let party = try fixture.party { $0.responseMode = .formPost }
    #expect(try await fixture.signIn(party).principal.subject == "alice")
  }

  @Test("What the registration demands is in the request")
  func demands() async throws {
    let party = try fixture.party {
      $0.scopes = ["openid", "email"]
      $0.maxAge = 60
      $0.prompt = "login"
      $0.contexts = ["mfa", "hw"]
    }
    let begun = try await party.begin(returningTo: try ReturnPath("/secret"), at: fixture.time.now)
    let request = HTTPRequest(.get, begun.action.address)
    #expect(request.parameter("scope") == "openid email")
    #expect(request.parameter("max_age") == "60" && request.parameter("prompt") == "login")
    #expect(request.parameter("acr_values") == "mfa hw")
    #expect(request.parameter("response_mode") == nil)
    #expect(!begun.action.address.text.contains("secret"))
    #expect(begun.pending.contexts == ["mfa", "hw"] && begun.pending.returnPath?.text == "/secret")
  }

  @Test(
    "RP-4: An answer without state, with another browser's or a late one is refused; its own is not"
  )
  func loginCSRF() async throws {
    let party = try fixture.party()
    let now = fixture.time.now
    let mine = try await party.begin(returningTo: nil, at: now)
    let other = try await party.begin(returningTo: nil, at: now)
    let answer = try fixture.provider.authorize(mine.action)
    func code(_ message: WebRequest, _ pending: PendingSignIn, after seconds: Int64 = 0) async
      -> TokenError.Code?
    {
      await refusalCode {
        _ = try await party.finish(
          message, pending: pending, used: fixture.used, at: now.advanced(bySeconds: seconds))
      }
    }
    let bare = ScriptedProvider.message(["code": "code-1", "iss": fixture.provider.issuer])
    #expect(await code(bare, mine.pending) == .signInUnsolicited)
    #expect(throws: TokenError(.signInUnsolicited)) { try party.request(of: bare) }
    let foreign = ScriptedProvider.message(["code": "code-1", "state": "../../etc"])
    #expect(throws: TokenError(.signInUnknown)) { try party.request(of: foreign) }
    #expect(await code(answer, other.pending) == .signInOtherRequest)
    #expect(await code(answer, mine.pending, after: 600) == .signInExpired)
    // The time limit alone decides the last one; the provider's token is of this second.
    #expect(await code(answer, mine.pending) == nil)
  }

  @Test(
    "GATE-23: A pending sign-in of another kind, issuer or endpoint is refused; the right one is not"
  )
  func bound() async throws {
    let party = try fixture.party()
    let now = fixture.time.now
    let begun = try await party.begin(returningTo: nil, at: now)
    let answer = try fixture.provider.authorize(begun.action)
    let right = begun.pending
    func pending(_ kind: PendingSignIn.Kind, _ issuer: String, _ endpoint: String) throws
      -> PendingSignIn
    {
      let random = RandomSource { count in
        // The request of the answer again: 40 digits of 20 octets.
        Self.octets(right.request, count)
      }
      return PendingSignIn(
        kind, issuer: issuer, endpoint: endpoint, nonce: right.nonce, proofKey: right.proofKey,
        returnPath: nil, random: random, at: now)
    }
    let cases: [(PendingSignIn, TokenError.Code?)] = [
      (try pending(.saml2, right.issuer, right.endpoint), .signInOtherRequest),
      (try pending(.openID, "https://other.example/", right.endpoint), .signInOtherIssuer),
      (try pending(.openID, right.issuer, "https://app.example/other"), .signInOtherEndpoint),
      (try pending(.openID, right.issuer, right.endpoint), nil),
    ]
    for (pending, expected) in cases {
      #expect(pending.request == right.request)
      let code = await refusalCode {
        _ = try await party.finish(answer, pending: pending, used: fixture.used, at: now)
      }
      #expect(code == expected)
    }
  }

  @Test("GATE-23: A parameter that is there twice is refused, in whatever case it is written")
  func duplicates() async throws {
    let party = try fixture.party()
    let begun = try await party.begin(returningTo: nil, at: fixture.time.now)
    let answer = try fixture.provider.authorize(begun.action)
    for extra in ["&state=\(begun.pending.request)", "&code=evil", "&Code=evil", "&iss=x"] {
      var twice = answer
      twice.query = (answer.query ?? "") + extra
      #expect(throws: TokenError(.clientDuplicateParameter)) { try party.request(of: twice) }
    }
    var more = answer
    more.query = (answer.query ?? "") + "&session_state=x"
    #expect(try party.request(of: more) == begun.pending.request)
  }

  private static func octets(_ hex: String, _ count: Int) -> [UInt8] {
    let digits = hex.utf8.map { UInt8(String(UnicodeScalar($0)), radix: 16) ?? 0 }
    return (0..<count).map { digits[$0 * 2] << 4 | digits[$0 * 2 + 1] }
  }
}
