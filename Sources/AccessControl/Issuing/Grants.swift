import BrowserExchange
import Octets
import SecurityKeys
import SignIn
import TokenService

extension AccessControlSite {
  /// Keeps a grant under a new code.
  ///
  /// - Throws: what the store throws.
  func code(for grant: Grant) async throws(TokenError) -> Secret {
    let code = Base64.encode(random.octets(32), .url)
    try await keep(grant.json, under: "code:" + code, until: grant.expires)
    return Secret(code)
  }

  /// The grant of a code, which is good for once. One that comes a second time was seen by somebody else: then the
  /// tokens that the first use gave end too (RFC 6749, 4.1.2).
  ///
  /// - Parameter isMeant: Whether the request is the one that the code was given for.
  /// - Throws: `issuing.grant`, and what the stores throw.
  func redeem(
    _ code: String, _ isMeant: (Grant) -> Bool
  ) async throws(TokenError) -> Grant {
    let now = clock.now
    guard code.utf8.count == 43, let octets = try await kept(under: "code:" + code),
      let grant = Grant(json: octets), now < grant.expires, isMeant(grant)
    else { throw TokenError(.issuingGrant) }
    try await refuseEnded(grant)
    guard try await isFirstUse("code:" + code, of: grant) else {
      try await endFamily(familyName(of: code), grant)
      throw TokenError(.issuingGrant, found: "one that was used")
    }
    return grant
  }

  /// The first refresh token of an authorization.
  func refreshToken(
    for grant: Grant, code: String
  ) async throws(TokenError) -> Secret {
    let name = familyName(of: code)
    let family = grant.family(from: clock.now)
    try await keep(family.json, under: "family:" + name, until: family.expires)
    return refreshToken(of: name)
  }

  /// The authorization of a refresh token, and the next one. A token that comes a second time ends them all: of two who
  /// have it one stole it (RFC 9700, 4.14.2).
  ///
  /// - Throws: `issuing.grant`, and what the stores throw.
  func refreshed(
    _ token: String, _ isMeant: (Grant) -> Bool
  ) async throws(TokenError) -> (grant: Grant, next: Secret) {
    let now = clock.now
    guard token.utf8.count <= 256, let sealed = try? Base64.decode(Array(token.utf8), .url),
      let plain = key.open(sealed, context: Self.refreshContext),
      let separator = plain.firstIndex(of: UInt8(ascii: ":"))
    else { throw TokenError(.issuingGrant) }
    let name = String(decoding: plain[..<separator], as: UTF8.self)
    let id = String(decoding: plain[plain.index(after: separator)...], as: UTF8.self)
    guard let octets = try await kept(under: "family:" + name), let grant = Grant(json: octets),
      grant.kind == .family, now < grant.expires, isMeant(grant)
    else { throw TokenError(.issuingGrant) }
    try await refuseEnded(grant)
    guard try await isFirstUse("refresh:" + id, of: grant) else {
      try await endFamily(name, grant)
      throw TokenError(.issuingGrant, found: "one that was used")
    }
    return (grant, refreshToken(of: name))
  }

  private func refreshToken(of family: String) -> Secret {
    let plain = Array("\(family):\(random.hex(16))".utf8)
    return Secret(Base64.encode(key.seal(plain, context: Self.refreshContext) ?? [], .url))
  }

  private func familyName(of code: String) -> String {
    Hex.encode(Array(key.code(for: "family:" + code).prefix(16)))
  }

  private func endFamily(_ name: String, _ grant: Grant) async throws(TokenError) {
    try await values.remove(ValueName("family:" + name))
    observer.happened(
      Activity(
        "issuing.family-ended",
        [("realm", grant.realm), ("source", grant.subject.source.name ?? "")]))
  }

  private static let refreshContext = Array("refresh".utf8)

  // MARK: The session of a browser

  /// Nothing of a session is to be had once the person has signed out.
  ///
  /// - Throws: `issuing.grant`.
  private func refuseEnded(_ grant: Grant) async throws(TokenError) {
    guard try await kept(under: "ended:" + grant.session) == nil else {
      throw TokenError(.issuingGrant, found: "one of a session that was signed out")
    }
  }

  /// Ends the codes and refresh tokens of a session.
  func end(_ session: String) async throws(TokenError) {
    try await keep(
      [1], under: "ended:" + session,
      until: clock.now.advanced(bySeconds: Grant.lifetime(.family)))
  }

  // MARK: The store

  /// Keeps a value, sealed for its name.
  func keep(
    _ value: [UInt8], under name: String, until end: Instant
  ) async throws(TokenError) {
    guard let sealed = key.seal(value, context: Array(name.utf8)) else {
      throw TokenError(.signInSessionStore, found: "no random numbers")
    }
    try await values.keep(sealed, under: ValueName(name), until: end, at: clock.now)
    guard sweeps.isDue else { return }
    try await values.sweep(at: clock.now)
    try await upstream?.sessions.sweep(at: clock.now, idle: upstream?.settings.idle ?? 0)
  }

  /// The value that was kept under a name; nil for none.
  func kept(under name: String) async throws(TokenError) -> [UInt8]? {
    guard let sealed = try await values.value(under: ValueName(name), at: clock.now) else {
      return nil
    }
    return key.open(sealed, context: Array(name.utf8))
  }

  /// Whether something that is good for once is used now.
  ///
  /// - Parameter end: When it is over; clocks of other nodes may be behind.
  func isFirstUse(
    _ name: String, _ origin: TokenUse.Origin, until end: Instant
  ) async throws(TokenError) -> Bool {
    try await used.remember(
      TokenUse(
        TokenIdentity(signIn: "acs:" + name), origin, until: end,
        skew: Int64(Trust.defaultSkew)), at: clock.now)
  }

  /// A grant was begun as long before its end as its kind lives.
  private func isFirstUse(_ name: String, of grant: Grant) async throws(TokenError) -> Bool {
    try await isFirstUse(
      name, .begun(grant.expires.advanced(bySeconds: -Grant.lifetime(grant.kind))),
      until: grant.expires)
  }
}
