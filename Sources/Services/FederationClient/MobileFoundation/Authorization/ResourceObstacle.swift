import HTTPExchange
import Octets
import TokenErrors

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
