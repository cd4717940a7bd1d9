import AccessControl
import HTTPExchange
import JSONWebTokens
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

@Suite("Clients that register themselves at the local Access Control Service (RFC 7591)")
struct ClientRegistrationTests {
  static let token = "initial access token"
  static let callback = "https://agent.example/callback"

  func fixture(
    _ token: String? = Self.token, most: Int = 1_000, rates: RequestRates = RequestRates()
  ) throws -> OAuthFixture {
    try OAuthFixture(
      rates: rates,
      registration: ClientRegistration(
        relyingParty: OAuthFixture.api, token: token.map { Secret($0) }, most: most,
        transport: ClientDocumentTransport()))
  }

  func register(
    _ fixture: OAuthFixture, _ metadata: String, token: String? = Self.token,
    type: String = "application/json", peer: String? = nil
  ) async throws -> (status: Int, json: JSONValue, response: HTTPExchange.HTTPResponse) {
    var request = WebRequest(
      method: "POST", path: "/v2/openid/register", body: Array(metadata.utf8))
    try request.fields.append("Content-Type", type)
    if let token { try request.fields.append("Authorization", "Bearer \(token)") }
    request.peer = peer
    let response = await fixture.site.site.respond(to: request)
    return (response.status, try JSONParser.parse(response.body), response)
  }

  static let metadata =
    "{\"redirect_uris\": [\"\(callback)\"], \"client_name\": \"Agent\", \"software_id\": \"x\", "
    + "\"token_endpoint_auth_method\": \"client_secret_post\"}"

  /// The registered client's parameters of an authorization request.
  static func changes(_ id: String) -> [String: String?] {
    [
      "client_id": id, "redirect_uri": callback, "scope": "openid email read",
      "resource": OAuthFixture.api, "whr": "Google",
    ]
  }

  /// What a person reads who is sent to sign in, and the parameters at the client once they did.
  func signIn(
    _ fixture: OAuthFixture, _ changes: [String: String?]
  ) async throws -> (page: String, parameters: FormReader, cookies: String) {
    let page = try await fixture.site.get(OAuthFixture.target("chat", changes))
    let link = try #require(
      page.text.split(separator: "\n").first { $0.hasPrefix("link Google ") }, "\(page.text)")
    let target = try HTTPURL(String(link.dropFirst("link Google ".count))).target
    let response = try await fixture.site.press("0", at: target, cookies: page.cookies)
    let location = try HTTPURL(try #require(response.fields["Location"], "\(response.text)"))
    return (page.text, try FormReader((location.query ?? "").utf8), response.cookies)
  }

  func redeem(
    _ fixture: OAuthFixture, _ code: String, _ id: String
  ) async throws -> (status: Int, json: JSONValue, response: HTTPExchange.HTTPResponse) {
    try await fixture.post(
      "/v2/openid/token",
      [
        ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", Self.callback),
        ("code_verifier", OAuthFixture.verifier), ("client_id", id),
      ], as: nil)
  }

  @Test("A client is registered as what it may be: public, with a proof key, by codes")
  func registers() async throws {
    let fixture = try fixture()
    let made = try await register(fixture, Self.metadata)
    #expect(made.status == 201, "\(made.response.text)")
    #expect(made.response.fields["Cache-Control"] == "no-store")
    #expect(made.json["token_endpoint_auth_method"]?.string == "none")
    #expect(made.json["client_secret"] == nil && made.json["client_name"]?.string == "Agent")
    #expect(made.json["redirect_uris"]?.array?.compactMap(\.string) == [Self.callback])
    #expect(made.json["client_id_issued_at"]?.integer == Int(SiteFixture.now.seconds))
    let other = try await register(fixture, Self.metadata)
    #expect(other.json["client_id"]?.string != made.json["client_id"]?.string)
  }

