import AccessControl
import HTTPExchange
import SAML
import SecurityKeys
import SignIn
import TestSupport
import Testing
import TokenBasics

/// The ways of people in a browser.
extension DoorFixture {
  func enter(inBrowser entrance: DoorEntrance, _ change: Change) async throws -> DoorAnswer {
    switch entrance {
    case .federation:
      let begun = try await get(
        Self.query(
          "/v2/wsfederation",
          [
            ("wa", "wsignin1.0"), ("wtrealm", DoorWorld.realm), ("wreply", DoorWorld.reply),
            ("whr", "test"),
          ]))
      return try federated(try await signIn(begun, change))
    case .feed, .notify: return try await enter(byFeed: entrance, change)
    case .saml: return try await saml(change)
    case .draft13: return try await draft13(change)
    case .registered, .registeredResource, .document: return try await stranger(entrance, change)
    default: return try await openID(entrance, change)
    }
  }

  private func federated(_ response: HTTPExchange.HTTPResponse) throws -> DoorAnswer {
    try Self.read(response) { response in
      let result = PlainPages.field("wresult", in: response.text)
      guard let token = Self.assertion(in: result) else {
        let isGiven = !result.isEmpty || response.text.contains("window.external.Notify")
        return isGiven ? DoorTokens() : nil
      }
      return DoorTokens(
        token: token, type: ExchangeFixture.type + "saml2", cookies: response.cookies)
    }
  }

  private func enter(byFeed entrance: DoorEntrance, _ change: Change) async throws -> DoorAnswer {
    let isPage = entrance == .feed
    var parameters = [
      ("protocol", isPage ? "wsfederation" : "javascriptnotify"), ("realm", DoorWorld.realm),
      ("version", "1.0"),
    ]
    if isPage { parameters.append(("reply_to", DoorWorld.reply)) }
    let feed = try await get(Self.query("/v2/metadata/identityproviders.js", parameters))
    guard feed.status == 200 else { return try federated(feed) }
    let providers = try JSONParser.parse(feed.body).array ?? []
    let link = providers.first { $0["Name"]?.string == "test" }?["LoginUrl"]?.string
    guard let link else { return .refused("the provider is not in the feed") }
    return try federated(try await signIn(at: HTTPURL(link).target, change))
  }

  private func saml(_ change: Change) async throws -> DoorAnswer {
    let endpoint = try HTTPURL("https://acs.example/v2/saml/sso")
    let service = try SiteFixture.service(DoorWorld.realm, signs: false)
    let provider = IdentityProvider(
      entityID: ExchangeFixture.issuer, signOn: [.init(.redirect, endpoint)],
      wantsSignedRequests: false)
    let begun = try service.begin(at: provider, at: upstream.clock.now)
    let asked = try await get(begun.action.address.target + "&whr=test")
    let response = try await signIn(asked, change)
    let sent = PlainPages.field("SAMLResponse", in: response.text)
    let message =
      sent.isEmpty ? "" : String(decoding: try Base64.decode(Array(sent.utf8)), as: UTF8.self)
    guard !message.contains("status:Success\"") else {
      return try Self.read(response) { response in
        DoorTokens(
          token: Self.assertion(in: message) ?? "", type: ExchangeFixture.type + "saml2",
          cookies: response.cookies)
      }
    }
    // A response that says why there is no assertion is posted, too.
    return response.status == 200 && !message.isEmpty
      ? .refused(message) : try Self.read(response) { _ in nil }
  }

  // MARK: Codes

  private func draft13(_ change: Change) async throws -> DoorAnswer {
    let begun = try await get(
      Self.query(
        "/v2/OAuth2-13/authorize",
        [
          ("client_id", "game"), ("redirect_uri", "https://game.example/code"),
          ("scope", DoorWorld.realm), ("response_type", "code"), ("whr", "test"),
        ]))
    let response = try await signIn(begun, change)
    return try await redeemed(
      response, change,
      DoorRequest(
        path: "/v2/OAuth2-13",
        fields: [
          ("grant_type", "authorization_code"), ("client_id", Self.game.id),
          ("client_secret", Self.game.secret), ("scope", DoorWorld.realm),
          ("redirect_uri", "https://game.example/code"),
        ]), type: ExchangeFixture.type + "saml2")
  }

