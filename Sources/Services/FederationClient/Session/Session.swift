public import Claims
public import HTTPExchange
import Octets
public import TokenBasics

/// A sign-in at a service: the person, the provider, the credential and its expiry.
///
/// Its description contains neither credentials nor claims. Claims with a provider's credential are not
/// among ``claims``; they are ``providerTokens``.
public struct Session: Sendable, CustomStringConvertible, CustomReflectable {
  /// The signed-in person.
  public let principal: Principal
  /// The person's claims, from a verified token or from the service, after the issuer's projection.
  public let claims: ClaimSet
  /// The chosen provider by the service's name for it (`Facebook-1234567890`, `google`); nil for accounts
  /// of the service itself.
  public let provider: String?
  /// The providers' own tokens that the token's claims contain.
  public var providerTokens: [ProviderToken]
  /// The credential that the service expects with each request.
  public var credential: Credential
  /// The token that renews the credential, if the service issued one.
  public var refreshToken: Secret?
  /// The time at which the credential expires; nil if unknown.
  public var expires: Instant?
  /// The time of the sign-in; a renewal does not change it.
  public var signedInAt: Instant
  /// The time of the last request, stored at most once a minute.
  public var lastUsedAt: Instant
  /// The limits of the session on this side, besides ``expires``.
  public var lifetime: SessionLifetime
  /// Further values that a service stores with the session; nothing secret.
  public var details: [String: String] = [:]

  /// A session with these values; ``lastUsedAt`` is `signedInAt`.
  ///
  /// - Parameters:
  ///   - principal: Who signed in.
  ///   - claims: All claims of the token; ``providerTokens`` are found among them.
  ///   - projection: Which of them ``claims`` contains, and under which names.
  ///   - provider: The chosen identity provider, if any.
  ///   - credential: What requests are authorized with.
  ///   - refreshToken: Renews the credential; nil where the service issued none.
  ///   - expires: When the credential ends; nil where the service does not say.
  ///   - signedInAt: When the person signed in.
  ///   - lifetime: How long it lasts, used or not.
  public init(
    principal: Principal, claims: ClaimSet = ClaimSet(), projection: ClaimProjection = .all,
    provider: String? = nil, credential: Credential, refreshToken: Secret? = nil,
    expires: Instant? = nil,
    signedInAt: Instant, lifetime: SessionLifetime = .unlimited
  ) {
    self.principal = principal
    self.claims = ClaimSet(claims.filter { !$0.type.isCredential }).projected(projection)
    self.provider = provider
    providerTokens = ProviderToken.all(in: claims)
    self.credential = credential
    self.refreshToken = refreshToken
    self.expires = expires
    self.signedInAt = signedInAt
    lastUsedAt = signedInAt
    self.lifetime = lifetime
  }

  /// The provider and the expiry, without credentials and claims.
  public var description: String {
    "a session" + (provider.map { " by \($0)" } ?? "")
      + (expires.map { ", credential valid until \($0.rfc3339)" } ?? "")
  }

  /// Has no children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Session {
  /// Whether a session can be used, renewed or neither.
  public enum State: Hashable, Sendable {
    /// The credential can be used.
    case usable
    /// The credential has expired; a renewal may replace it.
    case credentialExpired
    /// The session exceeds ``SessionLifetime``: only a new sign-in helps.
    case ended
  }

  /// The state at that time: ``SessionLifetime`` first, then ``Session/expires``.
  public func state(at now: Instant) -> State {
    if let idle = lifetime.idle, now >= lastUsedAt.advanced(bySeconds: Int64(idle)) {
      return .ended
    }
    if let absolute = lifetime.absolute, now >= signedInAt.advanced(bySeconds: Int64(absolute)) {
      return .ended
    }
    if let expires, now >= expires { return .credentialExpired }
    return .usable
  }

  /// Whether both have the same principal, tokens and expiry; if not, another process replaced the session.
  /// Ignores the last use.
  func isSame(as other: Session) -> Bool {
    principal == other.principal && credential.scheme == other.credential.scheme
      && credential.secret.revealed.hasSameBytes(as: other.credential.secret.revealed)
      && (refreshToken?.revealed ?? "").hasSameBytes(as: other.refreshToken?.revealed ?? "")
      && expires == other.expires
  }
}

/// The limits of a session on this side, regardless of its credential.
public struct SessionLifetime: Hashable, Sendable {
  /// Seconds without use after which the session ends; nil for never.
  public var idle: Int?
  /// Seconds after sign-in at which the session ends, used or not; nil for never.
  public var absolute: Int?

  /// Limits in seconds; nil for none.
  public init(idle: Int? = nil, absolute: Int? = nil) {
    self.idle = idle
    self.absolute = absolute
  }

  /// No limits: the session lasts as long as its credential can be renewed.
  public static let unlimited = Self()
}

/// The identity of a signed-in person: an authority and the person's identifier there.
///
/// Use both together as the key. The same identifier belongs to different persons at different providers,
/// and an e-mail address proves nothing across providers: neither alone is offered as a key.
public struct Principal: Hashable, Sendable {
  /// The identity provider if the token names one, else the token's issuer.
  public let authority: String
  /// The stable identifier at ``authority``.
  public let subject: String

