import BrowserExchange
public import HTTPExchange
import StrictJSON
public import TokenErrors

extension OPROService {
  /// The result of the server's test of the credential (`GET /oauth_tests/show_me_the_money.json`).
  ///
  /// - Parameter transport: One that adds the credential; to diagnose the credential itself, one that does
  ///   not renew it.
  /// - Throws: `transport.*`, `input.json-*`.
  public func diagnose(over transport: any HTTPTransport) async throws(TokenError) -> OPRODiagnosis
  {
    let answer = try await send(.get, ["oauth_tests", "show_me_the_money.json"], [], transport)
    guard answer.status == 200 || answer.status == 401,
      let diagnosis = OPRODiagnosis(try JSONAnswer.read(answer), httpStatus: answer.status)
    else {
      throw TokenError(
        .transportMalformedResponse, node: "/oauth_tests",
        expected: "the tester's message with status 200 or 401", found: "status \(answer.status)")
    }
    return diagnosis
  }

  /// The user's data (`GET /users/me.json`).
  ///
  /// - Parameter transport: One that adds the credential (``AuthorizedTransport``).
  /// - Throws: `session.over` for a rejected credential; `transport.*`, `input.json-*`.
  public func profile(over transport: any HTTPTransport) async throws(TokenError) -> OPROProfile {
    try profile(try await send(.get, ["users", "me.json"], [], transport))
  }

  /// Changes the user's data (`PUT /users/me.json`); needs the permission to write.
  ///
  /// - Returns: The data after the change; ``OPROProfile/dropped(of:)`` lists what was not stored.
  /// - Throws: `client.permission` if the user granted reading only; as ``profile(over:)``.
  public func update(
    _ attributes: [String: String], over transport: any HTTPTransport
  ) async throws(TokenError) -> OPROProfile {
    var json = JSONWriter()
    json.object { json in
      json.name("user")
      json.object { json in
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
          json.name(text: name)
          json.string(value)
        }
      }
    }
    let answer = try await send(.put, ["users", "me.json"], json.bytes, transport)
    // Without the permission the engine treats the request as unauthenticated; for CSRF it sends 422.
    if answer.status == 403 || answer.status == 422 {
      throw TokenError(.clientPermission, node: "/users/me.json", found: "status \(answer.status)")
    }
    return try profile(answer)
  }

  private func profile(_ answer: HTTPResponse) throws(TokenError) -> OPROProfile {
    switch answer.status {
    case 200: return try OPROProfile(try JSONAnswer.read(answer))
    case 401: throw TokenError(.sessionOver, node: "/users/me.json")
    default:
      throw answer.unexpected(at: "/users/me.json")
    }
  }

  private func send(
    _ method: HTTPMethod, _ path: [String], _ body: [UInt8], _ transport: any HTTPTransport
  ) async throws(TokenError) -> HTTPResponse {
    var fields = try HTTPFields([("Accept", "application/json")])
    if !body.isEmpty { try fields.append("Content-Type", "application/json") }
    return try await transport.response(
      to: HTTPRequest(method, try root.appending(path), fields: fields, body: body))
  }
}
