import HTTPExchange
import Octets
import SecurityKeys
import SignIn
import TokenBasics

/// `/v2/openid/register` (RFC 7591): clients describe themselves. They are public clients with a proof key.
struct RegistrationEndpoint: Endpoint {
  let service: IssuingService
  let register: ClientRegister

  static let path = "/v2/openid/register"

  var routes: [Route] {
    [
      Route(
        Self.path, for: Route.Programs { error in refusal(error) }, post: registerClient)
    ]
  }

  private func registerClient(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    try await checkToken(request)
    try service.limits.registrations.take(request.peer ?? "")
    guard let type = request.contentType, Self.isJSON(type) else {
      throw TokenError(
        .registrationMetadata, node: "Content-Type", expected: "application/json",
        found: request.contentType.map { TokenError.excerpt($0) })
    }
    guard request.body.count <= Self.mostOctets else {
      throw TokenError(
        .registrationMetadata, expected: "at most \(Self.mostOctets) octets",
        found: "\(request.body.count)")
    }
    let json: JSONValue
    do throws(TokenError) {
      json = try JSONParser.parse(request.body)
    } catch {
      throw TokenError(.registrationMetadata, expected: "JSON", found: "\(error.code)")
    }
    let client = try await service.register(
      ClientDescription(json, isExact: false), among: register.settings.most,
      from: request.peer)
    service.observer.happened(
      Activity("issuing.client-registered", [("client", client.id)]))
    return answer(client)
  }

  /// - Throws: `registration.token`, `issuing.rate`.
  private func checkToken(_ request: WebRequest) async throws(TokenError) {
    guard let known = register.settings.token else { return }
    let field = request.fields["Authorization"] ?? ""
    guard !field.allSatisfy({ $0 == " " }) else {
      throw TokenError(.registrationToken, found: "none", .noToken)
    }
    let token = BearerToken.token(of: field)
    try await service.guesses.judge(
      token, against: known, of: "registration", from: request.peer ?? ""
    ) {
      () throws(TokenError) in
      guard let token, known.isSame(as: token) else {
        throw TokenError(.registrationToken, found: "another one")
      }
    }
  }

  /// What was registered, which may be less than what was asked for (RFC 7591, 3.2.1).
  private func answer(_ client: RegisteredClient) -> HTTPResponse {
    var json = JSONWriter()
    json.object { json in
      json.member("client_id", client.id)
      json.name("client_id_issued_at")
      json.integer(Int(client.issued.seconds))
      client.description.write(to: &json)
      json.member("token_endpoint_auth_method", "none")
      json.name("grant_types")
      json.array { json in
        json.string("authorization_code")
        json.string("refresh_token")
      }
      json.name("response_types")
      json.array { json in json.string("code") }
    }
    return service.responder.response(201, "application/json", json.bytes)
  }

  /// RFC 7591, 3.2.2; RFC 6750, 3, for the token.
  private func refusal(_ error: TokenError) -> HTTPResponse {
    let refusal = ACSRefusal(error)
    let trace = service.logged(error, refusal)
    let answer = ErrorAnswer(error)
    let name = answer.name ?? refusal.ownFault ?? .invalidRequest
    var response = service.refusal(
      name, error, answer.status ?? refusal.status, reference: trace)
    if error.code == .registrationToken {
      try? response.fields.append(
        "WWW-Authenticate", BearerToken.challenge(error.reason == .noToken ? nil : name.rawValue))
    }
    return service.retrying(response, error)
  }

  private static func isJSON(_ type: String) -> Bool {
    type.prefix { $0 != ";" && $0 != " " }.utf8.map(ASCII.lowercased)
      == Array("application/json".utf8)
  }

  /// Of what a client says of itself: 64 KiB.
  private static let mostOctets = 64 << 10
}
