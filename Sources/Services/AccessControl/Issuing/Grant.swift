import HTTPExchange
import Octets
import SecurityKeys
import SignIn
import TokenBasics

/// What an authorization code or a refresh token stands for. It is kept in the store of the service, under the code, so
/// that codes are short whatever is said about a person.
struct Grant {
  enum Kind: String, KeptText {
    /// A code of OAuth 2.0 draft 13.
    case code
    /// What the refresh tokens of one authorization have in common.
    case family
    /// A code of OpenID Connect.
    case openID
    /// What the tokens of one authorization of OpenID Connect have in common.
    case openIDFamily
    /// A token that was issued.
    case token

    /// Seconds: 900 for a code, as Access Control Service had it; 60 for one of OpenID Connect; 30 days for a family.
    var lifetime: Int64 {
      switch self {
      case .code: 900
      case .family, .openIDFamily: 2_592_000
      case .openID: 60
      // It ends when the token does.
      case .token: 0
      }
    }
  }

  private(set) var kind: Kind
  /// The service identity, or the relying party, to which it was given.
  private(set) var client: String
  private(set) var realm: String
  /// Where the code went; empty for a family.
  private(set) var redirect = ""
  /// The challenge whose verifier the exchange needs; nil for none.
  private(set) var challenge: String?
  /// Who signed in.
  private(set) var subject: SignedInSubject
  /// The session of the browser, with which it ends.
  private(set) var session: String
  private(set) var expires: Instant
  /// What the ID token repeats.
  private(set) var nonce: String?
  /// The type of a token; nil for other kinds.
  private(set) var use: ExchangedType?
  /// What an access token allows.
  private(set) var scopes: [String] = []
  /// What the access tokens allowed that were exchanged for this token, one after the other.
  private var exchanged: [AllowedAccess] = []
  /// The relying party whose access tokens it gives; nil for opaque ones.
  private(set) var resource: String?
  /// The authorization with which a token ends; nil for none.
  private(set) var family: String?
  /// How a token was issued, and before it each token that was exchanged for it; empty for other kinds.
  private var issued: [IssuedStep] = []
  /// The tokens that showed who acts for the subject, the first one first: with each of them the token ends.
  private(set) var actors: [Grant] = []
  /// Whether a token is an opaque access token. Earlier versions did not keep it, see ``isOpaque``.
  private var opaque: Bool?

  /// How what it stands for is issued: the last step is its own.
  var steps: [IssuedStep] {
    switch kind {
    case .code, .family: [IssuedStep(entrance: .draft13, client: client, realm: realm)]
    case .openID, .openIDFamily:
      [IssuedStep(entrance: .openID, client: client, realm: realm)]
        + (resource.map {
          [IssuedStep(entrance: .openID, client: client, realm: $0, isForResource: true)]
        } ?? [])
    case .token: issued
    }
  }

  /// What a step gives, or would give now: a code and a refresh token give what their party gets.
  func kind(ofStep index: Int, for party: RelyingParty) -> IssuedKind {
    switch kind {
    case .code, .family: return .format(party.format)
    case .openID, .openIDFamily:
      guard index == 0 else { return .accessToken }
      return scopes.contains("openid") ? .idToken : .opaque
    case .token:
      // Whether a kind can be encrypted concerns the token itself, not those from which it came. An opaque access token is of
      // its client alone.
      guard let use, index == issued.count - 1, !isOpaque else {
        return issued[index].isForResource ? .earlierAccessToken : .opaque
      }
      return IssuedKind(use)
    }
  }

  /// Whether it stands for an access token that this service alone reads, which its client got for itself at a sign-in.
  private var isOpaque: Bool {
    opaque ?? (use == .accessToken && issued.count == 1 && client.hasSameBytes(as: realm))
  }

  /// Whether its client is a service identity by what it is; nil where either may be, as at an exchange.
  var isOfProgram: Bool? {
    switch kind {
    case .code, .family: true
    case .openID, .openIDFamily: false
    case .token: issued.last?.isOfProgram(about: subject)
    }
  }

  /// Whether it was given to that client. A relying party and a service identity may share a name.
  func isGiven(to client: TokenClient) -> Bool {
    self.client.hasSameBytes(as: client.id)
      && (isOfProgram.map { $0 == (client.identity != nil) } ?? true)
  }

  /// Whether it goes on when the person signs out (OpenID Connect Core 1.0, 11). The authorization says so, and an opaque
  /// access token of it. A scope that an exchanged token has by the same name is one of its relying party.
  var isOffline: Bool { (kind != .token || isOpaque) && scopes.contains("offline_access") }

  /// When it was given.
  var begun: Instant { expires.advanced(bySeconds: -kind.lifetime) }

  private init(
    _ kind: Kind, to client: String, realm: String, _ subject: SignedInSubject, session: String,
    until expires: Instant
  ) {
    self.kind = kind
    self.client = client
    self.realm = realm
    self.subject = subject
    self.session = session
    self.expires = expires
  }

  /// What the code of a sign-in stands for.
  ///
  /// - Parameters:
  ///   - client: To whom the code is given.
  ///   - redirect: Where it goes.
  ///   - now: When it is given: it lives as long as its kind does.
  init(
    _ kind: Kind, of signIn: FinishedSignIn, to client: String, at redirect: RedirectURI,
    _ now: Instant
  ) {
    self.init(
      kind, to: client, realm: signIn.party.realm, signIn.subject, session: signIn.visit.id,
      until: now.advanced(bySeconds: kind.lifetime))
    self.redirect = redirect.text
    challenge = signIn.context.challenge
    nonce = signIn.context.nonce
    scopes = signIn.context.scopes
    resource = signIn.context.resource
  }

