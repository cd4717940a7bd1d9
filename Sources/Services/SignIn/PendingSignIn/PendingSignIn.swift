package import Claims
public import HTTPExchange
public import TokenBasics

/// A sign-in that was begun: what its answer is compared with. It is kept sealed in a cookie of the
/// browser that began it (``SignInSealer``), so that a server keeps nothing for it.
public struct PendingSignIn: Sendable {
  /// What the request is for: a sign-in in one protocol, or what is no sign-in.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The name under which it is sealed.
    public let rawValue: String

    /// A protocol of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// SAML 2.0 Web Browser SSO (SAML Profiles 4.1).
    public static let saml2 = Self(rawValue: "saml2")
    /// WS-Federation passive requestor (WS-Federation 1.2, 13).
    public static let wsFederation = Self(rawValue: "wsFederation")
    /// OpenID Connect authorization code flow (OpenID Connect Core 1.0, 3.1).
    public static let openID = Self(rawValue: "openID")
    /// A sign-out that waits for the identity provider's answer.
    public static let signOut = Self(rawValue: "signOut")
    /// A sign-in that is over. It signs nobody in; it says where a browser goes that sends its answer again.
    public static let finished = Self(rawValue: "finished")
  }

  /// What the request is for.
  public private(set) var kind: Kind
  /// The request's identifier: 160 random bits as 40 hexadecimal digits. The browser brings it back as
  /// RelayState, `wctx` or `state`; a SAML request's `ID` is the same with `_` before it.
  public private(set) var request: String
  /// The issuer that was asked, as its tokens name it.
  public private(set) var issuer: String
  /// The endpoint of ours that the request names for the answer.
  public private(set) var endpoint: String
  /// The nonce of an OpenID request; nil for other protocols.
  public private(set) var nonce: String?
  /// The proof key of an OpenID request; nil for other protocols.
  public private(set) var proofKey: ProofKey?
  /// The demanded authentication contexts; empty for any.
  public private(set) var contexts: [String]
  /// The path to open after the sign-in.
  public private(set) var returnPath: ReturnPath?
  /// When the sign-in began.
  public private(set) var begun: Instant
  /// When its answer is too late.
  public private(set) var expires: Instant
  /// The provider that was asked, by its identifier in the service's own configuration. Two providers may have
  /// one issuer, so a service with several compares this one. Empty where a service has one provider.
  public var provider = ""
  /// How recent and how strong the sign-in was asked to be; nil for neither.
  package var asked: AskedAuthentication?
  /// The session that the browser had when it began, which ends when the sign-in succeeds: a form that another
  /// site posts brings no `SameSite=Lax` cookie.
  package var replacedSession: SessionID?
  /// Whether a link may have begun the sign-in that no person chose to follow for it: then the person is asked before the sign-in
  /// takes the place of another person's session.
  var isByLink = false
  /// What tells who asked for the sign-in from others (``RecentSignIns/mark(of:)``); empty for the service itself.
  var mark = ""
  /// The application on another host for which the sign-in is; nil for the service itself.
  var application: ApplicationSignIn?

  /// The `ID` of the SAML request.
  public var messageID: String { "_" + request }

  /// Seconds within which an answer has to come: 600.
  public static let lifetime: Int64 = 600

  /// Its one use, which every node remembers until it has expired by the clock of each.
  package var use: TokenUse {
    TokenUse(signIn: request, begun: begun, until: expires)
  }

  package init(
    _ kind: Kind, issuer: String, endpoint: String, nonce: String? = nil,
    proofKey: ProofKey? = nil, contexts: [String] = [], returnPath: ReturnPath?,
    random: RandomSource, at now: Instant, lifetime: Int64 = PendingSignIn.lifetime
  ) {
    self.init(
      kind, request: random.hex(20), issuer: issuer, endpoint: endpoint, nonce: nonce,
      proofKey: proofKey, contexts: contexts, returnPath: returnPath, begun: now,
      expires: now.advanced(bySeconds: lifetime))
  }

  init(
    _ kind: Kind, request: String, issuer: String, endpoint: String, nonce: String?,
    proofKey: ProofKey?, contexts: [String], returnPath: ReturnPath?, begun: Instant,
    expires: Instant
  ) {
    self.kind = kind
    self.request = request
    self.issuer = issuer
    self.endpoint = endpoint
    self.nonce = nonce
    self.proofKey = proofKey
    self.contexts = contexts
    self.returnPath = returnPath
    self.begun = begun
    self.expires = expires
  }

  /// What remains of the sign-in once it has succeeded, for as long as an answer may be sent again.
  package func finished(at now: Instant) -> Self {
    var finished = Self(
      .finished, request: request, issuer: "", endpoint: "", nonce: nil, proofKey: nil,
      contexts: [], returnPath: returnPath, begun: now,
      expires: now.advanced(bySeconds: Self.lifetime))
    finished.provider = provider
    finished.application = application
    return finished
  }
}

extension PendingSignIn.Kind: KeptText {}

extension PendingSignIn: KeptValue {
  package static var blank: Self {
    Self(
      .finished, request: "", issuer: "", endpoint: "", nonce: nil, proofKey: nil, contexts: [],
      returnPath: nil, begun: Instant(secondsSinceEpoch: 0), expires: Instant(secondsSinceEpoch: 0))
  }

  package mutating func members(_ kept: inout KeptMembers) {
    kept.member("kind", &kind)
    kept.member("request", &request)
    kept.member("issuer", &issuer)
    kept.member("endpoint", &endpoint)
    kept.member("nonce", &nonce)
    var verifier = proofKey?.verifier
    kept.member("verifier", &verifier)
    proofKey = verifier.map { ProofKey(verifier: $0) }
    kept.member("return", &returnPath)
    kept.member("provider", &provider, usually: "")
    kept.member("link", &isByLink, usually: false)
    kept.member("mark", &mark, usually: "")
    kept.member("session", &replacedSession)
    var application = application.map { KeptJSON($0) }
    kept.member("application", &application)
    self.application = application?.value
    kept.member("contexts", &contexts)
    kept.member("asked", &asked)
    kept.member("begun", &begun)
    kept.member("expires", &expires)
  }
}
