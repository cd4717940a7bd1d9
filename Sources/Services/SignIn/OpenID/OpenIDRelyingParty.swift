public import HTTPExchange
public import Federation
public import IssuerRegistry

/// A relying party of one OpenID provider: authorization code flow with proof keys (OpenID Connect Core
/// 1.0, 3.1; RFC 7636; RFC 9700).
///
/// A value without a clock or socket: ``begin(returningTo:demanding:at:)`` says where the browser goes and what the
/// service keeps; ``finish(_:pending:used:at:)`` takes the answer and what was kept, and gives a principal or
/// an error.
public struct OpenIDRelyingParty: Sendable {
  /// What is registered with the provider.
  public let configuration: OpenIDClient
  /// Where the provider's endpoints and keys come from.
  public let provider: OpenIDRegistry
  /// The issuer, as its tokens name it.
  public var issuer: String { provider.issuer }

  let transport: any HTTPTransport
  let skew: Int
  let random: RandomSource

  /// A relying party with this registration.
  ///
  /// - Parameters:
  ///   - configuration: The registration at the provider.
  ///   - provider: Knows the provider's endpoints and keys.
  ///   - transport: Reaches the token endpoint and the UserInfo endpoint.
  ///   - skew: Seconds by which the provider's clock may differ: 0 to 600.
  ///   - random: The source of random octets; another one in tests alone.
  /// - Throws: `signin.configuration` for a member that cannot work, `policy.limit` for the skew.
  public init(
    _ configuration: OpenIDClient, provider: OpenIDRegistry, transport: any HTTPTransport,
    skew: Int = Trust.defaultSkew, random: RandomSource = RandomSource()
  ) throws(TokenError) {
    try configuration.check()
    _ = try Trust(issuers: [], audiences: .oneOf([]), skew: skew)
    self.configuration = configuration
    self.provider = provider
    self.transport = transport
    self.skew = skew
    self.random = random
  }

  /// Begins a sign-in: a redirect to the provider, and the pending sign-in to keep.
  ///
  /// - Parameters:
  ///   - path: Opened after the sign-in. It is kept here and does not travel.
  ///   - demands: What this sign-in asks beside what ``configuration`` asks of every one.
  ///   - now: The clock, read once by the caller.
  /// - Throws: `signin.no-endpoint`, `signin.incompatible-provider` for a provider that cannot do what is configured;
  ///   `registry.*` if nothing is known of it.
  public func begin(
    returningTo path: ReturnPath?, demanding demands: SignInDemands = SignInDemands(),
    at now: Instant
  ) async throws(TokenError) -> BegunSignIn {
    let found = try await provider.configuration(at: now)
    if let obstacle = incompatibilities(found).first(where: \.preventsSignIn) {
      throw obstacle.error
    }
    guard let endpoint = found.authorizationEndpoint else {
      throw TokenError(.signInNoEndpoint, node: "authorization_endpoint")
    }
    let key = ProofKey(random: random)
    let nonce = random.hex(20)
    let pending = PendingSignIn(
      .openID, issuer: issuer, endpoint: configuration.redirectURI.text, nonce: nonce,
      proofKey: key, contexts: configuration.contexts, returnPath: path, random: random, at: now)
    let request = AuthorizationRequest(
      clientID: configuration.clientID, redirectURI: configuration.redirectURI,
      scope: scopes(found).joined(separator: " "), state: pending.request, proofKey: key,
      nonce: nonce)
    return BegunSignIn(
      action: .redirect(request.address(at: endpoint).adding(parameters(demands))),
      pending: pending)
  }

  /// The scopes of the registration, and the one that gives a refresh token.
  private func scopes(_ found: OpenIDConfiguration) -> [String] {
    let scopes = configuration.scopes
    guard configuration.refreshInterval != nil, found.scopes.contains(Self.offline),
      !scopes.contains(Self.offline)
    else { return scopes }
    return scopes + [Self.offline]
  }

  private static let offline = "offline_access"

  /// What access tokens are for (RFC 8707, 2.1 and 2.2).
  var resourceParameters: [(String, String)] { configuration.resources.map { ("resource", $0) } }

  /// The parameters beyond RFC 6749. The default response mode of a code is `query` and is not named.
  private func parameters(_ demands: SignInDemands) -> [(String, String)] {
    var parameters: [(String, String)] = []
    if configuration.responseMode != .query {
      parameters.append(("response_mode", configuration.responseMode.rawValue))
    }
    // Age 0 is what obliges a provider to say when it asked the person anew (OpenID Connect Core 1.0, 3.1.2.1).
    let ages = [configuration.maxAge, demands.maxAge, demands.forcesSignIn ? 0 : nil]
    let age = ages.compactMap(\.self).min() ?? (demands.wantsInstant ? SignInDemands.anyAge : nil)
    if let age { parameters.append(("max_age", String(age))) }
    let prompt =
      demands.isPassive ? "none" : demands.prompt ?? (demands.forcesSignIn ? "login" : nil)
    if let prompt = prompt ?? configuration.prompt { parameters.append(("prompt", prompt)) }
    let contexts = demands.contexts(within: configuration.contexts)
    if !contexts.isEmpty {
      parameters.append(("acr_values", contexts.joined(separator: " ")))
    }
    if let hint = demands.loginHint { parameters.append(("login_hint", hint)) }
    return parameters + resourceParameters
  }
}
