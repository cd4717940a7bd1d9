import Octets
import SingleSignOn

extension SignInSite {
  /// `openid/callback`: the answer of an OpenID provider. Its `state` names the pending sign-in, and that names the
  /// provider.
  func finishOpenID(_ request: SiteRequest) async throws(TokenError) -> HTTPResponse {
    let message = request.message
    var first: TokenError?
    for provider in providers {
      guard case .openID(let party) = provider.exchange else { continue }
      do throws(TokenError) {
        // Providers may differ in where their answers come; the state is read the same way by all.
        let pending = try pending(try party.request(of: message), .openID, request)
        guard pending.issuer.hasSameBytes(as: party.issuer) else { continue }
        let signIn = try await party.finish(message, pending: pending, used: used, at: clock.now)
        return try await self.signIn(
          signIn.principal, provider, pending, request, idToken: signIn.idToken)
      } catch {
        // Another provider's way of answering is no reason to stop.
        guard error.code == .clientContentType else { throw error }
        first = first ?? error
      }
    }
    throw first ?? TokenError(.signInProvider)
  }

  /// `POST openid/logout`: a logout token that a provider posts (OpenID Connect Back-Channel Logout 1.0, 2.5).
  func endOpenID(_ request: SiteRequest) async throws(TokenError) -> HTTPResponse {
    var last: TokenError?
    for provider in providers {
      guard case .openID(let party) = provider.exchange else { continue }
      let logout: OpenIDLogout
      do throws(TokenError) {
        logout = try await party.logoutToken(request.message, used: used, at: clock.now)
      } catch {
        last = error
        continue
      }
      if let ended = logout.ended { _ = try await sessions.remove(ended) }
      observer.happened(Activity("signout.demanded", [("source", provider.id)]))
      return response(200, "text/plain; charset=utf-8", [])
    }
    throw last ?? TokenError(.signInProvider)
  }
}
