public import Federation
public import HTTPExchange
import Octets
import SecurityKeys
package import TokenBasics

/// A session of a signed-in principal, as a ``SessionStore`` keeps it.
public struct SignedInSession: Sendable, CustomStringConvertible {
  /// Who signed in.
  public private(set) var principal: FederatedPrincipal
  /// The configured provider at which the principal signed in.
  public private(set) var provider: String
  /// When the session began.
  public private(set) var begun: Instant
  /// When it ends at the latest: its lifetime, or earlier where the issuer ends it.
  public private(set) var end: Instant
  /// The ID token of an OpenID sign-in, to be shown to the provider at sign-out; nil for other protocols.
  public private(set) var idToken: Secret?
  /// How its claims are read anew; nil for a session that keeps those of its sign-in.
  public var renewal: SessionRenewal?
  /// How recent and how strong the sign-in was asked to be; nil for neither.
  public var asked: AskedAuthentication?
  /// When it was last used, exact to a minute.
  public var lastUse: Instant
  /// Whether `claims-gate doctor` made it, so that a gate answers as one that cannot. No sign-in does.
  package var isRehearsal = false

  /// A session.
  public init(
    principal: FederatedPrincipal, provider: String, begun: Instant, end: Instant,
    lastUse: Instant, idToken: Secret? = nil, renewal: SessionRenewal? = nil
  ) {
    self.principal = principal
    self.provider = provider
    self.begun = begun
    self.end = end
    self.lastUse = lastUse
    self.idToken = idToken
    self.renewal = renewal
  }

  /// The session with the claims that were read anew; everything else stays.
  func renewed(_ principal: FederatedPrincipal, _ renewal: SessionRenewal, at now: Instant) -> Self
  {
    var session = Self(
      principal: principal, provider: provider, begun: begun, end: end, lastUse: now,
      idToken: idToken, renewal: renewal)
    session.asked = asked
    session.isRehearsal = isRehearsal
    return session
  }

  /// Whether the session is over, by its end or because nobody used it for `idle` seconds.
  public func isOver(at now: Instant, idle: Int64) -> Bool {
    now >= end || now >= lastUse.advanced(bySeconds: idle)
  }

  /// The provider and the times; neither subject nor claim.
  public var description: String {
    "a session at \(provider) from \(begun.rfc3339) to \(end.rfc3339)"
  }
}

extension SignedInSession: KeptValue {
  package static var blank: Self {
    Self(
      principal: FederatedPrincipal(
        issuer: "", subject: "", claims: ClaimSet(), format: .jwt, issuerSession: IssuerSession(),
        warnings: []),
      provider: "", begun: Instant(secondsSinceEpoch: 0), end: Instant(secondsSinceEpoch: 0),
      lastUse: Instant(secondsSinceEpoch: 0))
  }

  package mutating func members(_ kept: inout KeptMembers) {
    kept.member("provider", &provider)
    memberPrincipal(&kept)
    kept.member("idToken", &idToken)
    var (token, due) = (renewal?.refreshToken, renewal?.due)
    kept.member("refreshToken", &token)
    kept.member("renewalDue", &due)
    kept.member("begun", &begun)
    kept.member("end", &end)
    kept.member("lastUse", &lastUse)
    kept.member("asked", &asked)
    kept.member("rehearsal", &isRehearsal, usually: false)
    guard kept.isReading, let token, let due else { return }
    renewal = SessionRenewal(token, due: due)
  }

  private mutating func memberPrincipal(_ kept: inout KeptMembers) {
    var (issuer, subject, format) = (principal.issuer, principal.subject, principal.format)
    var (session, warnings) = (principal.issuerSession, principal.warnings)
    var claims = kept.isReading ? [] : Array(principal.claims)
    var keptTypes = principal.keptTypes
    kept.member("issuer", &issuer)
    kept.member("subject", &subject)
    kept.member("format", &format)
    session.members(&kept)
    kept.member("issuerEnd", &session.end)
    kept.member("warnings", &warnings, usually: [])
    kept.member("claims", &claims)
    kept.member("keptTypes", &keptTypes)
    guard kept.isReading else { return }
    principal = FederatedPrincipal(
      issuer: issuer, subject: subject, claims: ClaimSet(claims), format: format,
      issuerSession: session, warnings: warnings, keptTypes: keptTypes)
  }

  /// The session as JSON in UTF-8, for a store outside of the process; times are exact to a second.
  ///
  /// It holds the claims and the ID token: a store encrypts it, or keeps it where only the service reads.
  public var json: [UInt8] { KeptVersion.json(of: self) }

  /// Reads the session that ``json`` wrote; nil for any other text, and for a session whose version this release does not know:
  /// its subject signs in anew.
  public init?(json octets: [UInt8]) {
    guard let json = try? JSONParser.parse(octets) else { return nil }
    self.init(kept: json)
  }
}

/// The identifier of a session: 256 random bits in the browser's cookie. A store knows its SHA-256 alone, so
/// that a copy of the store opens no session.
public struct SessionID: Hashable, Sendable, CustomStringConvertible {
  /// The SHA-256 of the identifier.
  public let digest: [UInt8]

  private init(hashed digest: [UInt8]) { self.digest = digest }

  /// The identifier of no session.
  static let none = Self(hashed: [])

  /// The identifier that a store has; nil for what is no SHA-256. It finds a session and opens none: its
  /// cookie cannot be computed from it.
  public init?(digest: [UInt8]) {
    guard digest.count == 32 else { return nil }
    self.init(hashed: digest)
  }

  /// A new identifier, with the value of its cookie.
  public static func make(_ random: RandomSource = RandomSource()) -> (id: Self, cookie: Secret) {
    let text = Base64.encode(random.octets(32), .url)
    return (Self(hashed: digest(of: text, "session")), Secret(text))
  }

  /// The identifier that a cookie has; nil for what cannot be one.
  public init?(_ cookie: Secret) {
    guard cookie.revealed.utf8.count == 43 else { return nil }
    self.init(hashed: Self.digest(of: cookie.revealed, "session"))
  }

  /// A text that a page of ours sends back with a form, which another site cannot know.
  public static func formToken(_ cookie: Secret) -> String {
    Hex.encode(digest(of: cookie.revealed, "form"))
  }

  /// Eight digits of the digest: enough to find the session in a log.
  public var description: String { "session " + Hex.encode(Array(digest.prefix(4))) }

  private static func digest(of text: String, _ purpose: String) -> [UInt8] {
    let octets = Array("\(purpose):\(text)".utf8)
    return DigestAlgorithm.sha256.digest(of: octets) ?? octets
  }
}
