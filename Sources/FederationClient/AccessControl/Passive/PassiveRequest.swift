public import HTTPExchange
public import Instants
import Octets
public import TokenErrors

/// A sign-in of the WS-Federation passive profile, as the relying party asks for it.
public struct PassiveRequest: Sendable {
  /// Where the token is posted; it must be registered.
  public var wreply: HTTPURL?
  /// The provider to use without asking, by its claim's value: `Google`, `uri:WindowsLiveID`.
  public var whr: String?
  /// How the person is to sign in, as a URI.
  public var wauth: String?
  /// Minutes that a former sign-in may be old; 0 to sign in anew.
  public var wfresh: Int?
  /// False to show the list of providers even where there is one alone.
  public var redirects = true

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
  /// Where the browser goes to sign in.
  /// - Parameter state: What comes back as `wctx`: a handle of ``PendingSignIns``, nothing that means
  ///   anything to others.
  /// - Throws: `transport.malformed-address`.
  public func signInAddress(
    _ request: PassiveRequest = PassiveRequest(), state: String, at now: Instant
  ) throws(TokenError) -> HTTPURL {
    var parameters = [("wa", "wsignin1.0"), ("wtrealm", realm)]
    if let wreply = request.wreply { parameters.append(("wreply", wreply.text)) }
    parameters.append(("wctx", state))
    parameters.append(("wct", Instant(secondsSinceEpoch: now.seconds).rfc3339))
    if let whr = request.whr, !whr.isEmpty { parameters.append(("whr", whr)) }
    if let wauth = request.wauth, !wauth.isEmpty { parameters.append(("wauth", wauth)) }
    if let wfresh = request.wfresh { parameters.append(("wfresh", "\(max(0, wfresh))")) }
    if !request.redirects { parameters.append(("redirect", "false")) }
    return try address("/v2/wsfederation").adding(parameters)
  }

  /// The page on which the service itself lists the providers, for a first look by hand: `ACS50011`
  /// there means that no return URL is registered.
  /// - Throws: `transport.malformed-address`.
  public func hostedSignInAddress() throws(TokenError) -> HTTPURL {
    try address("/v2/wsfederation").adding([("wa", "wsignin1.0"), ("wtrealm", realm)])
  }

  /// Where the browser goes to sign out of the service.
  /// - Parameter wreply: Where it goes afterwards.
  /// - Throws: `transport.malformed-address`.
  public func signOutAddress(wreply: HTTPURL? = nil) throws(TokenError) -> HTTPURL {
    var parameters = [("wa", "wsignout1.0"), ("wtrealm", realm)]
    if let wreply { parameters.append(("wreply", wreply.text)) }
    return try address("/v2/wsfederation").adding(parameters)
  }
}
