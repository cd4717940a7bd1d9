public import HTTPExchange
public import TokenBasics

/// A user signed in at a Mobile Service.
public struct MobileUser: Sendable {
  /// The service's identifier of the user, opaque: `Facebook:100004711`, `Custom:42`, `sid:…`.
  public let id: String
  /// The value of `X-ZUMO-AUTH`.
  public let token: Secret

  /// A user with that identifier and token.
  public init(id: String, token: Secret) {
    self.id = id
    self.token = token
  }

  /// The session of this user at a service.
  ///
  /// - Parameters:
  ///   - service: The service that signed the user in.
  ///   - provider: The chosen provider; nil for an account of the service's own.
  ///   - now: The clock, read once by the caller.
  ///   - expires: When the credential ends; nil where the service does not say.
  ///   - lifetime: How long it lasts, used or not.
  public func session(
    at service: MobileService, provider: MobileProvider?, now: Instant, expires: Instant? = nil,
    lifetime: SessionLifetime = .unlimited
  ) -> Session {
    Session(
      principal: Principal(authority: service.origin.description, subject: id),
      provider: provider?.rawValue, credential: Credential(.zumo, token), expires: expires,
      signedInAt: now, lifetime: lifetime)
  }

  /// Checks that the id does not name another known provider than the chosen one. `Custom:…` and `sid:…`
  /// name none.
  /// - Throws: `client.other-provider`.
  func checked(against chosen: MobileProvider?) throws(TokenError) -> Self {
    guard let chosen, let colon = id.firstIndex(of: ":") else { return self }
    let named = MobileProvider(rawValue: String(id[..<colon]))
    let known: Set<MobileProvider> = [
      .facebook, .google, .microsoftAccount, .twitter, .azureActiveDirectory,
    ]
    guard known.contains(named), named != chosen else { return self }
    throw TokenError(.clientOtherProvider, expected: chosen.rawValue, found: named.rawValue)
  }

  /// Reads the user of a login response, in the spelling of each kind of backend.
  /// - Throws: `transport.malformed-response`.
  init(_ json: JSONValue) throws(TokenError) {
    if let user = json["user"] {
      self.init(
        id: try JSONAnswer.string("userId", in: user),
        token: Secret(try JSONAnswer.string("authenticationToken", in: json)))
      return
    }
    let spellings = ["token", "mobileServiceAuthenticationToken", "authenticationToken"]
    let name = spellings.first { json[$0] != nil } ?? "token"
    self.init(
      id: try JSONAnswer.string("userId", in: json),
      token: Secret(try JSONAnswer.string(name, in: json)))
  }
}

/// The outcome of a sign-in at a Mobile Service that did not fail.
public enum MobileSignIn: Sendable {
  /// The service returned a user and a token.
  case signedIn(MobileUser)
  /// The service rejected the sign-in, with a message for the person.
  case refused(ServerMessage)
}