  @Test("It signs people in to its relying party, whose access token it gets, and no other's")
  func signsIn() async throws {
    let fixture = try fixture()
    let id = try #require(try await register(fixture, Self.metadata).json["client_id"]?.string)
    let (page, parameters, _) = try await signIn(fixture, Self.changes(id))
    #expect(page.contains("link Google "))
    let tokens = try await redeem(fixture, parameters.require("code"), id)
    #expect(tokens.status == 200, "\(tokens.response.text)")
    let idToken = try ExchangeFixture.parts(try #require(tokens.json["id_token"]?.string)).payload
    let access = try ExchangeFixture.parts(
      try #require(tokens.json["access_token"]?.string)
    ).payload
    #expect(idToken["aud"]?.string == id && access["aud"]?.string == OAuthFixture.api)
    #expect(access["client_id"]?.string == id && access["scope"]?.string == "read")
    // A person is the same one at the relying party, whichever client brings them.
    #expect(idToken["sub"]?.string == access["sub"]?.string)
    let known = try await fixture.tokens(
      "chat", ["scope": "openid read", "resource": OAuthFixture.api])
    let knownAccess = try ExchangeFixture.parts(
      try #require(known["access_token"]?.string)
    ).payload
    #expect(knownAccess["sub"]?.string == access["sub"]?.string)
    let refreshed = try await fixture.post(
      "/v2/openid/token",
      [
        ("grant_type", "refresh_token"), ("client_id", id),
        ("refresh_token", tokens.json["refresh_token"]?.string),
      ], as: nil)
    #expect(refreshed.status == 200, "\(refreshed.response.text)")
    let opaque = try await signIn(
      fixture, Self.changes(id).merging(["resource": nil, "scope": "openid email"]) { $1 })
    let plain = try await redeem(fixture, opaque.parameters.require("code"), id)
    let said = try await fixture.userInfo(plain.json["access_token"]?.string)
    #expect(said.status == 200 && said.text.contains("mia@example.org"), "\(said.text)")
    let stranger = try await fixture.site.get(
      OAuthFixture.target("chat", Self.changes(id).merging(["resource": "chat"]) { $1 }))
    // Whoever registers sends no browser to an address without a person.
    #expect(stranger.fields["Location"] == nil && stranger.status == 400)
  }

  @Test(
    "The person is shown who asks before a code leaves, whatever the request says of a provider")
  func shown() async throws {
    let fixture = try fixture()
    let id = try #require(try await register(fixture, Self.metadata).json["client_id"]?.string)
    let page = try await fixture.site.get(OAuthFixture.target("chat", Self.changes(id)))
    #expect(page.status == 200 && page.fields["Location"] == nil)
    // The control: a client of the file is sent to its provider at once.
    #expect(try await fixture.site.get(OAuthFixture.target("chat")).status == 303)
    let passive = try await fixture.site.get(
      OAuthFixture.target("chat", Self.changes(id).merging(["prompt": "none"]) { $1 }))
    // Whoever registers sends no browser to an address without a person.
    #expect(passive.fields["Location"] == nil && passive.status == 400)
  }

  @Test(
    "The page names the host that the code goes to, whichever address the client registered first",
    arguments: [(callback, "agent.example"), ("https://evil.example/cb", "evil.example")])
  func namesGoal(address: String, host: String) async throws {
    let fixture = try fixture()
    let metadata =
      "{\"client_name\": \"Agent\", \"redirect_uris\": [\"\(Self.callback)\", \"https://evil.example/cb\"]}"
    let id = try #require(try await register(fixture, metadata).json["client_id"]?.string)
    let page = try await fixture.site.get(
      OAuthFixture.target("chat", Self.changes(id).merging(["redirect_uri": address]) { $1 }))
    let lines = page.text.split(separator: "\n").map(String.init)
    let named = "Agent (\(host)), for \(OAuthFixture.api)"
    #expect(lines.contains("application \(named)"), "\(page.text)")
    let link = try #require(lines.first { $0.hasPrefix("link Google ") })
    let people = try await fixture.site.get(
      HTTPURL(String(link.dropFirst("link Google ".count))).target, cookies: page.cookies)
    #expect(people.text.contains("to sign in to \(named)."), "\(people.text)")
  }

  @Test("Its proof key, redirect URI and name are its own, and it has no other grant")
  func bound() async throws {
    let fixture = try fixture()
    let id = try #require(try await register(fixture, Self.metadata).json["client_id"]?.string)
    let bare = try await fixture.site.get(
      OAuthFixture.target(
        "chat",
        Self.changes(id).merging(["code_challenge": nil, "code_challenge_method": nil]) { $1 }))
    // Whoever registers sends no browser to an address without a person.
    #expect(bare.fields["Location"] == nil && bare.status == 400)
    let moved = try await fixture.site.get(
      OAuthFixture.target(
        "chat", Self.changes(id).merging(["redirect_uri": "https://evil.example/"]) { $1 }))
    #expect(moved.status == 400 && moved.fields["Location"] == nil)
    let code = try await signIn(fixture, Self.changes(id)).parameters.require("code")
    let other = try #require(try await register(fixture, Self.metadata).json["client_id"]?.string)
    #expect(try await redeem(fixture, code, other).json["error"]?.string == "invalid_grant")
    for (grant, error) in [
      ("client_credentials", "unauthorized_client"),
      ("urn:ietf:params:oauth:grant-type:token-exchange", "unauthorized_client"),
    ] {
      let response = try await fixture.post(
        "/v2/openid/token", [("grant_type", grant), ("client_id", id)], as: nil)
      #expect(response.json["error"]?.string == error, "\(response.response.text)")
    }
    let asked = try await fixture.post(
      "/v2/openid/introspect", [("token", code), ("client_id", id)], as: nil)
    #expect(asked.status == 401)
  }

  @Test(
    "Metadata that cannot be met has its error",
    arguments: [
      ("{}", "invalid_redirect_uri", TokenError.Code.registrationRedirectURI),
      ("{\"redirect_uris\": []}", "invalid_redirect_uri", .registrationRedirectURI),
      (
        "{\"redirect_uris\": [\"http://agent.example/\"]}", "invalid_redirect_uri",
        .registrationRedirectURI
      ),
      ("{\"redirect_uris\": [\"agent:/cb\"]}", "invalid_redirect_uri", .registrationRedirectURI),
      (
        "{\"redirect_uris\": [\"https://agent.example/#f\"]}", "invalid_redirect_uri",
        .registrationRedirectURI
      ),
      (
        "{\"redirect_uris\": [\"https://AGENT.example/\"]}", "invalid_redirect_uri",
        .registrationRedirectURI
      ),
      ("{\"redirect_uris\": [1]}", "invalid_redirect_uri", .registrationRedirectURI),
      (
        "{\"redirect_uris\": [\"https://a.example/\"], \"grant_types\": [\"password\"]}",
        "invalid_client_metadata", .registrationMetadata
      ),
      (
        "{\"redirect_uris\": [\"https://a.example/\"], \"response_types\": [\"token\"]}",
        "invalid_client_metadata", .registrationMetadata
      ),
      (
        "{\"redirect_uris\": [\"https://a.example/\"], \"client_name\": \"a\\u202Eb\"}",
        "invalid_client_metadata", .registrationMetadata
      ),
      ("[]", "invalid_client_metadata", .registrationMetadata),
      ("{\"redirect_uris\": ", "invalid_client_metadata", .registrationMetadata),
    ])
  func refused(metadata: String, word: String, code: TokenError.Code) async throws {
    let made = try await register(try fixture(), metadata)
    #expect(made.status == 400 && made.json["error"]?.string == word, "\(made.response.text)")
    #expect(made.response.text.contains("(\(code))"), "\(made.response.text)")
  }

  @Test("A form is no metadata, and eleven redirect URIs are too many")
  func shape() async throws {
    let fixture = try fixture()
    #expect(try await register(fixture, Self.metadata, type: "text/plain").status == 400)
    for type in ["application/json;charset=utf-8", "Application/JSON ; charset=utf-8"] {
      #expect(try await register(fixture, Self.metadata, type: type).status == 201)
    }
    let list = (0..<11).map { "\"https://a.example/\($0)\"" }
    for (count, status) in [(10, 201), (11, 400)] {
      let text = "{\"redirect_uris\": [\(list.prefix(count).joined(separator: ", "))]}"
      #expect(try await register(fixture, text).status == status)
    }
  }

  @Test("Without the initial access token there is no registration, unless the file opens it")
  func tokens() async throws {
    let fixture = try fixture()
    for (token, challenge) in [
      (nil, "Bearer realm=\"acs\""), ("another", "Bearer realm=\"acs\", error=\"invalid_token\""),
    ] as [(String?, String)] {
      let made = try await register(fixture, Self.metadata, token: token)
      #expect(made.status == 401 && made.json["error"]?.string == "invalid_token")
      #expect(made.response.fields["WWW-Authenticate"] == challenge)
      #expect(made.response.text.contains("(\(TokenError.Code.registrationToken))"))
    }
    let open = try self.fixture(nil)
    #expect(try await register(open, Self.metadata, token: nil).status == 201)
  }

  @Test("Clients are bounded in number, those that are not used are gone after a day")
  func bounds() async throws {
    let fixture = try fixture(most: 1)
    let id = try #require(try await register(fixture, Self.metadata).json["client_id"]?.string)
    let full = try await register(fixture, Self.metadata)
    #expect(full.status == 503 && full.json["error"]?.string == "temporarily_unavailable")
    #expect(full.response.text.contains("(\(TokenError.Code.registrationFull))"))
    fixture.site.clock.advance(bySeconds: 86_401)
    let page = try await fixture.site.get(OAuthFixture.target("chat", Self.changes(id)))
    #expect(page.status != 200 && page.text.contains("code issuing.unknown-realm"), "\(page.text)")
    #expect(try await register(fixture, Self.metadata).status == 201)
  }

  @Test("One sender cannot fill the register: its own unused clients make room")
  func crowd() async throws {
    let fixture = try fixture(most: 3)
    var ids: [String] = []
    for _ in 0..<5 {
      let made = try await register(fixture, Self.metadata, peer: "192.0.2.1")
      #expect(made.status == 201)
      ids.append(try #require(made.json["client_id"]?.string))
      fixture.site.clock.advance(bySeconds: 1)
    }
    let other = try await register(fixture, Self.metadata, peer: "192.0.2.2")
    #expect(other.status == 201)
    func isThere(_ id: String) async throws -> Bool {
      try await fixture.site.get(OAuthFixture.target("chat", Self.changes(id))).status == 200
    }
    #expect(try await isThere(try #require(other.json["client_id"]?.string)))
    #expect(try await isThere(ids[4]))
    #expect(try await !isThere(ids[0]))
  }

  @Test(
    "An error in the request of a client that nobody vouches for stays on a page of the service")
  func errorsStayHere() async throws {
    let fixture = try fixture()
    let id = try #require(try await register(fixture, Self.metadata).json["client_id"]?.string)
    for change in [
      ["scope": "x"], ["response_type": "token"], ["prompt": "none"], ["code_challenge": nil],
      ["response_mode": "form_post", "scope": "x"],
    ] as [[String: String?]] {
      let changes = Self.changes(id).merging(change) { $1 }
      let page = try await fixture.site.get(OAuthFixture.target("chat", changes))
      #expect(page.status >= 400 && page.fields["Location"] == nil, "\(change)")
      #expect(!page.text.hasPrefix("form "))
    }
    // The file vouches for its own clients: they are told.
    let told = try await fixture.site.get(OAuthFixture.target("chat", ["scope": "x"]))
    #expect(told.fields["Location"]?.hasPrefix("https://chat.example/callback?error=") == true)
  }

  @Test("One that is used stays for ninety days")
  func usedClients() async throws {
    let fixture = try fixture(most: 1)
    let id = try #require(try await register(fixture, Self.metadata).json["client_id"]?.string)
    let code = try await signIn(fixture, Self.changes(id)).parameters.require("code")
    #expect(try await redeem(fixture, code, id).status == 200)
    fixture.site.clock.advance(bySeconds: 89 * 86_400)
    #expect(try await register(fixture, Self.metadata).status == 503)
    #expect(try await fixture.site.get(OAuthFixture.target("chat", Self.changes(id))).status == 200)
    fixture.site.clock.advance(bySeconds: 2 * 86_400)
    #expect(try await register(fixture, Self.metadata).status == 201)
  }

  @Test("An address registers ten clients at once, and another address its own")
  func rate() async throws {
    let fixture = try fixture()
    for _ in 0..<10 {
      #expect(try await register(fixture, Self.metadata, peer: "192.0.2.1").status == 201)
    }
    let held = try await register(fixture, Self.metadata, peer: "192.0.2.1")
    #expect(held.status == 429 && held.response.fields["Retry-After"] != nil)
    #expect(try await register(fixture, Self.metadata, peer: "192.0.2.2").status == 201)
    fixture.site.clock.advance(bySeconds: 60)
    #expect(try await register(fixture, Self.metadata, peer: "192.0.2.1").status == 201)
  }

  @Test("The metadata says that there is registration, and nothing of it where there is none")
  func discovered() async throws {
    for (fixture, address) in [
      (try fixture(), "https://acs.example/v2/openid/register"), (try OAuthFixture(), nil),
    ] as [(OAuthFixture, String?)] {
      let json = try JSONParser.parse(
        await fixture.site.get("/.well-known/oauth-authorization-server").body)
      #expect(json["registration_endpoint"]?.string == address)
      #expect(json["client_id_metadata_document_supported"]?.bool == (address == nil ? nil : true))
    }
    let closed = try OAuthFixture()
    let request = WebRequest(method: "POST", path: "/v2/openid/register")
    #expect(await closed.site.site.respond(to: request).status == 404)
  }

  @Test("Rates hold for an address and for a client that showed its secret, each by itself")
  func rates() async throws {
    let fixture = try OAuthFixture(rates: RequestRates(perAddress: 3, perIdentity: 2))
    func status(_ client: String, _ peer: String) async throws -> Int {
      let pair = "\(client):\(HTTPURL.percentEncoded("secret of \(client)"))"
      return try await fixture.site.post(
        "/v2/openid/introspect", [("token", "x")], peer: peer,
        authorization: "Basic " + Base64.encode(Array(pair.utf8))
      ).status
    }
    #expect(try await status("chat", "192.0.2.1") == 200)
    #expect(try await status("chat", "192.0.2.2") == 200)
    #expect(try await status("chat", "192.0.2.3") == 429)
    #expect(try await status("other", "192.0.2.1") == 200)
    #expect(try await status("other", "192.0.2.1") == 200)
    #expect(try await status("other", "192.0.2.1") == 429)
    // The address has asked three times, whoever asks for it now.
    #expect(try await status("stranger", "192.0.2.1") == 429)
    #expect(try await status("stranger", "192.0.2.9") == 401)
    fixture.site.clock.advance(bySeconds: 1)
    #expect(try await status("chat", "192.0.2.1") == 200)
  }

  @Test("What strangers ask in the name of a client without a secret is not counted as its own")
  func publicRate() async throws {
    let fixture = try OAuthFixture(rates: RequestRates(perIdentity: 2))
    let code = try await fixture.answer("app").parameters.require("code")
    for _ in 0..<4 {
      #expect(try await fixture.redeem("made up", "app").json["error"]?.string == "invalid_grant")
    }
    #expect(try await fixture.redeem(code, "app").status == 200)
  }

  @Test("What a client says of itself has a length, whole and in its parts")
  func lengths() async throws {
    let fixture = try fixture()
    func status(_ name: Int, _ path: Int, _ rest: Int = 0) async throws -> Int {
      let text = """
        {"redirect_uris": ["https://a.example/\(String(repeating: "p", count: path))"],
         "client_name": "\(String(repeating: "n", count: name))", "x": "\(String(repeating: "x", count: rest))"}
        """
      return try await register(fixture, text).status
    }
    for (name, path, rest, expected) in [
      (1, 1, 0, 201), (100, 1_000, 0, 201), (0, 1, 0, 400), (10_000, 1, 0, 400),
      (1, 10_000, 0, 400), (1, 1, 60_000, 201), (1, 1, 65_536, 400),
    ] { #expect(try await status(name, path, rest) == expected, "\(name), \(path), \(rest)") }
  }

  @Test("Guesses of the initial access token are held back, but not where the right one was shown")
  func tokenGuesses() async throws {
    let fixture = try fixture()
    func status(_ token: String, _ peer: String) async throws -> Int {
      try await register(fixture, "{}", token: token, peer: peer).status
    }
    #expect(try await status(Self.token, "192.0.2.1") == 400)
    for _ in 0..<10 { #expect(try await status("guess", "192.0.2.2") == 401) }
    #expect(try await status(Self.token, "192.0.2.2") == 429)
    for number in 0..<1_000 { _ = try await status("guess", "2001:db8:0:\(number)::1") }
    #expect(try await status(Self.token, "192.0.2.3") == 429)
    #expect(try await status(Self.token, "192.0.2.1") == 400)
  }

  @Test("An identifier that is another one at the place of a client is no client")
  func invented() async throws {
    let fixture = try fixture(most: 1)
    let id = try #require(try await register(fixture, Self.metadata).json["client_id"]?.string)
    func isClient(_ id: String) async throws -> Bool {
      let page = try await fixture.site.get(OAuthFixture.target("chat", Self.changes(id)))
      return page.text.contains("link Google ")
    }
    #expect(try await isClient(id))
    for other in [
      "client-0-" + String(repeating: "0", count: 32), "client-0", "client-0-", "client-0-x-y",
      id.replacing("client", with: "Client"), id.replacing("-0-", with: "-00-"),
      id.replacing("-0-", with: "-+0-"), id + "0", String(id.dropLast()),
      id.replacing("-0-", with: "--1-"),
    ] { #expect(try await !isClient(other), "\(other)") }
  }

  @Test("A service identity is counted by its name once it showed its password")
  func identityRates() async throws {
    let fixture = try SiteFixture(
      SiteFixture().site.store.current, rates: RequestRates(perIdentity: 2))
    #expect(try await fixture.wrap(from: "192.0.2.1") == 200)
    #expect(try await fixture.wrap(from: "192.0.2.2") == 200)
    #expect(try await fixture.wrap(from: "192.0.2.3") == 429)
    fixture.clock.advance(bySeconds: 1)
    #expect(try await fixture.wrap(from: "192.0.2.3") == 200)
  }
}
