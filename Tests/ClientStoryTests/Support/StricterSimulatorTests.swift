import AccessControlCore
import ClientScript
import Federation
import FederationClient
import HTTPExchange
import SimulatedService
import Simulators
import SocialFeeds
import TestSupport
import Testing
import TokenBasics

/// Each valid request is tested with wrong ones that differ from it in one thing.
@Suite("The simulators refuse the wrong credential, the wrong field and the wrong form")
struct StricterSimulatorTests {
  static let form = ("Content-Type", "application/x-www-form-urlencoded")
  static let json = ("Content-Type", "application/json")

  /// Test vector 12 of the protocols: padded base64, where RFC 7636 has base64url.
  static let verifier = "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8="
  static let challenge = "uRn9aO+q3ZLJ+WSCwUd6KAg+lKk/p+EL5iN8qCTCKgY="

  static func request(
    _ method: String, _ target: String, _ fields: [(String, String)] = [], _ body: String = ""
  ) throws -> ServerRequest {
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    return ServerRequest(
      method: method, path: parts[0], query: parts.count == 2 ? parts[1] : nil,
      fields: try HTTPFields(fields), body: Array(body.utf8))
  }

  static func bearer(_ token: String) -> (String, String) { ("Authorization", "Bearer " + token) }

  /// The status, 400 and above also for violations of the protocol.
  static func status(_ service: any Simulator, _ request: ServerRequest) -> Int {
    do throws(Refusal) { return try service.answer(request).status } catch { return error.status }
  }

