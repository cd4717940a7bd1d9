public import HTTPExchange
public import TokenBasics

extension MobileFoundation {
  /// The response of a protected resource. Obtains tokens as the resource requires them.
  ///
  /// A request is repeated once for each cause, and up to seven times for a conflict of the server's own
  /// state (409 with `MFP-Conflict`); the next response is final.
  ///
  /// - Parameters:
  ///   - request: To the server of ``init(base:application:device:identities:over:time:observer:)``
  ///     only; its body is repeated with it.
  ///   - scope: The scope that the resource needs; nil to find out from its response.
  /// - Throws: `session.other-origin`; what ``obtainAccessToken(forScope:)`` and the transport throw.
  public func response(
    to request: HTTPRequest, scope: String? = nil
  ) async throws(TokenError) -> HTTPResponse {
    try request.require(base.origin)
    var token: MobileAccessToken?
    if let scope { token = try await obtainAccessToken(forScope: scope) }
    var causes: Set<ResourceObstacle.Cause> = []
    var conflicts = 0
    while true {
      var authorized = request
      authorized.fields.remove("Authorization")
      if let token {
        try authorized.fields.set("Authorization", "Bearer " + token.value.revealed)
      }
      let answer = try await send(authorized)
      guard let obstacle = ResourceObstacle(answer) else { return answer }
      if obstacle == .conflict {
        conflicts += 1
        guard conflicts <= 7 else { return answer }
        continue
      }
      guard causes.insert(obstacle.cause).inserted else { return answer }
      switch obstacle {
      case .noToken: token = try await obtainAccessToken(forScope: scope)
      case .badToken:
        if let token { clearAccessToken(token) }
        token = try await obtainAccessToken(forScope: token?.scope ?? scope)
      case .scope(let wanted): token = try await obtainAccessToken(forScope: wanted)
      case .unknownClient:
        try await forgetIdentity()
        token = try await obtainAccessToken(forScope: token?.scope ?? scope)
      case .conflict: break
      }
    }
  }
}

/// Why a resource rejected a request, where the client can resolve it. A 401 or 403 without the server's
/// own challenge is the response of the resource itself.
enum ResourceObstacle: Equatable {
  enum Cause: Hashable {
    case noToken
    case badToken
    case scope
    case unknownClient
    case conflict
  }

  case noToken
  case badToken
  case scope(String)
  case unknownClient
  case conflict

  var cause: Cause {
    switch self {
    case .noToken: .noToken
    case .badToken: .badToken
    case .scope: .scope
    case .unknownClient: .unknownClient
    case .conflict: .conflict
    }
  }

  init?(_ answer: HTTPResponse) {
    switch answer.status {
    case 400 where MobileRefusal.isUnknownClient(answer): self = .unknownClient
    case 401:
      guard let challenge = BearerChallenge(answer) else { return nil }
      self = challenge["error"] == "invalid_token" ? .badToken : .noToken
    case 403:
      guard let challenge = BearerChallenge(answer), challenge["error"] == "insufficient_scope",
        let scope = challenge["scope"], !scope.isEmpty
      else { return nil }
      self = .scope(scope)
    case 409 where !answer.fields.values("MFP-Conflict").isEmpty: self = .conflict
    default: return nil
    }
  }
}

/// Maps a response with a status that the protocol does not define to an error.
enum MobileRefusal {
  static func read(_ answer: HTTPResponse, _ endpoint: String) -> TokenError {
    if isUnknownClient(answer) { return TokenError(.clientUnknownClient, node: endpoint) }
    let json = try? JSONAnswer.read(answer)
    let code = json?["errorCode"]?.string ?? json?["error"]?.string
    return TokenError(
      (400..<500).contains(answer.status) ? .clientAuthorization : .transportStatus,
      node: endpoint,
      found: "status \(answer.status)" + (code.map { ", \(TokenError.excerpt($0))" } ?? ""))
  }

  /// Whether the server does not know the client, or no longer.
  static func isUnknownClient(_ answer: HTTPResponse) -> Bool {
    guard answer.status == 400, let json = try? JSONAnswer.read(answer) else { return false }
    return json["errorCode"]?.string == "INVALID_CLIENT_ID"
  }
}
