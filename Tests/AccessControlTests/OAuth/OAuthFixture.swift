import AccessControl
import HTTPExchange
import JSONWebTokens
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// A service with a confidential client, a public one and an API, and two people to sign in as.
struct OAuthFixture {
  static let verifier = String(repeating: "v", count: 43)
  static let api = "https://api.example/mcp"
  let site: SiteFixture

  init(
    web: [WebSigningKey] = [], issuer: String = "https://acs.example/",
    rates: RequestRates = RequestRates(), registration: ClientRegistration? = nil,
    transport: (any HTTPTransport)? = nil, observer: any ActivityObserver = NoObserver(),
    _ edit: (inout [RelyingParty]) -> Void = { _ in }
  ) throws {
    func party(_ realm: String, _ address: String, secret: String? = nil) throws -> RelyingParty {
      var party = RelyingParty(realm: realm, name: realm, format: .jwt, ruleGroups: ["all"])
      party.returnAddresses = [try HTTPURL(address)]
      party.clientSecret = secret.map { Secret($0) }
      return party
    }
    var resource = RelyingParty(realm: Self.api, format: .jwt, ruleGroups: ["all"])
    resource.exchange.resourceClients = ["chat", "app"]
    resource.exchange.scopes = ["read", "write"]
    resource.clientSecret = Secret("secret of api")
    let people = ["Mia", "Tom"].map { name in
      TestPerson(
        name: name,
        claims: ClaimSet([
          Claim(.nameIdentifier, name.lowercased()), Claim(.name, name),
          Claim(.emailAddress, "\(name.lowercased())@example.org"), Claim("urn:team", "red"),
          Claim("urn:team", "blue"),
        ]))
    }
    var google = ACSIdentityProvider(id: "Google", name: "Google", .testPeople(people))
    google.mailDomains = ["example.org"]
    var parties = [
      try party("chat", "https://chat.example/callback", secret: "secret of chat"),
      try party("other", "https://other.example/callback", secret: "secret of other"),
      try party("app", "http://127.0.0.1/callback"), resource,
    ]
    edit(&parties)
    site = try SiteFixture(
      ServiceNamespace(
        issuer: issuer, relyingParties: parties, providers: [google],
        ruleGroups: [
          RuleGroup("all", rules: [ClaimRule(ClaimCondition(.provider("Google")))])
        ],
        keys: NamespaceKeys(
          signing: try SiteFixture().signing, web: web,
          identifiers: SymmetricKey(bytes: SiteFixture.identifiers))),
      rates: rates, registration: registration, transport: transport, observer: observer)
  }

  static var challenge: String {
    Base64.encode(DigestAlgorithm.sha256.digest(of: Array(verifier.utf8)) ?? [], .url)
  }

  static func address(_ client: String) -> String {
    client == "app" ? "http://127.0.0.1:4711/callback" : "https://\(client).example/callback"
  }

  static func parameters(
    _ client: String, _ changes: [String: String?] = [:]
  ) -> [(String, String)] {
    let all: [String: String?] = [
      "response_type": "code", "client_id": client, "scope": "openid profile email",
      "state": "s", "nonce": "n", "redirect_uri": address(client), "code_challenge": challenge,
      "code_challenge_method": "S256",
    ]
    return all.merging(changes) { $1 }.compactMap { name, value in value.map { (name, $0) } }
  }

  static func target(_ client: String = "chat", _ changes: [String: String?] = [:]) -> String {
    "/v2/openid/authorize?"
      + parameters(client, changes).map { $0 + "=" + HTTPURL.percentEncoded($1) }
      .joined(separator: "&")
  }

  /// The parameters at the client, and the cookies of the browser.
  func answer(
    _ client: String = "chat", _ changes: [String: String?] = [:], person: String = "0"
  ) async throws -> (parameters: FormReader, cookies: String) {
    let begun = try await site.get(Self.target(client, changes))
    let response =
      begun.fields["Location"]?.hasPrefix("https://acs.example/") == true
      ? try await site.press(person, after: begun) : begun
    let location = try HTTPURL(try #require(response.fields["Location"], "\(response.text)"))
    return (try FormReader((location.query ?? "").utf8), response.cookies)
  }

  /// The answer of an endpoint to a client.
  func post(
    _ path: String, _ fields: [(String, String?)], as client: String? = "chat"
  ) async throws -> (status: Int, json: JSONValue, response: HTTPExchange.HTTPResponse) {
    var authorization: String?
    if let client {
      let secret = client == Self.api ? "secret of api" : "secret of \(client)"
      authorization =
        "Basic "
        + Base64.encode(
          Array((HTTPURL.percentEncoded(client) + ":" + HTTPURL.percentEncoded(secret)).utf8))
    }
    let response = try await site.post(
      path, fields.compactMap { name, value in value.map { (name, $0) } },
      authorization: authorization)
    return (response.status, try JSONParser.parse(response.body), response)
  }

  func redeem(
    _ code: String, _ client: String = "chat", _ changes: [String: String?] = [:]
  ) async throws -> (status: Int, json: JSONValue, response: HTTPExchange.HTTPResponse) {
    let fields: [String: String?] = [
      "grant_type": "authorization_code", "code": code, "redirect_uri": Self.address(client),
      "code_verifier": Self.verifier, "client_id": client == "app" ? "app" : nil,
    ]
    return try await post(
      "/v2/openid/token", fields.merging(changes) { $1 }.map { ($0.key, $0.value) },
      as: client == "app" ? nil : client)
  }

  /// Signs a person in: what the token endpoint gives.
  func tokens(
    _ client: String = "chat", _ changes: [String: String?] = [:]
  ) async throws -> JSONValue {
    let answer = try await answer(client, changes)
    let redeemed = try await redeem(try answer.parameters.require("code"), client)
    #expect(redeemed.status == 200, "\(redeemed.response.text)")
    return redeemed.json
  }

  func refresh(
    _ token: String, _ client: String = "chat", _ changes: [String: String?] = [:]
  ) async throws -> (status: Int, json: JSONValue, response: HTTPExchange.HTTPResponse) {
    let fields: [String: String?] = [
      "grant_type": "refresh_token", "refresh_token": token,
      "client_id": client == "app" ? "app" : nil,
    ]
    return try await post(
      "/v2/openid/token", fields.merging(changes) { $1 }.map { ($0.key, $0.value) },
      as: client == "app" ? nil : client)
  }

  func userInfo(_ token: String?, method: String = "GET") async throws -> HTTPExchange.HTTPResponse
  {
    var request = WebRequest(method: method, path: "/v2/openid/userinfo")
    if let token { try request.fields.append("Authorization", "Bearer \(token)") }
    return await site.site.respond(to: request)
  }
}
