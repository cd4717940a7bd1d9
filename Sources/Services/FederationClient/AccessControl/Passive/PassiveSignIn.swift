public import Federation
public import HTTPExchange
public import TokenBasics

/// The WS-Federation passive profile: the service sends the browser back with a form that holds the token.
public struct PassiveSignIn: Sendable {
  /// The result of a request to the return URL or error URL.
  public enum Outcome: Sendable {
    /// The sign-in succeeded. Begin a new session for this browser; do not reuse an older one.
    case signedIn(AccessControlToken, returnPath: ReturnPath?)
    /// The person cancelled at the provider.
    case cancelled
    /// The service reported an error. It is unauthenticated: for display only.
    case failed(AccessControlFailure)
    /// The user signed out elsewhere. End the session that this browser's own cookie names, if there is
    /// one, and respond with ``PassiveSignIn/cleanupAnswer``.
    case signOutCleanup
  }

  /// The namespace and realm to sign in at.
  public let service: AccessControlService
  /// Issuers and keys for verification of the token.
  public let trust: Trust
  private let signIns: SealedSignIns
  private let used: any ReplayStore
  private let time: any TimeSource

  /// A passive sign-in for one site, to be shared by all requests.
  ///
  /// - Parameters:
  ///   - service: The service, and the realm of this site in it.
  ///   - trust: The trusted issuers and their keys.
  ///   - signIns: Needs a shared key where several processes serve the return URL.
  ///   - time: The clock; another one in tests.
  ///   - used: Stores which tokens were used and which sign-ins are finished: each is accepted once. Needs a
  ///     shared store where several processes serve the return URL.
  public init(
    _ service: AccessControlService, trust: Trust, signIns: SealedSignIns = SealedSignIns(),
    time: any TimeSource, used: any ReplayStore = MemoryReplayStore()
  ) {
    self.service = service
    self.trust = trust
    self.signIns = signIns
    self.time = time
    self.used = used
  }

  /// Begins a sign-in: returns the address for the browser to open and the value of its cookie.
  /// - Throws: `transport.malformed-address`.
  public func begin(
    _ request: PassiveRequest = PassiveRequest(), returningTo returnPath: ReturnPath? = nil
  ) throws(TokenError) -> (address: HTTPURL, browser: Secret) {
    let now = time.now
    let begun = signIns.begin(purpose, returningTo: returnPath, at: now)
    let address = try service.signInAddress(request, state: begun.state, at: now)
    return (address, begun.browser)
  }

  /// Verifies a request to the return URL or the error URL.
  ///
  /// - Parameters:
  ///   - message: The request as it came.
  ///   - browser: The value of the browser's cookie.
  /// - Throws: `client.state` for a message that belongs to no sign-in of this browser or to a finished one;
  ///   `client.*` for a malformed message; `replay.*`; errors of verification, and `input.*`, `xml.*`,
  ///   `response.*` for the token.
  public func receive(
    _ message: WebRequest, browser: Secret?
  ) async throws(TokenError) -> Outcome {
    switch try PassiveMessage(message) {
    case .signOutCleanup: return .signOutCleanup
    case .failure(let failure): return failure.isCancelled ? .cancelled : .failed(failure)
    case .token(let wresult, let state):
      let now = time.now
      let answered = try signIns.find(purpose, state, browser: browser, at: now)
      let token = try AccessControlToken(
        wresult, pinned: .rstr, service: service, trust: trust, at: now)
      // The sign-in is finished first, so that after a crash in between neither can be used again.
      try await signIns.finish(answered, in: used, at: now)
      try await used.use(token.verified, under: trust, at: now)
      return .signedIn(token, returnPath: answered.returnPath)
    }
  }

  /// Ties a sign-in to one service and realm: a message for another cannot finish it.
  private var purpose: String { "\(service.issuer)\n\(service.realm)" }

  /// The response to a sign-out elsewhere: a GIF of one pixel, since the request comes from an image element.
  public static let cleanupAnswer: HTTPResponse = {
    let fields = try? HTTPFields([("Content-Type", "image/gif"), ("Cache-Control", "no-store")])
    let picture: [UInt8] = [
      0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0x01, 0x00, 0x01, 0x00, 0x80, 0x00, 0x00, 0x00, 0x00,
      0x00, 0x00, 0x00, 0x00, 0x21, 0xF9, 0x04, 0x01, 0x00, 0x00, 0x00, 0x00, 0x2C, 0x00, 0x00,
      0x00, 0x00, 0x01, 0x00, 0x01, 0x00, 0x00, 0x02, 0x02, 0x44, 0x01, 0x00, 0x3B,
    ]
    return HTTPResponse(status: 200, fields: fields ?? HTTPFields(), body: picture)
  }()
}

/// A message of the WS-Federation passive profile, classified but not verified.
enum PassiveMessage {
  /// The posted response to a sign-in, with its `wctx`.
  case token(wresult: [UInt8], state: String?)
  /// The error that the service sent to the error URL.
  case failure(AccessControlFailure)
  /// The user signed out elsewhere: end the session of this browser.
  case signOutCleanup

  /// - Throws: `client.content-type`, `client.duplicate-parameter`, `client.malformed-form`,
  ///   `client.parameter`, `input.json-*`.
  init(_ message: WebRequest) throws(TokenError) {
    let form = try PassiveForm(message)
    if let details = form.parameters["ErrorDetails"] {
      guard form.parameters["wresult"] == nil || !form.isPosted else {
        throw TokenError(.clientParameter, node: "wresult", found: "an error and a token")
      }
      self = .failure(try AccessControlFailure(errorDetails: details))
    } else if form.isPosted {
      self = .token(wresult: try form.signInResult(), state: form.parameters["wctx"])
    } else {
      guard form.isSignOutCleanup else {
        throw TokenError(.clientParameter, node: "wa", expected: "wsignoutcleanup1.0 in a GET")
      }
      self = .signOutCleanup
    }
  }
}

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
