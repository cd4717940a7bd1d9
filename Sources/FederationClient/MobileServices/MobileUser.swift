import HTTPExchange
public import Instants
import StrictJSON
import TokenErrors

/// Somebody signed in at a Mobile Service.
public struct MobileUser: Sendable {
  /// Opaque: `Facebook:100004711`, `Custom:42`, `sid:…`.
  public let id: String
  /// What `X-ZUMO-AUTH` wants to see.
  public let token: Secret

  public init(id: String, token: Secret) {
    self.id = id
    self.token = token
  }

  /// The session of this person at a service.
  ///
  /// - Parameter provider: The provider that was chosen; nil for an account of the service's own.
  public func session(
    at service: MobileService, provider: MobileProvider?, now: Instant, expires: Instant? = nil,
    lifetime: SessionLifetime = .unlimited
  ) -> Session {
    Session(
      principal: Principal(authority: service.origin.description, subject: id),
      provider: provider?.rawValue, credential: Credential(.zumo, token), expires: expires,
      signedInAt: now, lifetime: lifetime)
  }

  /// The user, unless the id names one of the known providers and another one was chosen. `Custom:…` and
  /// `sid:…` name none.
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

  /// The user of a login answer, in the spelling of each kind of backend.
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
