import HTTPExchange
public import SignIn

/// An application behind a gate: where it is, who may have which of its paths, and what it is told.
public struct GateApplication: Sendable {
  /// Its origin, and the gate's prefix at it.
  public let settings: SiteSettings
  /// Who may have which path.
  public let rules: GateRules
  /// What it is told of the person.
  public let headers: IdentityHeaders
  /// What the gate signs for it; nil for nothing.
  public let identity: IdentityToken?
  /// What programs get tokens for; nil for no such thing.
  public let resource: ProtectedResource?

  /// An application.
  public init(
    _ settings: SiteSettings, rules: GateRules, headers: IdentityHeaders,
    identity: IdentityToken? = nil, resource: ProtectedResource? = nil
  ) {
    self.settings = settings
    self.rules = rules
    self.headers = headers
    self.identity = identity
    self.resource = resource
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
