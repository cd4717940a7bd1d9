public import HTTPExchange
public import TokenErrors

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
