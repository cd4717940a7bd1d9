import HTTPExchange
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
  }

  /// An application.
  public init(
    _ settings: SiteSettings, rules: GateRules, headers: IdentityHeaders,
    identity: IdentityToken? = nil, resource: ProtectedResource? = nil, audiences: [String] = []
  ) {
    parts = Shared(
      Parts(
        settings: settings, rules: rules.protecting(resource?.path), hasMethods: rules.hasMethods,
        headers: headers, identity: identity, resource: resource, audiences: audiences))
  }

  /// Every identity header, empty.
  var emptyHeaders: HTTPFields {
    var fields = (try? headers.fields(nil)) ?? HTTPFields()
    if let identity { try? fields.append(identity.header, "") }
    return fields
  }

  /// What of the application needs tokens of its own for a target; nil where the trust file's audiences count.
  func resource(covering target: String) -> ProtectedResource? {
    guard let resource, (try? RequestTarget(target))?.isCovered(by: resource.path) == true else {
      return nil
    }
    return resource
  }
}
