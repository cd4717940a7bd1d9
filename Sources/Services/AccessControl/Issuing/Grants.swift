import HTTPExchange
import Octets
import SecurityKeys
import SignIn
import TokenBasics

/// Single-use values, such as codes, and what is stored for them.
struct Grants: Sendable {
  /// Codes, families of refresh tokens and admin sessions.
  private let values: any ValueStore
  /// The single-use values that were used.
  private let used: any ReplayStore
  private let key: SealingKey
  let clock: any TimeSource
  private let random: RandomSource
  private let observer: any ActivityObserver
  private let sweeps: SweepTimer
  /// Drops what is over elsewhere, whenever these stores do.
  private let sweepOthers: @Sendable (Instant) async throws(TokenError) -> Void

  init(
    in values: any ValueStore, used: any ReplayStore, key: SealingKey, clock: any TimeSource,
    random: RandomSource, observer: any ActivityObserver, sweeps: SweepTimer,
    sweepOthers: @escaping @Sendable (Instant) async throws(TokenError) -> Void
  ) {
    self.values = values
    self.used = used
    self.key = key
    self.clock = clock
    self.random = random
    self.observer = observer
    self.sweeps = sweeps
    self.sweepOthers = sweepOthers
  }

  // MARK: Codes and refresh tokens

  /// What a client presents.
  enum Presented {
    case code(String, of: Grant.Kind)
    case refreshToken(String, of: Grant.Kind = .family)
  }

  /// A grant that was redeemed.
  struct Redeemed {
    let grant: Grant
    /// The name of its family, whose refresh tokens end with each other.
    let family: String
  }

  /// The keys in the store of what a client presents: its grant, and the mark of its one use.
  private struct GrantKeys {
    let kind: Grant.Kind
    let place: KeptName<Grant>
    let use: (kind: SingleUse.Kind, id: String)
    let family: String
  }

  /// Keeps a grant under a new code.
  ///
  /// - Throws: what the store throws.
  func code(for grant: Grant) async throws(TokenError) -> Secret {
    let code = Base64.encode(random.octets(32), .url)
    try await keep(grant, under: .code(code), until: grant.expires)
    return Secret(code)
  }

  /// The grant of a code or a refresh token, each for one use. A second use means that another party has it: then all
  /// that the authorization gave ends (RFC 6749, 4.1.2; RFC 9700, 4.14.2).
  ///
  /// - Throws: `issuing.grant`, and what the stores throw.
  func redeem(
    _ presented: Presented, by redeemer: Redeemer
  ) async throws(TokenError) -> Redeemed {
    let now = clock.now
    guard let grantKeys = grantKeys(presented), let grant = try await kept(under: grantKeys.place),
      grant.kind == grantKeys.kind, now < grant.expires, grant.isFor(redeemer)
    else { throw TokenError(.issuingGrant) }
    guard try await !isOver(grant, grantKeys.family) else {
      throw TokenError(.issuingGrant, found: "one of a session that was signed out")
    }
    let use = SingleUse(
      grantKeys.use.kind, grantKeys.use.id, .begun(grant.begun), until: grant.expires,
      repetition: TokenError(.issuingGrant, found: "one that was used"))
    guard try await isFirst(use) else {
      try await endFamily(grantKeys.family)
      observer.happened(
        Activity(
          "issuing.family-ended",
          [("realm", grant.realm), ("source", grant.subject.source.name ?? "")]))
      throw use.repetition
    }
    return Redeemed(grant: grant, family: grantKeys.family)
  }

  /// The first refresh token of an authorization.
  func firstRefreshToken(of redeemed: Redeemed) async throws(TokenError) -> Secret {
    let family = redeemed.grant.family(from: clock.now)
    try await keep(family, under: .family(redeemed.family), until: family.expires)
    return try await refreshToken(of: redeemed)
  }

  /// Ends all that an authorization gave, and what another node is giving for it right now.
  func endFamily(_ family: String) async throws(TokenError) {
    try await mark(
      .over(family), until: clock.now.advanced(bySeconds: Grant.Kind.family.lifetime))
    try await remove(.family(family))
  }

