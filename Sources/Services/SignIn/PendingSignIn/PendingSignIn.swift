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
  public let kind: Kind
  /// The request's identifier: 160 random bits as 40 hexadecimal digits. The browser brings it back as
  /// RelayState, `wctx` or `state`; a SAML request's `ID` is the same with `_` before it.
  public let request: String
  /// The issuer that was asked, as its tokens name it.
  public let issuer: String
  /// The endpoint of ours that the request names for the answer.
  public let endpoint: String
  /// The nonce of an OpenID request; nil for other protocols.
  public let nonce: String?
  /// The proof key of an OpenID request; nil for other protocols.
  public let proofKey: ProofKey?
  /// The demanded authentication contexts; empty for any.
  public let contexts: [String]
  /// The path to open after the sign-in.
  public let returnPath: ReturnPath?
  /// When the sign-in began.
  public let begun: Instant
  /// When its answer is too late.
  public let expires: Instant
  /// The provider that was asked, by its identifier in the service's own configuration. Two providers may have
  /// one issuer, so a service with several compares this one. Empty where a service has one provider.
  public var provider = ""
  /// How recent and how strong the sign-in was asked to be; nil for neither.
  package var asked: AskedAuthentication?
  /// The session that the browser had when it began, which ends when the sign-in succeeds: a form that another
  /// site posts brings no `SameSite=Lax` cookie.
  package var replacedSession: SessionID?
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

extension PendingSignIn {
  /// The members as JSON, to be sealed.
  var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      for (name, text) in [
        ("kind", kind.rawValue), ("request", request), ("issuer", issuer), ("endpoint", endpoint),
        ("nonce", nonce), ("verifier", proofKey?.verifier.revealed), ("return", returnPath?.text),
        ("provider", provider), ("mark", mark.isEmpty ? nil : mark),
        ("session", replacedSession.map { Base64.encode($0.digest, .url) }),
        ("application", application.map { String(decoding: $0.json, as: UTF8.self) }),
      ] {
        guard let text else { continue }
        json.member(named: name, text)
      }
      json.name("contexts")
      json.array { json in for context in contexts { json.string(context) } }
      if let asked {
        json.name("asked")
        asked.write(to: &json)
      }
      json.name("begun")
      json.integer(Int(begun.seconds))
      json.name("expires")
      json.integer(Int(expires.seconds))
    }
    return json.bytes
  }

  /// The pending sign-in that was sealed; nil for anything else.
  init?(json octets: [UInt8]) {
    guard let json = try? JSONParser.parse(octets),
      let kind = json["kind"]?.string.map(Kind.init(rawValue:)),
      let request = json["request"]?.string, let issuer = json["issuer"]?.string,
      let endpoint = json["endpoint"]?.string, let begun = json["begun"]?.integer,
      let expires = json["expires"]?.integer, let contexts = json["contexts"]?.array
    else { return nil }
    self.init(
      kind, request: request, issuer: issuer, endpoint: endpoint, nonce: json["nonce"]?.string,
      proofKey: json["verifier"]?.string.map { ProofKey(verifier: Secret($0)) },
      contexts: contexts.compactMap(\.string),
      returnPath: json["return"]?.string.flatMap { try? ReturnPath($0) },
      begun: Instant(secondsSinceEpoch: Int64(begun)),
      expires: Instant(secondsSinceEpoch: Int64(expires)))
    provider = json["provider"]?.string ?? ""
    mark = json["mark"]?.string ?? ""
    asked = AskedAuthentication(json["asked"])
    replacedSession = json["session"]?.string
      .flatMap { try? Base64.decode($0.utf8, .url) }.flatMap { SessionID(digest: $0) }
    application = json["application"]?.string.flatMap { ApplicationSignIn(json: Array($0.utf8)) }
  }
}