  func expectRefusals(
    by service: any Simulator, _ bad: [ServerRequest],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for request in bad {
      #expect(
        Self.status(service, request) >= 400,
        "\(request.method) \(request.path)?\(request.query ?? "") \(request.fields.list) \(String(decoding: request.body, as: UTF8.self))",
        sourceLocation: sourceLocation)
    }
  }

  // MARK: Feeds

  @Test("Facebook: a page accepts its own token only, and lists need a person's")
  func facebook() throws {
    let board = FeedBoard(time: ManualTime())
    let end = board.time.now.advanced(bySeconds: 60)
    for token in ["person", "page", "another-page", "look-only", "app"] {
      board.allow(token, until: end)
    }
    let server = FacebookServer(
      board, version: "v23.0", page: "4711",
      persons: [
        "person": [
          .init("4711", "Swift Days", token: "page"), .init("4712", "More", token: "another-page"),
        ],
        "reader": [.init("4711", "Swift Days", token: "look-only", tasks: ["ANALYZE"])],
      ])
    let feed = "/v23.0/4711/feed"
    let accounts = "/v23.0/me/accounts"
    let good = try Self.request("POST", feed, [Self.form, Self.bearer("page")], "message=a")
    #expect(Self.status(server, good) == 200)
    #expect(Self.status(server, try Self.request("GET", accounts, [Self.bearer("person")])) == 200)
    expectRefusals(
      by: server,
      try ["person", "another-page", "look-only", "app", "unknown"].map {
        try Self.request("POST", feed, [Self.form, Self.bearer($0)], "message=b")
      } + [
        try Self.request(
          "POST", feed + "?fields=id", [Self.form, Self.bearer("page")], "message=c"),
        try Self.request(
          "POST", feed, [Self.form, Self.bearer("page")], "message=d&access_token=page"),
        try Self.request(
          "POST", feed, [Self.form, Self.bearer("page")], "message=e&appsecret_proof=0"),
        try Self.request(
          "POST", feed, [Self.form, Self.bearer("page")], "link=javascript%3Aalert"),
        try Self.request("POST", feed, [Self.json, Self.bearer("page")], #"{"message":"f"}"#),
        try Self.request("PUT", feed, [Self.form, Self.bearer("page")], "message=g"),
        try Self.request(
          "POST", "/v22.0/4711/feed", [Self.form, Self.bearer("page")], "message=h"),
        try Self.request(
          "POST", "/v23.0/4712/feed", [Self.form, Self.bearer("page")], "message=i"),
        try Self.request("GET", accounts, [Self.bearer("page")]),
        try Self.request("GET", accounts, [Self.bearer("unknown")]),
        try Self.request("GET", accounts + "?access_token=person"),
        try Self.request("GET", accounts + "?tasks=all", [Self.bearer("person")]),
      ])
    #expect(board.posts == ["a"])
  }

  @Test(
    "Bluesky: a record's name is a TID, its facets lie in the text, and tokens have one use each")
  func bluesky() throws {
    let board = FeedBoard(time: ManualTime())
    let server = BlueskyServer(board, appPassword: "password")
    let session = "/xrpc/com.atproto.server.createSession"
    let login = #"{"identifier":"mia.example.org","password":"password"}"#
    #expect(Self.status(server, try Self.request("POST", session, [Self.json], login)) == 200)
    expectRefusals(
      by: server,
      [
        try Self.request("POST", session, [Self.form], login),
        try Self.request("POST", session, [("Content-Type", "application/jsonp")], login),
        try Self.request(
          "POST", session, [Self.json],
          login.replacing("}", with: #","remember":true}"#)),
      ])
    let path = "/xrpc/com.atproto.repo.putRecord"
    func record(
      _ key: String, _ more: String = "", text: String = "hé you"
    ) -> String {
      #"{"repo":"did:plc:abc","collection":"app.bsky.feed.post","rkey":"\#(key)","record":{"$type":"app.bsky.feed.post","text":"\#(text)","createdAt":"2030-01-01T00:00:00.000Z"\#(more)}}"#
    }
    func facet(_ start: Int, _ end: Int) -> String {
      #","facets":[{"index":{"byteStart":\#(start),"byteEnd":\#(end)},"features":[{"$type":"app.bsky.richtext.facet#tag","tag":"a"}]}]"#
    }
    let access = Self.bearer("access-jwt-secret-1")
    #expect(
      Self.status(
        server, try Self.request("POST", path, [Self.json, access], record("3k22222222222"))) == 200
    )
    #expect(
      Self.status(
        server,
        try Self.request("POST", path, [Self.json, access], record("3k22222222223", facet(0, 3))))
        == 200)
    expectRefusals(
      by: server,
      try [
        record("3k2222222222"), record("3K22222222224"), record("3k2222222222!"),
        record("zk22222222224"), record("3k22222222224", facet(2, 3)),
        record("3k22222222224", facet(3, 3)), record("3k22222222224", facet(0, 30)),
        record("3k22222222224", #","langs":["en","de","fr","it"]"#),
        record("3k22222222224", #","visibility":"public""#),
        record("3k22222222224").replacing("00.000Z", with: "00.000"),
      ].map { try Self.request("POST", path, [Self.json, access], $0) } + [
        try Self.request(
          "POST", path, [Self.json, Self.bearer("refresh-jwt-secret-1")], record("3k22222222224")),
        try Self.request(
          "POST", "/xrpc/com.atproto.server.refreshSession", [access]),
      ])
    #expect(board.posts.count == 2)
  }

  // MARK: Mobile Services

  @Test("App Service: a proof key of its own kind, redirects on the list, no stale token anywhere")
  func appService() throws {
    let server = MobileServicesServer(
      base: try HTTPURL("http://127.0.0.1:1/"), dialect: .appService, time: ManualTime(),
      providerToken: "token")
    let own = [
      ("ZUMO-API-VERSION", "2.0.0"), ("X-ZUMO-VERSION", "ZUMO/1.3"), ("User-Agent", "ZUMO/1.3"),
      ("Accept", "application/json"),
    ]
    let challenge = Self.challenge
    func start(
      _ challenge: String = Self.challenge, to target: String = "talks://easyauth.callback",
      _ more: String = ""
    ) throws -> ServerRequest {
      try Self.request(
        "GET",
        "/.auth/login/facebook?session_mode=token&post_login_redirect_url="
          + HTTPURL.percentEncoded(target) + "&code_challenge="
          + HTTPURL.percentEncoded(challenge) + "&code_challenge_method=S256" + more)
    }
    func code() throws -> String {
      let location = try server.answer(start()).fields["Location"] ?? ""
      return String(location.split(separator: "=").last ?? "")
    }
    func finish(
      _ code: String, _ fields: [(String, String)], verifier: String = Self.verifier,
      more: String = ""
    ) throws -> ServerRequest {
      try Self.request(
        "GET",
        "/.auth/login/facebook/token?authorization_code=\(code)&code_verifier="
          + HTTPURL.percentEncoded(verifier) + more, fields)
    }
    #expect(Self.status(server, try finish(code(), own)) == 200)
    let used = try code()
    #expect(Self.status(server, try finish(used, own)) == 200)
    // As in RFC 7636, which this service does not support.
    let urlSafe = challenge.replacing("+", with: "-").replacing("/", with: "_").dropLast()
    expectRefusals(
      by: server,
      [
        try start(String(urlSafe)), try start("abc="), try start(to: "evil://easyauth.callback"),
        try start(to: "https://easyauth.callback"), try start(challenge, to: "talks://other"),
        try start(challenge, to: "talks://easyauth.callback", "&extra=1"),
        try Self.request("GET", "/.auth/login/facebook?session_mode=cookie"),
        try Self.request("GET", "/.auth/login/facebook?session_mode=token&extra=1"),
        try finish(used, own), try finish(code(), []), try finish(code(), own, verifier: "short"),
        try finish(code(), own, more: "&extra=1"),
        try finish(code(), own + [("X-ZUMO-AUTH", "stale")]),
        // Without the folder of the sign-in, and in that of version 1.
        try Self.request("GET", "/me", own + [("X-ZUMO-AUTH", "eyJ.zumo-secret-2.sig")]),
        try Self.request("GET", "/refresh", own + [("X-ZUMO-AUTH", "eyJ.zumo-secret-2.sig")]),
        try Self.request(
          "POST", "/login/facebook", own + [Self.json], #"{"access_token":"token"}"#),
      ])
    let login = "/.auth/login/facebook"
    #expect(
      Self.status(
        server, try Self.request("POST", login, own + [Self.json], #"{"access_token":"token"}"#))
        == 200)
    expectRefusals(
      by: server,
      try [
        #"{"access_token":"another"}"#, #"{"id_token":"token"}"#,
        #"{"access_token":"token","id_token":"token"}"#, #"["token"]"#,
      ].map { try Self.request("POST", login, own + [Self.json], $0) } + [
        try Self.request("POST", login, own + [Self.form], "access_token=token"),
        try Self.request("POST", login + "?x=1", own + [Self.json], #"{"access_token":"token"}"#),
      ])
  }

  @Test("Mobile Services: a token that was not issued is rejected in public calls too")
  func mobileServices() throws {
    let server = MobileServicesServer(
      base: try HTTPURL("http://127.0.0.1:1/"),
      dialect: .mobileServices(applicationKey: "key"), time: ManualTime(), providerToken: "token")
    let own = [
      Self.json, ("X-ZUMO-APPLICATION", "key"), ("X-ZUMO-VERSION", "ZUMO/1.3"),
      ("User-Agent", "ZUMO/1.3"), ("Accept", "application/json"),
    ]
    let account = #"{"username":"mia","password":"p4ssw0rd-demo"}"#
    #expect(
      Self.status(server, try Self.request("POST", "/tables/Accounts", own, account)) == 201)
    let logIn = "/tables/Accounts?login=true"
    #expect(Self.status(server, try Self.request("POST", logIn, own, account)) == 200)
    expectRefusals(
      by: server,
      [
        try Self.request("POST", logIn, own + [("X-ZUMO-AUTH", "stale")], account),
        try Self.request("POST", logIn + "&$filter=1", own, account),
        try Self.request("POST", logIn + "&__x=1", own, account),
        try Self.request("POST", logIn, own, account.replacing("}", with: #","admin":true}"#)),
        try Self.request("PUT", logIn, own, account),
        try Self.request("GET", "/me", own), try Self.request("GET", "/refresh", own),
        try Self.request("GET", "/logout", own), try Self.request("GET", "/.auth/me", own),
        try Self.request("GET", "/login/facebook?code_challenge=a&code_challenge_method=S256"),
      ])
  }

  // MARK: Mobile Foundation

  /// The change to a request on the way, by the end of its path.
  struct Change: Sendable {
    let path: String
    let text: String
    let with: String
  }

  @discardableResult
  static func resource(
    _ change: Change?
  ) async throws -> (answer: HTTPResponse, transport: ScriptedServer) {
    let base = try HTTPURL("http://127.0.0.1:1/")
    let time = ManualTime()
    let transport = ScriptedServer(FoundationServer(base: base, time: time)) { request in
      guard let change, request.path.hasSuffix(change.path) else { return }
      request.query = request.query.map { $0.replacing(change.text, with: change.with) }
      request.body = Array(
        String(decoding: request.body, as: UTF8.self).replacing(change.text, with: change.with).utf8
      )
    }
    let client = MobileFoundation(
      base: try base.at(path: "/mfp/api"),
      application: MobileApplication(id: "org.example.talks", platform: "linux", version: "1.0.0"),
      device: MobileDevice(id: "dev-1", platform: "linux"), over: transport, time: time)
    _ = try await client.login(
      securityCheck: "UserLogin", credentials: ["username": "john", "password": "john"])
    let answer = try await client.response(
      to: HTTPRequest(.get, base.at(path: "/mfp/api/adapters/talks/mine")),
      scope: "accessRestricted UserLogin")
    try await client.logout(securityCheck: "UserLogin")
    return (answer, transport)
  }

  @Test("Mobile Foundation: sorted scopes, no field too many, and an assertion for one endpoint")
  func foundation() async throws {
    let (answer, transport) = try await Self.resource(nil)
    #expect(answer.status == 200)
    for change in [
      Change(path: "preauthorize", text: #""client_id""#, with: #""admin":true,"client_id""#),
      Change(
        path: "preauthorize", text: "UserLogin accessRestricted", with: "accessRestricted UserLogin"
      ),
      Change(path: "authorization", text: "isAjaxRequest=true", with: "isAjaxRequest=true&x=1"),
      Change(path: "authorization", text: "isAjaxRequest=true", with: "x=1"),
      Change(path: "token", text: "grant_type", with: "scope=a&grant_type"),
      Change(path: "token", text: "jwt-bearer", with: "saml2-bearer"),
      Change(path: "logout", text: "security_check", with: "scope=a&security_check"),
    ] {
      await #expect(throws: TokenError.self, "\(change)") { try await Self.resource(change) }
    }
    // The assertion of the token endpoint, sent to another one.
    func logOut(_ assertion: String) async throws -> Int {
      let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
      let body =
        "client_assertion_type=\(HTTPURL.percentEncoded(type))&client_assertion=\(assertion)"
        + "&security_check=UserLogin"
      return try await transport.response(
        to: HTTPRequest(
          .post, HTTPURL("http://127.0.0.1:1/mfp/api/preauth/v1/logout"),
          fields: HTTPFields([Self.form, ("x-wl-app-version", "1.0.0")]), body: Array(body.utf8))
      ).status
    }
    let assertions = try ["token", "logout"].map { path in
      let request = try #require(transport.requests.first { $0.url.path.hasSuffix(path) })
      return try #require(request.form["client_assertion"])
    }
    #expect(try await logOut(assertions[1]) == 200)
    #expect(try await logOut(assertions[0]) == 401)
  }

  // MARK: oPRO

  @Test("oPRO: a refresh token authorizes no request, and no address contains a secret")
  func opro() throws {
    let server = OPROServer(clientSecret: "secret", password: "password", time: ManualTime())
    let grant =
      "client_id=\(OPROServer.clientID)&client_secret=secret&username=foo%40example.com&password=password"
    let endpoint = "/oauth/token.json"
    #expect(Self.status(server, try Self.request("POST", endpoint, [Self.form], grant)) == 200)
    let access = server.tokens[0]
    let refresh = server.tokens[1]
    func token(_ text: String) -> (String, String) { ("Authorization", "Token token=\"\(text)\"") }
    let accept = ("Accept", "application/json")
    let me = "/users/me.json"
    #expect(Self.status(server, try Self.request("GET", me, [accept, token(access)])) == 200)
    let change = #"{"user":{"email":"a@example.com"}}"#
    #expect(
      Self.status(server, try Self.request("PUT", me, [accept, Self.json, token(access)], change))
        == 200)
    let consent =
      "/oauth/new?client_id=\(OPROServer.clientID)&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fx&response_type=code"
    #expect(Self.status(server, try Self.request("GET", consent + "&state=abc123")) == 302)
    expectRefusals(
      by: server,
      [
        try Self.request("POST", endpoint + "?" + grant, [Self.form], ""),
        try Self.request("POST", endpoint + "?client_secret=secret", [Self.form], grant),
        try Self.request("POST", endpoint, [Self.form], grant + "&scope=write"),
        try Self.request("GET", endpoint, [Self.form]),
        try Self.request("GET", me, [accept, token(refresh)]),
        try Self.request("GET", me, [accept, ("Authorization", "token token=\"\(access)\"")]),
        try Self.request("GET", me + "?access_token=\(access)", [accept, token(access)]),
        try Self.request("PUT", me, [accept, Self.form, token(access)], "user%5Bemail%5D=a"),
        try Self.request(
          "PUT", me, [accept, Self.json, token(access)], #"{"email":"a@example.com"}"#),
        try Self.request(
          "PUT", me, [accept, Self.json, token(access)],
          change.replacing("}}", with: #"},"admin":true}"#)),
        try Self.request("GET", consent), try Self.request("GET", consent + "&state=a%26b%3Dc"),
        try Self.request("GET", consent + "&state=abc123&prompt=none"),
        try Self.request(
          "GET",
          consent.replacing("http%3A%2F%2F127.0.0.1%3A1", with: "http%3A%2F%2Fother.example")
            + "&state=abc123"),
        try Self.request("POST", consent + "&state=abc123"),
      ])
  }

  // MARK: Access Control Service

  @Test(
    "Access Control Service: a verifier and a challenge of RFC 7636, and each grant's own fields")
  func accessControl() throws {
    var identity = AccessControlNamespace.ServiceIdentity(
      name: "uploader", password: "password", key: try SymmetricKey(bytes: Array(0...31)),
      claims: [Claim(.role, "uploader")])
    identity.redirectURIs = ["http://127.0.0.1:1/signin"]
    let core = AccessControlCore(
      AccessControlNamespace(
        base: try HTTPURL("http://127.0.0.1:1/"),
        relyingParties: [.init(realm: "uri:r", format: .swt)],
        providers: [.init(name: "Facebook", id: "Facebook-1", subject: "1")],
        identities: [identity], symmetricKey: try SymmetricKey(bytes: Array(0...31)),
        signingKey: nil), time: ManualTime())
    let verifier = String(repeating: "a", count: 43)
    let challenge = Base64.encode(
      try #require(DigestAlgorithm.sha256.digest(of: Array(verifier.utf8))), .url)
    func ask(_ challenge: String, _ more: String = "") throws -> ServerRequest {
      try Self.request(
        "GET",
        "/consent?response_type=code&client_id=uploader&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fsignin"
          + "&scope=uri%3Ar&state=0123456789abcdef&approved=yes&code_challenge=\(challenge)"
          + "&code_challenge_method=S256" + more)
    }
    func trade(_ verifier: String, _ more: String = "") throws -> ServerRequest {
      let location = try core.answer(ask(challenge)).fields["Location"] ?? ""
      let code =
        location.split(separator: "?").last?.split(separator: "&").first?.dropFirst(5) ?? ""
      return try Self.request(
        "POST", "/v2/OAuth2-13", [Self.form],
        "grant_type=authorization_code&client_id=uploader&client_secret=password&scope=uri%3Ar"
          + "&code=\(HTTPURL.percentEncoded(String(code)))"
          + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fsignin"
          + (verifier.isEmpty ? "" : "&code_verifier=\(verifier)") + more)
    }
    #expect(Self.status(core, try trade(verifier)) == 200)
    let client =
      "grant_type=client_credentials&client_id=uploader&client_secret=password&scope=uri%3Ar"
    let token = "/v2/OAuth2-13"
    #expect(Self.status(core, try Self.request("POST", token, [Self.form], client)) == 200)
    expectRefusals(
      by: core,
      [
        try ask("short"), try ask(challenge + "="), try ask(challenge.replacing("a", with: "%2B")),
        try ask(challenge, "&prompt=login"),
        try trade(""), try trade("short"), try trade(verifier + "a"),
        try trade(String(repeating: "%2B", count: 43)), try trade(verifier, "&refresh_token=a"),
        try Self.request("POST", token, [Self.form], client + "&code=a"),
        try Self.request("POST", token, [Self.form], client + "&wrap_name=a"),
        try Self.request("POST", token, [Self.form, Self.bearer("a")], client),
        try Self.request(
          "POST", "/WRAPv0.9", [Self.form],
          "wrap_assertion_format=SAML&wrap_assertion=a&wrap_scope=uri%3Ar&wrap_name=uploader"),
        try Self.request("PUT", token, [Self.form], client),
      ])
  }

  // MARK: Forms of all services

  @Test("JSON has its media type and no other; a form has its own")
  func mediaTypes() throws {
    let board = FeedBoard(time: ManualTime())
    board.allow("token-1234", until: board.time.now.advanced(bySeconds: 60))
    let server = XServer(board)
    func post(_ type: String, _ text: String) throws -> ServerRequest {
      try Self.request(
        "POST", "/2/tweets", [("Content-Type", type), Self.bearer("token-1234")],
        #"{"text":"\#(text)"}"#)
    }
    #expect(Self.status(server, try post("application/json", "a")) == 201)
    #expect(Self.status(server, try post("application/json; charset=utf-8", "b")) == 201)
    expectRefusals(
      by: server,
      try [
        "application/jsonp", "application/json-seq", "text/json",
        "application/json; charset=latin1",
      ]
      .map { try post($0, $0) })
  }
}
