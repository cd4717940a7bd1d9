@testable import AccessControl
import HTTPExchange
import SecurityKeys
import Synchronization
import TestSupport
import Testing
import TokenBasics

@Suite("Guesses and repetitions at the local Access Control Service")
struct GuessTests {
  private let fixture: SiteFixture

  init() throws { fixture = try SiteFixture() }

  private func wrap(_ password: String, _ peer: String, name: String = "uploader") async throws
    -> Int
  {
    try await fixture.wrap(password, from: peer, name: name)
  }

  @Test("Wrong passwords of a name cost time at their address; elsewhere the right one gets in")
  func passwords() async throws {
    var statuses: [Int] = []
    for number in 0..<30 { statuses.append(try await wrap("x\(number)", "192.0.2.1")) }
    #expect(statuses == Array(repeating: 401, count: 10) + Array(repeating: 429, count: 20))
    #expect(try await wrap("pass word", "192.0.2.1") == 429)
    #expect(try await wrap("pass word", "192.0.2.2") == 200)
    fixture.clock.advance(bySeconds: 11)
    #expect(try await wrap("pass word", "192.0.2.1") == 200)
  }

  @Test(
    "An address that guesses many names is held back, and so is a name that many addresses guess")
  func spread() async throws {
    for number in 0..<100 { _ = try await wrap("x", "192.0.2.1", name: "name \(number)") }
    #expect(try await wrap("x", "192.0.2.1", name: "another") == 429)
    #expect(try await wrap("pass word", "198.51.100.1") == 200)
    for number in 0..<1_000 { _ = try await wrap("x", "2001:db8:0:\(number)") }
    #expect(try await wrap("pass word", "203.0.113.9") == 429)
    // Who was here before is not held back by strangers.
    #expect(try await wrap("pass word", "198.51.100.1") == 200)
  }

  @Test("Clients that nobody knows are guesses of the address, too")
  func unknownClients() async throws {
    for path in ["/v2/OAuth2-13", "/v2/openid/token"] {
      let fixture = try SiteFixture()
      for number in 0..<100 {
        let unknown = try await fixture.post(
          path,
          [
            ("grant_type", "authorization_code"), ("client_id", "client \(number)"), ("code", "x"),
            ("scope", "uri:talks.example.org"),
          ], peer: "192.0.2.1")
        #expect(unknown.status == 401)
      }
      #expect(try await fixture.wrap(from: "192.0.2.1") == 429)
      #expect(try await fixture.wrap(from: "192.0.2.2") == 200)
    }
  }

