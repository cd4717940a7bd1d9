import Octets
import SignIn
import TokenService

extension AccessControlSite {
  static let trustRoute = "/v2/wstrust/13/username"

  /// The WS-Trust endpoint for service identities with a password.
  func securityToken(_ request: SiteRequest) -> HTTPResponse {
    var dialect = Dialect()
    do throws(TokenError) {
      try admit(request)
      let asked = try SecurityTokenRequest(
        parsing: request.body, at: address(Self.trustRoute), now: clock.now, dialect: &dialect)
      let party = try namespace.relyingParty(scope: asked.realm)
      let identity = try namespace.identity(asked.name, password: asked.password.revealed)
      let token = try namespace.issue(
        for: identity, to: party, as: asked.format, at: clock.now)
      note(party.realm, identity.name, token.format.name)
      return responder.response(200, dialect.mediaType, try token.message(answering: asked))
    } catch {
      let code = AccessControlCode(error)
      let reason =
        "\(code): \(error.code.summary) (\(error.code.rawValue)). Trace: \(logged(error, code))."
      guard let fault = try? dialect.fault(reason, code) else { return refusal(error) }
      return retrying(
        responder.response(dialect.status(of: code.status), dialect.mediaType, fault), error)
    }
  }
}
