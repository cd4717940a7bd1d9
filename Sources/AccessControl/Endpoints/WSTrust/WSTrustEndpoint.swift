import Octets
import SignIn
import TokenService

extension AccessControlSite {
  static let trustRoute = "/v2/wstrust/13/username"

  /// The WS-Trust endpoint for service identities with a password.
  func securityToken(_ request: WebRequest) async -> HTTPResponse {
    var dialect = Dialect()
    do throws(TokenError) {
      try admit(request)
      let asked = try SecurityTokenRequest(
        parsing: request.body, at: address(Self.trustRoute), now: clock.now, dialect: &dialect)
      let party = try namespace.relyingParty(scope: asked.realm)
      let identity = try identity(asked.name, password: asked.password.revealed, request)
      // After the password, so that nobody fills the store without one (WSS UsernameToken Profile 1.0, 3.1).
      if let nonce = asked.nonce {
        let end = clock.now.advanced(bySeconds: SecurityTokenRequest.nonceMemory)
        guard
          try await isFirstUse(
            "nonce:\(asked.name.utf8.count):\(asked.name)\(nonce)", .begun(clock.now), until: end)
        else {
          throw TokenError(
            .issuingSOAPSecurity, node: "Nonce", expected: "one that is new",
            found: "one that was used")
        }
      }
      let token = try namespace.issue(
        for: identity, to: party, as: asked.format, at: clock.now)
      note(party.realm, identity.name, token.format.name)
      return responder.response(200, dialect.mediaType, try token.message(answering: asked))
    } catch {
      let code = ACSRefusal(error)
      let reason =
        "\(code): \(error.code.summary) (\(error.code.rawValue)). Trace: \(logged(error, code))."
      guard let fault = try? dialect.fault(reason, code) else { return refusal(error) }
      return retrying(
        responder.response(dialect.status(of: code.status), dialect.mediaType, fault), error)
    }
  }
}