  /// Ends the authorization of a refresh token or an opaque access token (RFC 7009, 2.1). One that is not known is over.
  ///
  /// - Returns: False for a token of another client, which goes on.
  func revoke(_ token: String, of client: TokenClient) async throws(TokenError) -> Bool {
    if let keys = grantKeys(.refreshToken(token)) {
      guard try await isKept(keys.place) else { return true }
      // An authorization that this release cannot read, as one of a later release, is ended: whoever holds its token wants that.
      if let grant = try await kept(under: keys.place), !grant.isGiven(to: client) {
        return false
      }
      try await endFamily(keys.family)
      return true
    }
    let key = TokenKey.opaque(token)
    guard AccessToken.isOpaque(token) else { return true }
    if let grant = try await known(key) {
      guard grant.isGiven(to: client) else { return false }
      if let family = grant.family { try await endFamily(family) }
    }
    try await remove(.token(key))
    return true
  }

  /// The next refresh token of an authorization. It is noted as the one that is not used yet.
  func refreshToken(of redeemed: Redeemed) async throws(TokenError) -> Secret {
    let id = random.hex(16)
    try await keep(
      Array(id.utf8), MarkName.nextRefresh(redeemed.family).text,
      until: clock.now.advanced(bySeconds: Grant.Kind.family.lifetime))
    let plain = Array("\(redeemed.family):\(id)".utf8)
    return Secret(Base64.encode(key.seal(plain, context: Self.refreshContext) ?? [], .url))
  }

  private func grantKeys(_ presented: Presented) -> GrantKeys? {
    switch presented {
    case .code(let code, let kind):
      guard code.utf8.count == 43 else { return nil }
      let family = Hex.encode(Array(key.code(for: "family:" + code).prefix(16)))
      return GrantKeys(kind: kind, place: .code(code), use: (.code, code), family: family)
    case .refreshToken(let token, let kind):
      guard token.utf8.count <= 256, let sealed = try? Base64.decode(Array(token.utf8), .url),
        let plain = key.open(sealed, context: Self.refreshContext),
        let separator = plain.firstIndex(of: UInt8(ascii: ":"))
      else { return nil }
      let family = String(decoding: plain[..<separator], as: UTF8.self)
      let id = String(decoding: plain[plain.index(after: separator)...], as: UTF8.self)
      return GrantKeys(kind: kind, place: .family(family), use: (.refresh, id), family: family)
    }
  }

  /// The authorization of a refresh token that was not used yet and would be taken; nil for any other text. Nothing is used up.
  func unusedAuthorization(ofRefreshToken token: String) async throws(TokenError) -> Grant? {
    guard let keys = grantKeys(.refreshToken(token)), let grant = try await kept(under: keys.place),
      [.family, .openIDFamily].contains(grant.kind), clock.now < grant.expires,
      try await !isOver(grant, keys.family)
    else { return nil }
    let name = MarkName.nextRefresh(keys.family)
    // Earlier releases did not note it.
    guard let sealed = try await values.value(under: ValueName(name), at: clock.now) else {
      return grant
    }
    let next = key.open(sealed, context: Array(name.text.utf8))
    return next == Array(keys.use.id.utf8) ? grant : nil
  }

  /// The name of the authorization of a refresh token; nil for a text that is none of ours.
  func family(ofRefreshToken token: String) -> String? {
    grantKeys(.refreshToken(token))?.family
  }

  private static let refreshContext = Array("refresh".utf8)

  /// Ends the codes and refresh tokens of a browser's session.
  func end(_ session: String) async throws(TokenError) {
    try await mark(
      .ended(session), until: clock.now.advanced(bySeconds: Grant.Kind.family.lifetime))
  }

  /// Whether a browser's session was ended. What belongs to none is never over.
  func isOver(_ session: String) async throws(TokenError) -> Bool {
    guard !session.isEmpty else { return false }
    return try await isMarked(.ended(session))
  }

  /// Whether the authorization of a grant is over, or the session of which it is, or that of a token that shows who acts.
  func isOver(_ grant: Grant, _ family: String?) async throws(TokenError) -> Bool {
    if let family, try await isMarked(.over(family)) { return true }
    for actor in grant.actors where try await isOver(actor, actor.family) { return true }
    return grant.isOffline ? false : try await isOver(grant.session)
  }

  // MARK: Single use

  /// Uses up a single-use value.
  ///
  /// - Throws: its refusal of a second time, and what the store throws.
  func redeem(_ use: SingleUse) async throws(TokenError) {
    guard try await isFirst(use) else { throw use.repetition }
  }

  private func isFirst(_ use: SingleUse) async throws(TokenError) -> Bool {
    try await used.remember(
      TokenUse(
        TokenIdentity(signIn: "acs:" + use.name), use.origin, until: use.end,
        skew: Int64(Trust.defaultSkew)), at: clock.now)
  }

