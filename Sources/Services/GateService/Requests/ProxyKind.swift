/// The proxies that the gate works behind. Each names the judged request in headers of its own; those of the others
/// are not looked at, because a client's own may be in them.
public enum ProxyKind: String, Hashable, Sendable, CaseIterable {
  /// nginx `auth_request`.
  case nginx
  /// Caddy `forward_auth`.
  case caddy
  /// HAProxy with a request of its own.
  case haproxy
  /// Traefik `forwardAuth`.
  case traefik
  /// Envoy `ext_authz` over HTTP.
  case envoy

  /// Whether the gate's answer carries the `Cookie` header for the application: Traefik cannot edit one, and nginx cannot take
  /// every copy of a cookie out of it.
  var takesCookies: Bool { self == .nginx || self == .traefik }

  /// The headers that carry target and method; nil for Envoy, which asks with the request's own path.
  public var headers: (target: String, method: String)? {
    switch self {
    case .nginx: ("X-Original-URI", "X-Original-Method")
    case .caddy, .traefik, .haproxy: ("X-Forwarded-Uri", "X-Forwarded-Method")
    case .envoy: nil
    }
  }

  /// The headers that carry the scheme and the host that the browser asked for, where the gate has applications on several
  /// hosts.
  public var originHeaders: (scheme: String, host: String) {
    switch self {
    case .nginx: ("X-Original-Proto", "X-Original-Host")
    case .caddy, .traefik, .haproxy: ("X-Forwarded-Proto", "X-Forwarded-Host")
    case .envoy: ("X-Forwarded-Proto", "Host")
    }
  }

  /// What the names of header fields begin with by which proxies say something of a request or of an answer, in lower
  /// case: no header of an application is called so.
  static let reservedBeginnings = ["x-accel-", "x-forwarded-", "x-original-"]
}
