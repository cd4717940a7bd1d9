import Federation
public import HTTPExchange

/// What came to the endpoint of a WS-Federation relying party.
public enum PassiveAnswer: Sendable {
  /// A token, not verified.
  case token(PassiveToken)
  /// The person signed out elsewhere. End the session that this browser's own cookie names, if there is
  /// one, whoever asks (WSF-11). Then answer with an image, or send a browser that was redirected here back
  /// to `reply`, if that is an address of a known issuer and of nobody else.
  case signOutCleanup(reply: HTTPURL?)
}

/// A posted token, parsed and not verified.
public struct PassiveToken: Sendable {
  let token: AnyToken
  let context: String?

  /// The identifier of the request that `wctx` names; it only finds the pending sign-in.
  ///
  /// - Throws: `signin.unsolicited` without a `wctx`.
  public var request: String {
    get throws(TokenError) {
      guard let context, !context.isEmpty else { throw TokenError(.signInUnsolicited) }
      return context
    }
  }
}
