import JSONWebTokens
import Octets

/// Sign-in by the code flow of OpenID Connect (OpenID Connect Core 1.0, 3.1). Each provider has addresses of its own: a code of one
/// never goes to another (RFC 9700, 4.4.2).
public struct OpenIDMethod: SignInMethod {
  /// Both sides.
  public let party: OpenIDRelyingParty

  /// The protocol of a provider.
  public init(_ party: OpenIDRelyingParty) { self.party = party }

  /// OpenID Connect.
  public static var kind: PendingSignIn.Kind { .openID }
  /// `state`.
  public static var requestParameter: String { "state" }
  /// The issuer of its ID tokens.
  public var issuer: String { party.issuer }

  /// `openid/ID/callback`, `openid/ID/logout`, `openid/ID/signed-out` and `openid/ID/keys`. The addresses `openid/callback` and `openid/logout` of
  /// earlier versions are those of the only provider.
  public static func routes(_ providers: [String]) -> [SignInRoute] {
    var routes: [SignInRoute] = []
    for id in providers {
      let only = providers.count == 1
      for former in only ? [false, true] : [false] {
        func route(
          _ methods: [String], _ leaf: String, _ purpose: SignInRoute.Purpose,
          _ activity: StaticString? = nil
        ) -> SignInRoute {
          SignInRoute(
            methods, former ? "openid/\(leaf)" : "openid/\(id)/\(leaf)", purpose, provider: id,
            activity: activity, successor: former ? "openid/\(id)/\(leaf)" : nil)
        }
        routes.append(route(["GET", "POST"], "callback", .answers, "signin.openid"))
        routes.append(route(["POST"], "logout", .signOut))
        guard !former else { continue }
        routes.append(route(["GET"], "signed-out", .signedOut))
        routes.append(route(["GET"], "keys", .keys))
      }
    }
    return routes
  }

  /// Each has an identifier that stands in addresses as it is, and of several each a redirect address of its own.
  public static func check(
    _ providers: [(id: String, method: Self)], _ settings: SiteSettings
  ) throws(TokenError) {
    for (id, method) in providers {
      guard HTTPURL.percentEncoded(id) == id else {
        throw SignInProvider.refused(id, "letters, digits, '-', '.', '_' and '~'", id)
      }
      let own = try settings.openIDCallback(id).text
      let address = method.party.configuration.redirectURI.text
      let isFree = try isFree(address, of: id, providers, settings)
      guard providers.count == 1 || address.hasSameBytes(as: own) || isFree else {
        throw SignInProvider.refused(id, "the redirect address \(own)", address)
      }
    }
  }

  /// Whether a redirect address is one of this site, and of no other provider.
  private static func isFree(
    _ address: String, of id: String, _ providers: [(id: String, method: Self)],
    _ settings: SiteSettings
  ) throws(TokenError) -> Bool {
    for (other, method) in providers where !other.hasSameBytes(as: id) {
      let taken = [
        try settings.openIDCallback(other).text, method.party.configuration.redirectURI.text,
      ]
      guard !taken.containsBytes(of: address) else { return false }
    }
    return try name(in: address, settings) != nil
  }

  /// The name by which a redirect address tells a provider from others; nil for an address of another form.
  private static func name(
    in address: String, _ settings: SiteSettings
  ) throws(TokenError) -> String? {
    let (start, end) = (try settings.address("openid/").text, "/callback")
    guard address.hasPrefix(start), address.hasSuffix(end),
      address.utf8.count > start.utf8.count + end.utf8.count
    else { return nil }
    let name = String(address.dropFirst(start.count).dropLast(end.count))
    return try settings.openIDCallback(name).text.hasSameBytes(as: address) ? name : nil
  }

  /// Begins with an authorization request.
  public func begin(
    returningTo path: ReturnPath?, demanding demands: SignInDemands, at now: Instant
  ) async throws(TokenError) -> BegunSignIn {
    try await party.begin(returningTo: path, demanding: demands, at: now)
  }

  /// Reads the `state` of an answer, in the place that the response mode has for it.
  public static func read(
    _ request: WebRequest, among methods: [Self], at now: Instant
  ) async throws(TokenError) -> ReceivedAnswer<WebRequest> {
    guard let party = methods.first?.party else { throw TokenError(.signInProvider) }
    return .answer(to: try party.request(of: request), request)
  }

  /// Redeems the code and judges the ID token.
  public func finish(
    _ answer: WebRequest, of pending: PendingSignIn?, at provider: SignInProvider,
    used: any ReplayStore, clock: any TimeSource
  ) async throws(TokenError) -> VerifiedSignIn {
    guard let pending else { throw TokenError(.signInUnsolicited) }
    let signIn = try await party.finish(answer, pending: pending, used: used, at: clock.now)
    return VerifiedSignIn(
      signIn.principal, idToken: signIn.idToken,
      refreshToken: renewalInterval == nil ? nil : signIn.refreshToken)
  }

