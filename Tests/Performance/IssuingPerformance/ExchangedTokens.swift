import AccessControl
import Federation
import HTTPExchange
import SecurityKeys
import TokenBasics

/// A token that a client exchanges for one for another relying party, at the service itself and without a connection: the
/// posted form in, the answer out.
struct ExchangedTokens {
  private let site: AccessControlSite
  private let request: WebRequest
  /// What is bare: one verification and one signature.
  let bare: () -> Void

  init(signing: SigningKey, _ key: PrivateKey) async throws {
    var chat = RelyingParty(realm: "chat", format: .jwt, ruleGroups: ["all"])
    chat.clientSecret = Secret("secret of chat")
    var api = RelyingParty(realm: "urn:api", format: .jwt, ruleGroups: ["all"])
    api.exchange.clients = ["chat"]
    let namespace = try ServiceNamespace(
      issuer: "https://acs.example/", relyingParties: [chat, api], providers: [],
      identities: [ServiceIdentity(name: "agent", password: Secret("secret of agent"))],
      ruleGroups: [
        RuleGroup("all", rules: [ClaimRule(ClaimCondition(.service, type: .nameIdentifier))])
      ],
      keys: NamespaceKeys(
        signing: signing, identifiers: SymmetricKey(bytes: [UInt8](repeating: 9, count: 32))))
    site = try AccessControlSite(
      NamespaceStore(namespace), pages: NoPages())
    let given = try await Self.token(
      site.respond(
        to: Self.post(
          "/v2/OAuth2-13",
          [
            ("grant_type", "client_credentials"), ("client_id", "agent"),
            ("client_secret", "secret of agent"), ("scope", "chat"),
          ])))
    let type = "urn:ietf:params:oauth:token-type:jwt"
    request = try Self.post(
      "/v2/openid/token",
      [
        ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
        ("audience", "urn:api"), ("subject_token", given), ("subject_token_type", type),
        ("requested_token_type", type), ("client_id", "chat"), ("client_secret", "secret of chat"),
      ])
    let message = [UInt8](repeating: 65, count: 1_000)
    let signature = try signing.sign(message)
    let publicKey = key.publicKey
    bare = {
      guard let digest = DigestAlgorithm.sha256.value(of: message.span) else { return }
      _ = publicKey.isValid(signature.span, forDigest: digest, .rsaSHA256)
      _ = try? signing.sign(message)
    }
    _ = try await Self.token(site.respond(to: request))
  }

  func exchange() async {
    _ = await site.respond(to: request)
  }

  private static func post(_ path: String, _ fields: [(String, String)]) throws -> WebRequest {
    let body = fields.map { FormEncoding.encode($0) + "=" + FormEncoding.encode($1) }
    var request = WebRequest(
      method: "POST", path: path, body: Array(body.joined(separator: "&").utf8))
    try request.fields.append("Content-Type", "application/x-www-form-urlencoded")
    return request
  }

  private static func token(_ answer: HTTPResponse) throws -> String {
    guard answer.status == 200,
      let token = try JSONParser.parse(answer.body)["access_token"]?.string
    else { throw NoToken(answer: String(decoding: answer.body, as: UTF8.self)) }
    return token
  }
}

/// No page is shown here.
private struct NoPages: PageRenderer {
  func html(_ page: SitePage) -> (html: String, policy: String) { ("", "default-src 'none'") }
}

private struct NoToken: Error {
  let answer: String
}