  private func openID(_ entrance: DoorEntrance, _ change: Change) async throws -> DoorAnswer {
    let isResource = entrance == .resource
    let client = isResource ? Self.chat : Self.shop
    let redirect = isResource ? "https://chat.example/callback" : DoorWorld.reply
    // Scopes of the resource alone: without an ID token its access token is all that is given.
    var parameters = [
      ("response_type", "code"), ("client_id", client.id), ("redirect_uri", redirect),
      ("scope", (isResource ? "read" : "openid") + (isOffline ? " offline_access" : "")),
      ("state", "s"),
      ("code_challenge", OAuthFixture.challenge), ("code_challenge_method", "S256"),
    ]
    if isResource { parameters.append(("resource", DoorWorld.realm)) }
    if entrance == .formPost { parameters.append(("response_mode", "form_post")) }
    return try await openID(entrance, parameters, client, redirect, change)
  }

  /// Signs in to a client that no file names.
  private func stranger(_ entrance: DoorEntrance, _ change: Change) async throws -> DoorAnswer {
    let redirect = "https://agent.example/callback"
    let metadata = "\"client_name\": \"Agent\", \"redirect_uris\": [\"\(redirect)\"]}"
    var id = "https://agent.example/client.json"
    if entrance == .document {
      try documents.publish("{\"client_id\": \"\(id)\", " + metadata, at: id)
    } else {
      var request = WebRequest(
        method: "POST", path: "/v2/openid/register", body: Array(("{" + metadata).utf8))
      try request.fields.append("Content-Type", "application/json")
      let made = await upstream.site.respond(to: request)
      id = try #require(try JSONParser.parse(made.body)["client_id"]?.string, "\(made.text)")
    }
    var parameters = [
      ("response_type", "code"), ("client_id", id), ("redirect_uri", redirect), ("state", "s"),
      ("scope", entrance == .registeredResource ? "read" : "openid"),
      ("code_challenge", OAuthFixture.challenge), ("code_challenge_method", "S256"),
    ]
    if entrance == .registeredResource { parameters.append(("resource", DoorWorld.realm)) }
    let answer = try await openID(entrance, parameters, (id, ""), redirect, change)
    guard case .given(var tokens) = answer else { return answer }
    tokens.stranger = id
    return .given(tokens)
  }

  /// - Parameters:
  ///   - parameters: The request, without the provider.
  ///   - client: Its name and secret; without one it is a public client.
  func openID(
    _ entrance: DoorEntrance, _ parameters: [(String, String)],
    _ client: (id: String, secret: String), _ redirect: String, _ change: Change
  ) async throws -> DoorAnswer {
    var parameters = parameters
    if entrance == .pushed {
      let pushed = try await post(
        "/v2/openid/par", parameters + [("whr", "test")], client: client)
      guard pushed.status == 201 else { return try Self.read(pushed) { _ in nil } }
      let name = try JSONParser.parse(pushed.body)["request_uri"]?.string ?? ""
      parameters = [("client_id", client.id), ("request_uri", name)]
    }
    let begun = try await get(
      Self.query("/v2/openid/authorize", parameters + [("whr", "test")]))
    // To a client that no file names people go by a page, with the providers that they may choose.
    if DoorEntrance.strangers.contains(entrance), begun.status == 200,
      !begun.text.contains("link test ")
    {
      return .refused("the provider is not on the page")
    }
    let response = try await signIn(begun, change)
    return try await redeemed(
      response, change,
      DoorRequest(
        fields: [
          ("grant_type", "authorization_code"), ("redirect_uri", redirect),
          ("code_verifier", OAuthFixture.verifier), ("client_id", client.id),
        ], client: client.secret.isEmpty ? nil : client),
      type: ExchangeFixture.type + "access_token")
  }

  /// Redeems the code with which the browser came back.
  private func redeemed(
    _ response: HTTPExchange.HTTPResponse, _ change: Change, _ request: DoorRequest, type: String
  ) async throws -> DoorAnswer {
    guard response.status < 400 else { return try Self.read(response) { _ in nil } }
    let (code, error) = try returned(response)
    guard let code else {
      return error.map { .refused($0) } ?? .broken("\(response.status) \(response.text)")
    }
    try change(.code)
    var request = request
    request.fields.append(("code", code))
    let answer = try await send(request)
    if case .refused(let text) = answer { return .refusedLate(text) }
    guard case .given(var tokens) = answer else { return answer }
    tokens.redeeming = request
    tokens.cookies = response.cookies
    tokens.type = type
    if type.hasSuffix("saml2") { tokens.token = Base64.encode(Array(tokens.token.utf8), .url) }
    return .given(tokens)
  }
}