  /// `refresh` of the registration.
  public var renewalInterval: Int64? { party.configuration.refreshInterval }

  /// By the refresh token (OpenID Connect Core 1.0, 12).
  public func renew(
    _ session: SignedInSession, keeping keep: @Sendable (Secret) async throws(TokenError) -> Void,
    at now: Instant
  ) async throws(TokenError) -> SessionRenewalOutcome {
    guard let renewal = session.renewal else { return .renewed(session.principal) }
    do throws(TokenError) {
      return .renewed(
        try await party.renew(
          session.principal, idToken: session.idToken, by: renewal.refreshToken, keeping: keep,
          at: now))
    } catch {
      guard Self.endsSession(error) else { throw error }
      return .ended(error)
    }
  }

  /// Whether a refresh says that the session at the provider is over (RFC 6749, 5.2), or is about another one
  /// (OpenID Connect Core 1.0, 12.2).
  private static func endsSession(_ error: TokenError) -> Bool {
    switch error.code {
    case .signInRefused: error.reason == .named(.invalidGrant)
    case .signInUserInfo: error.node == "sub"
    case .signInIDToken, .signInOtherIssuer, .audienceMismatch, .audienceMissing, .issuerUntrusted,
      .issuerMissing:
      true
    default: false
    }
  }

  /// OpenID Connect RP-Initiated Logout 1.0.
  public func signOut(
    of session: SignedInSession, _ settings: SiteSettings, at now: Instant
  ) async throws(TokenError) -> BegunSignOut? {
    let own = party.configuration.redirectURI.text
    let name = try Self.name(in: own, settings) ?? session.provider
    let address = try settings.address("openid/\(HTTPURL.percentEncoded(name))/signed-out")
    let action = await party.endSession(
      idToken: session.idToken, returningTo: address, state: nil, at: now)
    return action.map { BegunSignOut($0) }
  }

  /// The keys of `private_key_jwt` (OpenID Connect Core 1.0, 9), and those to which the provider encrypts (10.2); nil
  /// where there are none.
  public var publishedKeys: [UInt8]? {
    let client = party.configuration
    var keys: [PublishedKey] = []
    if case .privateKey(let key, let keyID) = client.authentication {
      keys.append(PublishedKey(key.publicKey, keyID: keyID, algorithm: key.algorithm))
      keys += client.announcedKeys.map { PublishedKey($0.publicKey, algorithm: $0.algorithm) }
    }
    let recipients = client.decryptionKeys.compactMap(\.privateKey?.publicKey)
    guard !keys.isEmpty || !recipients.isEmpty else { return nil }
    return PublishedKey.keySet(keys, encryptingTo: recipients)
  }

  /// Those of the provider's configuration, once it is known.
  public func incompatibilities(at now: Instant) -> [ProviderIncompatibility] {
    party.provider.readyConfiguration(at: now).map(party.incompatibilities) ?? []
  }

  /// A logout token that the provider posts (OpenID Connect Back-Channel Logout 1.0, 2.5).
  public func receiveSignOut(
    _ request: WebRequest, at provider: SignInProvider,
    pending: @Sendable (_ request: String) throws(TokenError) -> PendingSignIn,
    used: any ReplayStore, clock: any TimeSource
  ) async throws(TokenError) -> ReceivedSignOut {
    let logout = try await party.logoutToken(
      request, from: provider.id, used: used, at: clock.now)
    return .demand(logout.ended(at: provider.id)) { (_) throws(TokenError) in
      .document(contentType: "text/plain; charset=utf-8", [])
    }
  }
}

extension SignInMethod where Self == OpenIDMethod {
  /// OpenID Connect.
  public static func openID(_ party: OpenIDRelyingParty) -> Self { Self(party) }
}

extension SignInProvider {
  /// An OpenID provider, whose registry is its own.
  public init(id: String, name: String, openID party: OpenIDRelyingParty) {
    self.init(id: id, name: name, .openID(party), registry: party.provider)
  }

  /// The domains whose e-mail addresses count where the provider does not say that they are verified.
  package var emailDomains: [String] {
    (method as? OpenIDMethod)?.party.configuration.emailDomains ?? []
  }
}

extension SiteSettings {
  /// The redirect address of an OpenID provider, which no other provider has (RFC 9700, 4.4.2).
  ///
  /// - Throws: `transport.malformed-address`.
  public func openIDCallback(_ provider: String) throws(TokenError) -> HTTPURL {
    try address("openid/\(HTTPURL.percentEncoded(provider))/callback")
  }
}
