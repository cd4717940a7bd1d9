import BrowserExchange
import HTTPExchange
import StrictJSON
import TokenErrors

/// Reads oPRO's error message. Only the presence of its parts is evaluated; their content is the secrets
/// that were sent.
enum OPRORefusal {
  static func read(_ answer: HTTPResponse, _ grant: OPROGrant) -> TokenError {
    guard answer.status == 401, let json = try? JSONAnswer.read(answer) else {
      return answer.unexpected(at: "/oauth/token.json")
    }
    if isRateLimit(json) { return TokenError(.clientRateLimited) }
    let message = json["error"]?.string ?? ""
    // The server checks the pair of id and secret first.
    if message.mentions(" based on client_id=") { return TokenError(.clientApplication) }
    return switch grant {
    case .refreshToken: TokenError(.sessionRenewalRefused, node: "/oauth/token.json")
    case .code: TokenError(.clientCode)
    case .password, .custom: TokenError(.clientPassword)
    }
  }

  /// Whether the body is `{"errors":"…"}` with the text of a rate limit.
  static func isRateLimit(_ json: JSONValue) -> Bool {
    json["errors"]?.string?.mentions("rate limited") ?? false
  }
}
