public import Federation
public import HTTPExchange

/// The WS-Federation passive profile: a browser goes to the service and comes back with a form.
public struct PassiveSignIn: Sendable {
  /// What a browser brought.
  public enum Outcome: Sendable {
    /// Somebody signed in. Begin a new session for this browser, never go on with an old one.
    case signedIn(AccessControlToken, returnPath: ReturnPath?)
    /// The person gave up at the provider.
    case cancelled
    /// The service says that it failed. Unauthenticated: for display only.
    case failed(AccessControlFailure)
    /// Somebody signed out elsewhere. End the session that this browser's own cookie names, if there is
    /// one, and answer with ``PassiveSignIn/cleanupAnswer``.
    case signOutCleanup
  }

  public let service: AccessControlService
  public let trust: Trust
  private let signIns: SealedSignIns
  private let used: any ReplayStore
  private let time: any TimeSource

  /// - Parameters:
  ///   - signIns: Give a shared key where several processes serve the return URL.
  ///   - used: Where it is remembered which tokens signed somebody in, and which sign-ins are finished:
  ///     each counts once. Give one that is shared where several processes serve the return URL.
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

  /// Begins a sign-in: where to send the browser, and what to keep in its cookie.
  /// - Throws: `transport.malformed-address`.
  public func begin(
    _ request: PassiveRequest = PassiveRequest(), returningTo returnPath: ReturnPath? = nil
  ) throws(TokenError) -> (address: HTTPURL, browser: Secret) {
    let now = time.now
    let begun = signIns.begin(purpose, returningTo: returnPath, at: now)
    let address = try service.signInAddress(request, state: begun.state, at: now)
    return (address, begun.browser)
  }

  /// Judges what a browser brought to the return URL or the error URL.
  /// - Parameter browser: What the browser's cookie says.
  /// - Throws: `client.state` for an answer to no sign-in of this browser, or to one that is finished;
  ///   `client.*` for a malformed message; `replay.*`; `input.*`, `xml.*`, `response.*` and what verification throws for its token.
  public func receive(
    _ message: IncomingMessage, browser: Secret?
  ) async throws(TokenError) -> Outcome {
    switch try PassiveMessage(message) {
    case .signOutCleanup: return .signOutCleanup
    case .failure(let failure): return failure.isCancelled ? .cancelled : .failed(failure)
    case .token(let wresult, let state):
      let now = time.now
      let answered = try signIns.find(purpose, state, browser: browser, at: now)
      let token = try AccessControlToken(
        wresult, pinned: .rstr, service: service, trust: trust, at: now)
      // Before the token is: a crash in between leaves neither to be used a second time.
      try await signIns.finish(answered, in: used, at: now)
      try await used.use(token.verified, under: trust, at: now)
      return .signedIn(token, returnPath: answered.returnPath)
    }
  }

  /// A sign-in at one service is not finished by an answer for another.
  private var purpose: String { "\(service.issuer)\n\(service.realm)" }

  /// The answer to a sign-out elsewhere: a picture of one pixel, since such requests come from one.
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
