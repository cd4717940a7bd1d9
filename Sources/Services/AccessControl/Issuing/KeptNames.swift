import Octets
import SignIn

extension KeptKind {
  /// What a code stands for.
  static let code = Self("code")
  /// The authorization whose refresh tokens a client gets one after the other.
  static let family = Self("family")
  /// The mark that an authorization is revoked.
  static let over = Self("over")
  /// The mark that a browser's session was ended.
  static let ended = Self("ended")
  /// The mark of the refresh token of an authorization that is not used yet.
  static let nextRefresh = Self("next-refresh")
  /// What a token that was issued stands for.
  static let token = Self("token")
  /// A client that registered itself.
  static let client = Self("client")
  /// An authorization request that a client sent by itself.
  static let pushed = Self("pushed")
  /// What a browser did until its sign-out.
  static let visit = Self("visit")
  /// The visits in which a person signed in at a provider.
  static let upstream = Self("upstream")
  /// The session of a sign-in between the provider's answer and the token.
  static let arrival = Self("arrival")
  /// Those sessions of one person at a provider.
  static let arrivals = Self("arrivals")
  /// A sign-in on its way that is too long for a cookie or an address.
  static let signIn = Self("sign-in")
  /// A sign-out on its way.
  static let signOut = Self("sign-out")
  /// The session of an admin.
  static let admin = Self("admin")

  /// The kinds of a service that issues tokens.
  package static let ofTokenServices = [
    code, family, over, ended, nextRefresh, token, client, pushed, visit, upstream, arrival,
    arrivals, signIn, signOut,
    admin,
  ]
}

extension KeptName<Grant> {
  static func code(_ code: String) -> Self { Self(.code, code) }
  static func family(_ family: String) -> Self { Self(.family, family) }

  /// A token that was issued: by its identifier, by the digest of what was signed, or by itself where it is opaque.
  static func token(_ key: TokenKey) -> Self { Self(.token, key.name) }
}

extension MarkName {
  /// The mark that an authorization is revoked.
  static func over(_ family: String) -> Self { Self(.over, family) }

  /// The mark that a browser's session was ended.
  static func ended(_ session: String) -> Self { Self(.ended, session) }

  /// The mark of the refresh token of an authorization that is not used yet.
  static func nextRefresh(_ family: String) -> Self { Self(.nextRefresh, family) }
}

extension KeptName<RegisteredClient> {
  /// A client has one of as many places as there may be clients.
  static func client(at place: Int) -> Self { Self(.client, "\(place)") }
}

extension KeptName<PushedRequest> {
  static func pushed(_ name: String) -> Self { Self(.pushed, name) }
}

extension KeptName<Visit> {
  static func visit(_ id: String) -> Self { Self(.visit, id) }
}

extension KeptName<VisitList> {
  /// The visits of one person at a provider.
  static func upstream(
    _ provider: String, _ issuer: String, _ lookup: EndedSessions.Lookup
  ) -> Self {
    Self(
      .upstream,
      PrefixedTexts.text(provider, issuer) + String(decoding: lookup.octets, as: UTF8.self))
  }

  /// The visits that a provider ends.
  static func upstream(_ ended: EndedSessions) -> Self {
    upstream(ended.provider, ended.issuer, ended.lookup)
  }
}

extension KeptName<SignedInSession> {
  static func arrival(_ id: SessionID) -> Self {
    Self(.arrival, Base64.encode(id.digest, .url))
  }
}

extension KeptName<VisitList> {
  /// The sessions of one person at a provider whose sign-ins are not finished.
  static func arrivals(
    _ provider: String, _ issuer: String, _ lookup: EndedSessions.Lookup
  ) -> Self {
    Self(
      .arrivals,
      PrefixedTexts.text(provider, issuer) + String(decoding: lookup.octets, as: UTF8.self))
  }
}

extension KeptName<SignInContext> {
  static func signIn(_ name: String) -> Self { Self(.signIn, name) }
}

extension KeptName<SignOut> {
  static func signOut(_ id: String) -> Self { Self(.signOut, id) }
}

extension KeptName<AdminSession> {
  static func admin(_ session: String) -> Self { Self(.admin, session) }
}
