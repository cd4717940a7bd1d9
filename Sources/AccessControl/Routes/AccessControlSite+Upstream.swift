import BrowserExchange
import SignIn
import TokenService

extension AccessControlSite {
  /// A request of a sign-in at a real provider. What it is refused for reaches the relying party, with its number, as it
  /// does from the page of invented people.
  func atProvider(_ upstream: SignInSite, _ request: SiteRequest) async -> HTTPResponse {
    do throws(TokenError) {
      return try await upstream.answer(to: request)
    } catch {
      let start = "/v2/continue?"
      guard Self.isOfProvider(error), let path = upstream.returnPath(of: request)?.text,
        path.hasPrefix(start), let query = try? FormReader(path.dropFirst(start.utf8.count).utf8),
        let context = try? SignInContext(token: query["cx"] ?? ""),
        let (party, provider) = try? resolved(context)
      else { return await upstream.refusal(error, request) }
      return refusal(
        Self.isCancelled(error) ? TokenError(.issuingCancelled) : error, context, party, provider)
    }
  }

  /// Whether the provider is the cause, and not a browser that comes twice or a store that is away.
  private static func isOfProvider(_ error: TokenError) -> Bool {
    !SignInSite.isRepetition(error) && error.code != .inputTooLarge
      && !["store", "replay"].contains(error.code.family)
      && !error.code.rawValue.hasPrefix("signin.session")
  }

  /// OAuth 2.0, RFC 6749, 4.1.2.1.
  private static func isCancelled(_ error: TokenError) -> Bool {
    error.code == .signInRefused && error.found?.contains("access_denied") == true
  }
}
