import HTTPExchange
import StrictJSON
import TokenErrors

/// Reads the one sentence with which oPRO refuses. Which of its parts are there is the only diagnosis;
/// what they contain are the secrets that were sent.
enum OPRORefusal {
  static func read(_ answer: HTTPResponse, _ grant: OPROGrant) -> TokenError {
    guard answer.status == 401, let json = try? JSONAnswer.read(answer) else {
      return TokenError(
        .transportStatus, node: "/oauth/token.json", found: "status \(answer.status)")
    }
    if isRateLimit(json) { return TokenError(.clientRateLimited) }
    let message = json["error"]?.string ?? ""
    // The pair of id and secret is looked at first.
    if message.mentions(" based on client_id=") { return TokenError(.clientApplication) }
    return switch grant {
    case .refreshToken: TokenError(.sessionRenewalRefused, node: "/oauth/token.json")
    case .code: TokenError(.clientCode)
    case .password, .custom: TokenError(.clientPassword)
    }
  }

  /// `{"errors":"…"}` with a plural name and a single text.
  static func isRateLimit(_ json: JSONValue) -> Bool {
    json["errors"]?.string?.mentions("rate limited") ?? false
  }
}