  /// What an opaque access token stands for.
  ///
  /// - Parameters:
  ///   - authorization: What gave it.
  ///   - family: The name of that.
  ///   - end: When it ends.
  init(accessTokenOf authorization: Grant, _ family: String, scopes: [String], until end: Instant) {
    self.init(
      .token, to: authorization.client, realm: authorization.realm, authorization.subject,
      session: authorization.session, until: min(end, authorization.end))
    use = .accessToken
    opaque = true
    self.scopes = scopes
    self.family = family
    issued = authorization.steps
  }

  /// When what it gives ends at the latest.
  private var end: Instant {
    kind == .openID ? begun.advanced(bySeconds: Kind.openIDFamily.lifetime) : expires
  }

  /// What a token stands for.
  ///
  /// - Parameters:
  ///   - type: What it is.
  ///   - end: When it ends.
  init(tokenOf wanted: WantedToken, as type: ExchangedType, until end: Instant) {
    self.init(
      .token, to: wanted.steps.last?.client ?? wanted.realm, realm: wanted.realm, wanted.subject,
      session: wanted.session, until: end)
    use = type
    opaque = false
    scopes = wanted.scopes
    exchanged = wanted.access
    family = wanted.family
    issued = wanted.steps
    actors = wanted.actors
  }

  /// The subject of an actor token, without the token: it counts while the relying party offers the provider.
  init(actor subject: SignedInSubject, at realm: String, until end: Instant) {
    self.init(.token, to: "", realm: realm, subject, session: "", until: end)
  }

  /// What access tokens allow from which this token comes, itself among them: one entry for each relying party, the last.
  var access: [AllowedAccess] {
    guard use == .accessToken else { return exchanged }
    return [AllowedAccess(realm: realm, scopes: scopes)]
      + exchanged.filter { !$0.realm.hasSameBytes(as: realm) }
  }

  /// The same authorization, for its refresh tokens.
  func family(from now: Instant) -> Self {
    let kind: Kind = kind == .openID ? .openIDFamily : .family
    var family = Self(
      kind, to: client, realm: realm, subject, session: session,
      until: now.advanced(bySeconds: kind.lifetime))
    family.scopes = scopes
    family.resource = resource
    return family
  }
}

/// What an access token allows, and where. No exchange of what came from it gives more.
struct AllowedAccess: Equatable {
  /// The relying party.
  let realm: String
  let scopes: [String]
}

extension AllowedAccess: KeptTexts {
  var keptTexts: [String] { [realm] + scopes }

  init?(keptTexts texts: [String]) {
    guard let realm = texts.first else { return nil }
    self.init(realm: realm, scopes: Array(texts.dropFirst()))
  }
}

/// Who redeems a grant, and what it shows.
struct Redeemer {
  let client: String
  let realm: String
  /// The address to which the code went, as the client says it.
  var redirect = ""
  /// The proof key.
  var verifier: String?
  /// Whether the client showed its secret.
  var hasSecret = true
}

extension Grant {
  /// Whether it was given to this one. Without a secret a proof key has to tie it to the client (RFC 9700, 2.1.1).
  func isFor(_ redeemer: Redeemer) -> Bool {
    client.hasSameBytes(as: redeemer.client) && realm.hasSameBytes(as: redeemer.realm)
      && redirect.hasSameBytes(as: redeemer.redirect)
      && Self.isProof(redeemer.verifier, of: challenge)
      && (challenge != nil || redeemer.hasSecret)
  }

  /// Whether a verifier fits a challenge (RFC 7636, 4.6). A code without a challenge has none: one that comes all the same
  /// is of a client whose challenge an attacker took away (RFC 9700, 2.1.1).
  private static func isProof(_ verifier: String?, of challenge: String?) -> Bool {
    guard let challenge else { return verifier == nil }
    guard let verifier, (43...128).contains(verifier.utf8.count),
      let digest = DigestAlgorithm.sha256.digest(of: Array(verifier.utf8))
    else { return false }
    return Base64.encode(digest, .url).hasSameBytes(as: challenge)
  }
}

extension Grant: KeptValue {
  static var blank: Self {
    Self(
      .code, to: "", realm: "", .blank, session: "", until: Instant(secondsSinceEpoch: 0))
  }

  mutating func members(_ kept: inout KeptMembers) {
    kept.member("kind", &kind)
    kept.member("client", &client)
    kept.member("realm", &realm)
    kept.member("redirect", &redirect)
    kept.member("challenge", &challenge)
    kept.member("session", &session)
    kept.member("nonce", &nonce)
    kept.member("use", &use)
    kept.member("resource", &resource)
    kept.member("family", &family)
    var scopes = SpacedTexts(scopes)
    kept.member("scope", &scopes, usually: SpacedTexts([]))
    self.scopes = scopes.texts
    kept.member("expires", &expires)
    kept.member("exchanged", &exchanged, usually: [])
    kept.member("steps", &issued, usually: [])
    kept.member("opaque", &opaque)
    var actors = actors.isEmpty ? nil : actors
    kept.member("actors", &actors)
    self.actors = actors ?? []
    subject.members(&kept)
  }
}
