public import HTTPExchange
public import Instants
public import TokenErrors

/// The optional parameters of a sign-in request (WS-Federation passive profile).
public struct PassiveRequest: Sendable {
  /// The address to which the token is posted; it must be a registered return URL.
  public var wreply: HTTPURL?
  /// The provider to use without a prompt, as in the identity provider claim: `Google`, `uri:WindowsLiveID`.
  public var whr: String?
  /// The required authentication method, as a URI.
  public var wauth: String?
  /// The maximum age of an earlier sign-in in minutes; 0 forces a new one.
  public var wfresh: Int?
  /// False to show the list of providers even if it has a single entry.
  public var redirects = true

  /// A request with these parameters; nil leaves a parameter out.
  public init(
    wreply: HTTPURL? = nil, whr: String? = nil, wauth: String? = nil, wfresh: Int? = nil
  ) {
    self.wreply = wreply
    self.whr = whr
    self.wauth = wauth
    self.wfresh = wfresh
  }
}

extension AccessControlService {
  /// The address that the browser opens to sign in.
  ///
  /// - Parameters:
  ///   - request: What the request asks for.
  ///   - state: Returned as `wctx`. Use an opaque value, such as ``SealedSignIns/Begun/state``.
  ///   - now: The clock, read once by the caller.
  /// - Throws: `transport.malformed-address`.
  public func signInAddress(
    _ request: PassiveRequest = PassiveRequest(), state: String, at now: Instant
  ) throws(TokenError) -> HTTPURL {
    var parameters = PassiveRequestParameters.signIn(
      realm: realm, reply: request.wreply, state: state, homeRealm: request.whr,
      authenticationType: request.wauth, freshness: request.wfresh, at: now)
    if !request.redirects { parameters.append(("redirect", "false")) }
    return try address("/v2/wsfederation").adding(parameters)
  }

  /// The page on which the service itself lists the providers, for a check by hand: `ACS50011` on it means
  /// that no return URL is registered.
  /// - Throws: `transport.malformed-address`.
  public func hostedSignInAddress() throws(TokenError) -> HTTPURL {
    try address("/v2/wsfederation").adding([("wa", "wsignin1.0"), ("wtrealm", realm)])
  }

  /// The address that the browser opens to sign out of the service.
  /// - Parameter wreply: The address that the browser opens afterwards.
  /// - Throws: `transport.malformed-address`.
  public func signOutAddress(wreply: HTTPURL? = nil) throws(TokenError) -> HTTPURL {
    try address("/v2/wsfederation").adding(
      PassiveRequestParameters.signOut(realm: realm, reply: wreply))
  }
}