  @Test("One of them is held back at its address as a client that there is")
  func unknownClient() async throws {
    let fixture = try SiteFixture()
    func status(_ peer: String) async throws -> Int {
      try await fixture.post(
        "/v2/openid/introspect", [("token", "x")], peer: peer,
        authorization: "Basic " + Base64.encode(Array("stranger:x".utf8))
      ).status
    }
    for _ in 0..<10 { #expect(try await status("192.0.2.1") == 401) }
    #expect(try await status("192.0.2.1") == 429)
    #expect(try await status("192.0.2.2") == 401)
  }

  @Test("A client that was here before is not held back by strangers that guess its secret")
  func knownClients() async throws {
    func post(_ secret: String, _ peer: String) async throws -> String {
      try await fixture.post(
        "/v2/openid/token",
        [
          ("grant_type", "authorization_code"), ("client_id", "client"), ("client_secret", secret),
          ("code", "x"), ("redirect_uri", "https://client.example/callback"),
        ], peer: peer
      ).text
    }
    #expect(try await post("client secret", "198.51.100.1").contains("issuing.grant"))
    for number in 0..<1_000 { _ = try await post("x", "2001:db8:0:\(number)") }
    #expect(try await post("client secret", "203.0.113.9").contains("issuing.rate"))
    #expect(try await post("client secret", "198.51.100.1").contains("issuing.grant"))
  }

  @Test(
    "A stranger at the client's own address does not lock it out, and nobody there guesses without end"
  )
  func sharedAddress() async throws {
    func post(_ secret: String) async throws -> HTTPExchange.HTTPResponse {
      try await fixture.post(
        "/v2/openid/token",
        [
          ("grant_type", "authorization_code"), ("client_id", "client"), ("client_secret", secret),
          ("code", "x"), ("redirect_uri", "https://client.example/callback"),
        ], peer: "198.51.100.1")
    }
    #expect(try await post("client secret").text.contains("issuing.grant"))
    for _ in 0..<99 { #expect(try await post("x").status == 401) }
    #expect(try await post("client secret").text.contains("issuing.grant"))
    #expect(try await post("x").status == 401)
    let held = try await post("client secret")
    #expect(held.status == 429 && held.fields["Retry-After"] == "1")
    fixture.clock.advance(bySeconds: 1)
    #expect(try await post("client secret").text.contains("issuing.grant"))
    // Where nobody was right before, ten are judged.
    for _ in 0..<10 { _ = try await wrap("x", "192.0.2.1") }
    #expect(try await wrap("x", "192.0.2.1") == 429)
  }

  @Test("The secrets of clients, of OAuth and of WS-Trust count as well")
  func endpoints() async throws {
    for (path, fields) in [
      (
        "/v2/OAuth2-13",
        [
          ("grant_type", "client_credentials"), ("client_id", "uploader"),
          ("client_secret", "x"), ("scope", "uri:talks.example.org"),
        ]
      ),
      (
        "/v2/openid/token",
        [("grant_type", "authorization_code"), ("client_id", "client"), ("client_secret", "x")]
      ),
    ] {
      var last = 0
      for _ in 0..<11 { last = try await fixture.post(path, fields, peer: path).status }
      #expect(last == 429, "\(path)")
    }
  }

  @Test("Memory has a bound: what says nothing is dropped, and who is held back stays so")
  func bound() throws {
    let ticks = Mutex(Duration.zero)
    let limit = GuessLimit(Uptime { ticks.withLock { $0 } })
    func strangers(_ numbers: Range<Int>) {
      for number in numbers { limit.failed("name \(number)", from: "address \(number)") }
    }
    strangers(0..<6_600)
    // By now each of them is as one that was never counted.
    ticks.withLock { $0 = .seconds(100) }
    for _ in 0..<10 { limit.failed("uploader", from: "192.0.2.1") }
    strangers(6_600..<6_700)
    #expect(throws: TokenError(.issuingRate)) { try limit.admit("uploader", from: "192.0.2.1") }
    limit.failed("other", from: "192.0.2.2")
    #expect(throws: TokenError(.issuingRate)) { try limit.admit("uploader", from: "192.0.2.1") }
    try limit.admit("uploader", from: "192.0.2.3")
  }

  @Test("Who is held back is not set free by strangers, or by guesses at many names of their own")
  func crowd() throws {
    let limit = GuessLimit(Uptime { .zero })
    for _ in 0..<10 { limit.failed("uploader", from: "192.0.2.1") }
    for number in 0..<20_000 { limit.failed("name \(number)", from: "192.0.2.1") }
    #expect(throws: TokenError(.issuingRate)) { try limit.admit("uploader", from: "192.0.2.1") }
    #expect(throws: TokenError(.issuingRate)) { try limit.admit("other", from: "192.0.2.1") }
    for number in 0..<20_000 { limit.failed("uploader", from: "address \(number)") }
    #expect(throws: TokenError(.issuingRate)) { try limit.admit("uploader", from: "192.0.2.2") }
    #expect(throws: TokenError(.issuingRate)) { try limit.admit("uploader", from: "192.0.2.1") }
    try limit.admit("other", from: "192.0.2.2")
  }

  @Test("What was kept of a grant reads as it was written; a claim is three texts")
  func grants() throws {
    func claims(_ list: String) -> Int? {
      Grant(
        json: Array(
          """
          {"kind": "\(Grant.Kind.code.rawValue)", "client": "c", "realm": "r", "redirect": "", "session": "s",
           "provider": "p", "expires": 1, "claims": \(list)}
          """.utf8))?.subject.claims.count
    }
    let grant = try #require(
      Grant(
        json: Array(
          """
          {"kind": "code", "client": "c", "realm": "r", "redirect": "", "session": "s", "provider": "p",
           "expires": 1, "claims": []}
          """.utf8)))
    // Without a proof key the secret is all that ties a code to its client.
    #expect(grant.isFor(Redeemer(client: "c", realm: "r")))
    #expect(!grant.isFor(Redeemer(client: "c", realm: "r", hasSecret: false)))
    #expect(claims("[[\"a\", \"b\", \"c\"]]") == 1)
    // One with another form makes the grant unreadable.
    for other in ["[\"a\", \"b\", \"c\", \"d\"]", "[\"a\", \"b\", 1]"] {
      #expect(claims("[[\"a\", \"b\", \"c\"], \(other)]") == nil, "\(other)")
    }
  }

  @Test("Limits are measured by a clock that nobody sets")
  func monotonic() throws {
    let ticks = Mutex(Duration.zero)
    let limit = RateLimit(perSecond: 2, Uptime { ticks.withLock { $0 } })
    try limit.take()
    try limit.take()
    let error = #expect(throws: TokenError.self) { try limit.take() }
    #expect(error?.code == .issuingRate)
    ticks.withLock { $0 = .seconds(1) }
    try limit.take()
    try limit.take()
  }

  @Test(
    "An address of IPv6 counts by its network",
    arguments: [
      ("192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2"),
      ("2001:db8::5", "2001:db8:0:0"), ("::1", "0:0:0:0"), ("::ffff:192.0.2.1", "192.0.2.1"),
      ("fe80::", "fe80:0:0:0"), ("fe80::1%eth0", "fe80:0:0:0"),
    ])
  func peers(address: String, peer: String) { #expect(WebRequest.peer(of: address) == peer) }

  @Test("SVC-11: An assertion about itself works once")
  func assertions() async throws {
    let key = try SymmetricKey(bytes: [UInt8](repeating: 8, count: 32))
    func web(_ id: String) throws -> String {
      String(
        decoding: try JSONWebToken.mint(
          TokenDraft(
            issuer: "uploader", audiences: ["https://acs.example/v2/OAuth2-13"],
            subject: "uploader", issuedAt: fixture.clock.now, id: id), key: key), as: UTF8.self)
    }
    func post(_ assertion: String) async throws -> HTTPExchange.HTTPResponse {
      try await fixture.post(
        "/v2/OAuth2-13",
        [
          ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"), ("assertion", assertion),
          ("scope", "uri:talks.example.org"),
        ])
    }
    let one = try web("one")
    #expect(try await post(one).status == 200)
    let again = try await post(one)
    #expect(again.status == 401 && again.text.contains("replay.used"), "\(again.text)")
    #expect(again.fields["WWW-Authenticate"] != nil)
    #expect(try await post(web("two")).status == 200)
  }

  @Test("The scheme of an authorization is read in any case, and a 401 says which one")
  func schemes() async throws {
    let fields = [("grant_type", "authorization_code"), ("code", "x")]
    let pair = Base64.encode(Array("client:client+secret".utf8))
    for scheme in ["Basic ", "basic ", "BASIC  "] {
      let response = try await fixture.post(
        "/v2/openid/token", fields, authorization: scheme + pair)
      #expect(response.text.contains("issuing.grant"), "\(response.text)")
    }
    for scheme in ["Bearer", "Digest", "Basics"] {
      let other = try await fixture.post(
        "/v2/openid/token", fields, authorization: scheme + pair)
      #expect(other.status == 401 && !other.text.contains("issuing.grant"))
    }
    let refused = try await fixture.post(
      "/v2/openid/token", fields, authorization: "Basic " + Base64.encode(Array("client:x".utf8)))
    #expect(refused.status == 401)
    #expect(refused.fields["WWW-Authenticate"]?.hasPrefix("Basic ") == true)
    let method = try await fixture.get("/v2/openid/token")
    #expect(method.status == 405 && method.fields["Allow"] == "POST")
  }

  @Test("SVC-4: A verifier for a code that was asked for without a challenge is refused")
  func downgrade() async throws {
    let target =
      "/v2/openid/authorize?response_type=code&client_id=client&scope=openid&whr=Google"
      + "&redirect_uri=https%3A%2F%2Fclient.example%2Fcallback"
    func exchange(_ verifier: String?) async throws -> Int {
      let pressed = try await fixture.press("0", after: fixture.get(target))
      let location = try HTTPURL(try #require(pressed.fields["Location"]))
      let code = try FormReader((location.query ?? "").utf8).require("code")
      #expect(code.utf8.count == 43)
      return try await fixture.post(
        "/v2/openid/token",
        [
          ("grant_type", "authorization_code"), ("client_id", "client"),
          ("client_secret", "client secret"), ("code", code),
          ("redirect_uri", "https://client.example/callback"),
        ] + (verifier.map { [("code_verifier", $0)] } ?? [])
      ).status
    }
    #expect(try await exchange(String(repeating: "v", count: 50)) == 400)
    #expect(try await exchange(nil) == 200)
  }

  @Test("SVC-3: After sign-out nothing of the session is to be had")
  func signedOut() async throws {
    let target =
      "/v2/OAuth2-13/authorize?response_type=code&client_id=uploader&whr=Google"
      + "&scope=uri%3Atalks.example.org&redirect_uri=https%3A%2F%2Fapp.example%2Fcode"
    let pressed = try await fixture.press("0", after: fixture.get(target))
    let location = try HTTPURL(try #require(pressed.fields["Location"]))
    let code = try FormReader((location.query ?? "").utf8).require("code")
    try await fixture.signOut(pressed.cookies, at: "/v2/wsfederation?wa=wsignout1.0")
    let refused = try await fixture.post(
      "/v2/OAuth2-13",
      [
        ("grant_type", "authorization_code"), ("client_id", "uploader"),
        ("client_secret", "pass word"), ("scope", "uri:talks.example.org"), ("code", code),
        ("redirect_uri", "https://app.example/code"),
      ])
    #expect(refused.status == 400 && refused.text.contains("ACS70008"))
  }

  @Test("What the configuration of OpenID Connect leaves out means yes, so it says no")
  func configuration() async throws {
    let json = try JSONParser.parse(
      await fixture.get("/.well-known/openid-configuration").body)
    #expect(json["request_uri_parameter_supported"]?.bool == false)
    #expect(json["request_parameter_supported"]?.bool == false)
    #expect(json["authorization_response_iss_parameter_supported"]?.bool == true)
    #expect(json["subject_types_supported"]?.array?.first?.string == "pairwise")
  }
}
