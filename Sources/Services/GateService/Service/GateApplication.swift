import Federation
public import HTTPExchange
import Octets
public import SignIn

/// An application behind a gate: where it is, who may have which of its paths, and what it is told.
public struct GateApplication: Sendable {
  /// Its origin, and the gate's prefix at it.
  public var settings: SiteSettings { parts.value.settings }
  /// Who may have which path.
  public var rules: GateRules { parts.value.rules }
  /// Whether no application is there: the gate's pages are alone at the origin.
  var hasPagesOnly = false
  /// Whether one of ``rules`` is for a method.
  var hasMethods: Bool { parts.value.hasMethods }
  /// What it is told of the person.
  public var headers: IdentityHeaders { parts.value.headers }
  /// What the gate signs for it; nil for nothing.
  public var identity: IdentityToken? { parts.value.identity }
  /// What programs get tokens for; nil for no such thing.
  public var resource: ProtectedResource? { parts.value.resource }
  /// Audiences of bearer tokens for it, beside its origin.
  public var audiences: [String] { parts.value.audiences }

  /// Other origins whose pages read its answers (CORS).
  public var readers: [HTTPOrigin] { parts.value.readers }

  /// One reference: each request takes the application that it is for.
  private let parts: Shared<Parts>

  private struct Parts: Sendable {
    let settings: SiteSettings
    let rules: GateRules
    let hasMethods: Bool
    let headers: IdentityHeaders
    let identity: IdentityToken?
    let resource: ProtectedResource?
    let audiences: [String]
    let readers: [HTTPOrigin]
  }

  /// An application.
  public init(
    _ settings: SiteSettings, rules: GateRules, headers: IdentityHeaders,
    identity: IdentityToken? = nil, resource: ProtectedResource? = nil, audiences: [String] = [],
    readers: [HTTPOrigin] = []
  ) {
    parts = Shared(
      Parts(
        settings: settings, rules: rules.protecting(resource?.path), hasMethods: rules.hasMethods,
        headers: headers, identity: identity, resource: resource, audiences: audiences,
        readers: readers))
  }

  /// Every identity header, empty.
  var emptyHeaders: HTTPFields {
    var fields = (try? headers.fields(nil)) ?? HTTPFields()
    if let identity { try? fields.append(identity.header, "") }
    return fields
  }

  /// What pages at its host show of a person: what the headers and the signed identity tell it.
  func shown(_ subject: GateSubject) -> ShownPerson {
    let types = headers.rules.flatMap(\.claims)
    func isTold(_ type: ClaimType) -> Bool { types.contains(type) }
    var claims: [Claim] = []
    var told = headers.rules.map {
      subject.claims(shownAs: $0.claims, of: $0.counted, only: $0.only)
    }
    told += (identity?.members ?? []).map { subject.claims(shownAs: $0.claims, of: $0.counted) }
    for claim in told.joined() where !claims.contains(claim) { claims.append(claim) }
    let hasIdentity = identity != nil
    return ShownPerson(
      subject: hasIdentity || isTold(GateClaim.subject) ? subject.subject : nil,
      provider: hasIdentity || isTold(GateClaim.provider) ? subject.provider : nil,
      issuer: isTold(GateClaim.issuer) ? subject.issuer : nil, claims: ClaimSet(claims))
  }

  /// The claims that its rules, headers and signed identity name at a provider; with the provider's further names.
  func namedClaims(at provider: String, _ sources: ClaimSources) -> [NamedClaim] {
    NamedClaim.all(rules.rules, headers.rules, identity?.members ?? [], at: provider, sources)
  }

  /// What of the application needs tokens of its own for a target; nil where the trust file's audiences count.
  func resource(covering target: String) -> ProtectedResource? {
    guard let resource, (try? RequestTarget(target))?.isCovered(by: resource.path) == true else {
      return nil
    }
    return resource
  }
}
