public import Claims
import Federation
public import HTTPExchange
public import SimulatedService
import Synchronization
public import TokenBasics

/// The Access Control Service as a value that maps requests to responses, without a network. Tokens of
/// all four formats are minted with the package itself.
///
/// It also simulates the identity providers, each with one page for its one person.
public final class AccessControlCore: Simulator {
  struct Code {
    let client: String
    let realm: String
    let redirectURI: String
    let user: AccessControlNamespace.Provider
    let expires: Instant
    /// The nonce that the token must contain.
    let nonce: String?
    /// The challenge whose verifier the exchange must contain.
    let challenge: String?
  }

  struct State {
    var codes: [String: Code] = [:]
    var refreshTokens: [String: Code] = [:]
    var issued: [TokenFormat: Int] = [:]
    var signOuts = 0
    var failures: [HTTPResponse] = []
  }

  let namespace: AccessControlNamespace
  let time: any TimeSource
  let state = Mutex(State())

  public init(_ namespace: AccessControlNamespace, time: any TimeSource) {
    self.namespace = namespace
    self.time = time
  }

  /// The number of minted tokens by format.
  public var issued: [TokenFormat: Int] { state.withLock { $0.issued } }
  /// The number of sign-outs.
  public var signOuts: Int { state.withLock { $0.signOuts } }

  /// Responses to the next requests to the token endpoints, in turn, whatever they contain.
  public func failNext(_ answers: HTTPResponse...) {
    state.withLock { $0.failures += answers }
  }

  public func answer(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let path = request.path.hasSuffix("/") ? String(request.path.dropLast()) : request.path
    switch (request.method, path.lowercased()) {
    case ("GET", "/v2/metadata/identityproviders.js"): return try providerList(request)
    case ("GET", "/v2/wsfederation"): return try passive(request)
    case ("GET", "/login"): return try providerPage(request)
    case ("GET", "/v2/callback"): return try callback(request)
    case ("GET", "/consent"): return try consent(request)
    case ("POST", "/wrapv0.9"): return try tokenEndpoint(request, wrap)
    case ("POST", "/v2/oauth2-13"): return try tokenEndpoint(request, oauth)
    default: throw Refusal(404, "no such endpoint")
    }
  }

  private func tokenEndpoint(
    _ request: ServerRequest, _ answer: (ServerRequest) throws(Refusal) -> HTTPResponse
  ) throws(Refusal) -> HTTPResponse {
    let failure = state.withLock { $0.failures.isEmpty ? nil : $0.failures.removeFirst() }
    if let failure { return failure }
    guard request.query == nil, request["Authorization"] == nil else {
      throw Refusal(400, "credentials belong into the body")
    }
    return try answer(request)
  }

  func relyingParty(_ realm: String?) throws(ServiceFault) -> AccessControlNamespace.RelyingParty {
    guard let realm, let party = namespace.relyingParties.first(where: { $0.realm == realm })
    else { throw .unknownRealm }
    return party
  }

  func mint(
    subject: String?, claims: [Claim], for party: AccessControlNamespace.RelyingParty,
    as format: TokenFormat? = nil
  ) throws -> IssuedToken {
    let format = format ?? party.format
    // Tokens have whole seconds; rounding avoids a wait for the next one.
    let draft = TokenDraft(
      issuer: namespace.issuer, audiences: [party.realm], subject: subject,
      claims: ClaimSet(claims), issuedAt: Instant(secondsSinceEpoch: time.now.seconds),
      lifetime: party.lifetime)
    let token = try IssuedToken(draft, format, namespace)
    state.withLock { $0.issued[format, default: 0] += 1 }
    return token
  }

  /// The claims of a person, with the claim that names the provider behind them.
  func claims(of user: AccessControlNamespace.Provider) throws(ServiceFault) -> [Claim] {
    guard user.subject != nil else { throw .noClaims }
    return user.claims + [Claim(.identityProvider, user.id)]
  }
}