  // MARK: What is kept

  /// Keeps a value, sealed for its name.
  func keep<Value: StoredValue>(
    _ value: Value, under name: KeptName<Value>, until end: Instant
  ) async throws(TokenError) {
    try await keep(value.stored, name.text, until: end)
  }

  /// The value that is kept under a name; nil for none, and for one that this release does not read.
  func kept<Value: StoredValue>(under name: KeptName<Value>) async throws(TokenError) -> Value? {
    try await values.value(under: ValueName(name), at: clock.now)
      .flatMap { key.open($0, context: Array(name.text.utf8)) }
      .flatMap { Value(stored: $0) }
  }

  /// Whether something is kept under a name, readable or not.
  private func isKept(_ name: KeptName<some StoredValue>) async throws(TokenError) -> Bool {
    try await values.value(under: ValueName(name), at: clock.now) != nil
  }

  /// Removes what is kept under a name.
  func remove(_ name: KeptName<some StoredValue>) async throws(TokenError) {
    try await values.remove(ValueName(name))
  }

  /// Sets a mark.
  private func mark(_ name: MarkName, until end: Instant) async throws(TokenError) {
    try await keep([1], name.text, until: end)
  }

  /// Whether a mark is set. Whatever is under its name is the mark: one that another key sealed, or another release wrote, counts.
  private func isMarked(_ name: MarkName) async throws(TokenError) -> Bool {
    try await values.value(under: ValueName(name), at: clock.now) != nil
  }

  private func keep(
    _ octets: [UInt8], _ name: String, until end: Instant
  ) async throws(TokenError) {
    guard let sealed = key.seal(octets, context: Array(name.utf8)) else {
      throw TokenError(.signInSessionStore, found: "no random numbers")
    }
    try await values.keep(sealed, under: ValueName(name), until: end, at: clock.now)
    guard sweeps.isDue else { return }
    try await values.sweep(at: clock.now)
    try await sweepOthers(clock.now)
  }
}

/// A single-use value.
struct SingleUse {
  /// What is used; the name in the store begins with it.
  enum Kind: String, CaseIterable {
    case code
    /// A refresh token.
    case refresh
    case signIn = "sign-in"
    /// The assertion of a service identity.
    case assertion
    /// The assertion of a person, for which an access token is given.
    case grant
    case nonce
    /// A logout request of SAML.
    case logout
    /// An authorization request that a client sent by itself.
    case pushed
  }

  /// Tells it from everything else; the store remembers its digest.
  let name: String
  /// When it came into being.
  let origin: TokenUse.Origin
  /// When it is over; clocks of other nodes may be behind.
  let end: Instant
  /// What a second use is.
  let repetition: TokenError

  /// - Parameter rest: Tells it from others of its kind.
  init(
    _ kind: Kind, _ rest: String, _ origin: TokenUse.Origin, until end: Instant,
    repetition: TokenError
  ) {
    name = kind.rawValue + ":" + rest
    self.origin = origin
    self.end = end
    self.repetition = repetition
  }

  /// A sign-in: one gives one token.
  static func signIn(_ context: SignInContext) -> Self {
    Self(
      .signIn, context.id, .begun(context.begun), until: context.end,
      repetition: TokenError(.signInFinished))
  }

  /// The assertion of a service identity, in each form that it may be sent in.
  static func assertion(_ found: AssertedIdentity, sentAs form: String) -> Self {
    Self(
      .assertion, "\(form):\(found.assertion)", .issued(found.issued), until: found.expires,
      repetition: TokenError(.replayUsed, node: "assertion", found: "one that was used"))
  }

  /// The nonce of a WS-Trust request (WSS UsernameToken Profile 1.0, 3.1).
  static func nonce(_ nonce: String, of name: String, at now: Instant) -> Self {
    Self(
      .nonce, PrefixedTexts.text(name) + nonce, .begun(now),
      until: now.advanced(bySeconds: SecurityTokenRequest.nonceMemory),
      repetition: TokenError(
        .issuingSOAPSecurity, node: "Nonce", expected: "one that is new",
        found: "one that was used"))
  }

  /// A logout request of SAML.
  static func logoutRequest(
    _ id: String, of issuer: String, issued: Instant, until end: Instant
  ) -> Self {
    Self(
      .logout, PrefixedTexts.text(issuer) + id, .issued(issued), until: end,
      repetition: TokenError(.issuingSAMLRequest, node: "ID", expected: "one that is new"))
  }
}