  /// The person with that identifier at that authority.
  public init(authority: String, subject: String) {
    self.authority = authority
    self.subject = subject
  }

  /// Compares octets, without Unicode normalization.
  public static func == (left: Self, right: Self) -> Bool {
    left.authority.hasSameBytes(as: right.authority) && left.subject.hasSameBytes(as: right.subject)
  }

  /// Hashes both parts.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(authority)
    hasher.combine(subject)
  }
}

/// The outcome of a sign-in that did not fail. Cancelling is not an error.
public enum SignInOutcome: Sendable {
  /// The new session.
  case signedIn(Session)
  /// The person closed the picker or the browser, or denied access.
  case cancelled
}

// Log-out has three layers with a call each: `CurrentSession.logOut()` removes the session on this side,
// the addresses below end it at the provider, and `MobileService.endSession` at a service that stores one.

/// The second layer: a service whose identity providers keep cookies in the person's browser.
public protocol ProviderSignOut: Sendable {
  /// Addresses for the person's browser to open, so that the next sign-in prompts again. Only the browser
  /// can delete those cookies.
  func providerSignOutAddresses(of session: Session) -> [String]
}

extension Session {
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("authority", principal.authority)
      writer.member("subject", principal.subject)
      writer.member("provider", provider)
      writer.name("claims")
      writer.array { writer in
        for claim in claims { claim.write(to: &writer) }
      }
      writer.name("providerTokens")
      writer.array { writer in
        for token in providerTokens { token.write(to: &writer) }
      }
      writer.member("scheme", credential.scheme.rawValue)
      writer.member("credential", credential.secret.revealed)
      writer.member("refreshToken", refreshToken?.revealed)
      writer.member("expires", expires?.rfc3339)
      writer.member("signedInAt", signedInAt.rfc3339)
      writer.member("lastUsedAt", lastUsedAt.rfc3339)
      writer.member("idle", lifetime.idle.map { "\($0)" })
      writer.member("absolute", lifetime.absolute.map { "\($0)" })
      writer.name("details")
      writer.strings(details)
    }
  }

  /// - Throws: `input.json-member`, `time.malformed`.
  init(json: JSONValue) throws(TokenError) {
    guard let scheme = json["scheme"]?.string.flatMap(CredentialScheme.init),
      let claims = json["claims"]?.array, let tokens = json["providerTokens"]?.array
    else { throw StoredCredentials.malformed("session") }
    var statements: [Claim] = []
    for claim in claims { statements.append(try Claim(json: claim)) }
    let text = { (name: String) throws(TokenError) in
      try StoredCredentials.string(json[name], name)
    }
    self.init(
      principal: Principal(authority: try text("authority"), subject: try text("subject")),
      claims: ClaimSet(statements), provider: json["provider"]?.string,
      credential: Credential(scheme, Secret(try text("credential"))),
      refreshToken: json["refreshToken"]?.string.map { Secret($0) },
      signedInAt: try Instant(dateTime: try text("signedInAt")),
      lifetime: SessionLifetime(
        idle: json["idle"]?.string.flatMap { Int($0) },
        absolute: json["absolute"]?.string.flatMap { Int($0) }))
    if let end = json["expires"]?.string { expires = try Instant(dateTime: end) }
    lastUsedAt = try Instant(dateTime: try text("lastUsedAt"))
    var kept: [ProviderToken] = []
    for token in tokens { kept.append(try ProviderToken(json: token)) }
    providerTokens = kept
    for (name, value) in try StoredCredentials.member("details", of: json) {
      details[name] = try StoredCredentials.string(value, name)
    }
  }
}

extension Claim {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("type", type.name)
      writer.member("value", value)
      writer.member("valueType", valueType == Self.stringType ? nil : valueType)
      writer.member("issuer", issuer)
      writer.member("originalIssuer", originalIssuer)
      writer.member("originalName", originalName)
      writer.name("properties")
      writer.strings(properties)
    }
  }

  fileprivate init(json: JSONValue) throws(TokenError) {
    var properties: [String: String] = [:]
    for (name, value) in try StoredCredentials.member("properties", of: json) {
      properties[name] = try StoredCredentials.string(value, name)
    }
    self.init(
      ClaimType(try StoredCredentials.string(json["type"], "type")),
      try StoredCredentials.string(json["value"], "value"),
      issuer: try StoredCredentials.string(json["issuer"], "issuer"),
      valueType: json["valueType"]?.string ?? Self.stringType,
      originalIssuer: json["originalIssuer"]?.string,
      originalName: json["originalName"]?.string, properties: properties)
  }
}

extension ProviderToken {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("type", type.name)
      writer.member("provider", provider)
      writer.member("expires", expires?.rfc3339)
      writer.member("scopes", scopes.joined(separator: " "))
      writer.member("value", reveal())
    }
  }

  fileprivate init(json: JSONValue) throws(TokenError) {
    var expires: Instant?
    if let text = json["expires"]?.string { expires = try Instant(dateTime: text) }
    self.init(
      type: ClaimType(try StoredCredentials.string(json["type"], "type")),
      provider: json["provider"]?.string, expires: expires,
      scopes: try StoredCredentials.string(json["scopes"], "scopes").split(separator: " ")
        .map(String.init),
      value: Secret(try StoredCredentials.string(json["value"], "value")))
  }
}
