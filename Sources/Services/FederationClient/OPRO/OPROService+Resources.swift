public import HTTPExchange
public import TokenBasics

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
          json.member(named: name, value)
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

/// A user's data at the server.
public struct OPROProfile: Hashable, Sendable {
  /// The user's number at the server.
  public let id: Int
  /// The attributes whose values are strings, such as `email`, `twitter`, `zip`.
  public let attributes: [String: String]

  /// The attribute `email`, if there is one.
  public var email: String? { attributes["email"] }

  /// The names in `wanted` whose value the server did not store. It silently drops attributes that a
  /// program may not change.
  public func dropped(of wanted: [String: String]) -> Set<String> {
    Set(wanted.filter { attributes[$0.key] != $0.value }.keys)
  }

  init(_ json: JSONValue) throws(TokenError) {
    guard let members = json.members, let id = json["id"]?.integer else {
      throw JSONAnswer.malformed("an object with a number id", found: json.kindName)
    }
    self.id = id
    attributes = Dictionary(
      members.compactMap { name, value in value.string.map { (name, $0) } },
      uniquingKeysWith: { first, _ in first })
  }
}

/// The result of the server's test of a token.
public struct OPRODiagnosis: Hashable, Sendable {
  /// Why a request is not authenticated as the user, by the text in the server's message.
  public enum Finding: String, CaseIterable, Hashable, Sendable {
    /// The header did not arrive: a proxy removed it, or it is misspelled.
    case noToken = "No OAuth token provided"
    /// The application does not accept tokens at this address.
    case notAllowed = "`Allow OAuth` is set to false"
    /// The token is unknown: replaced by another login, or expired. The test does not distinguish them.
    case unknownToken = "OAuth user not found"
    /// The request exceeds a rate limit.
    case rateLimited = "rate limited"
    /// The token lacks the permission for the request.
    case notPermitted = "not permitted"
    /// The request writes, and the user granted reading only.
    case writeRequired = "write permission required"
  }

  /// Whether the server accepts the token (both statuses are 200).
  public let isWorking: Bool
  /// The user's number at the server, if the token is accepted.
  public let userID: Int?
  /// The reasons in the message; empty if the token is accepted.
  public let findings: Set<Finding>

  /// `status` is a number on success and text on failure. `params`, which repeats the request with its
  /// secrets, is not read.
  init?(_ json: JSONValue, httpStatus: Int) {
    guard let message = json["message"]?.string, let status = json["status"] else { return nil }
    guard status.integer != nil || status.string != nil else { return nil }
    isWorking = httpStatus == 200 && status.integer == 200
    userID = json["user_id"]?.integer
    findings =
      isWorking
      ? [] : Set(Finding.allCases.filter { finding in message.contains(finding.rawValue) })
  }
}
