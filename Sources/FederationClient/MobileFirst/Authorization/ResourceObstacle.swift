import HTTPExchange

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
