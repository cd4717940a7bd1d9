public import TokenBasics

/// What to change in a proxy's configuration.
public enum WiringAdvice {
  /// The change for a finding, in the words of that proxy where they are known.
  public static func change(_ code: TokenError.Code, _ proxy: ProxyKind) -> String {
    let known: String? =
      switch proxy {
      case .nginx: nginx[code]
      case .caddy: caddy[code]
      case .haproxy, .traefik, .envoy: nil
      }
    return known.map { "\(proxy.rawValue): \($0)" } ?? code.hint
  }

  private static let nginx: [TokenError.Code: String] = {
    let target = ProxyKind.nginx.headers?.target ?? ""
    let method = ProxyKind.nginx.headers?.method ?? ""
    return [
      .wiringGate: "location /.gate/ { proxy_pass the gate; auth_request off; }",
      .wiringCheckExposed: "put internal; into location = /.gate/check",
      .wiringCheckFailed:
        "set \(target) $request_uri and \(method) $request_method in location = /.gate/check; see error_log",
      .wiringUnprotected:
        "put auth_request /.gate/check; into every location, or into server; no limit_except around it",
      .wiringSignIn: "error_page 401 = @sign_in; and return 302 $gate_location there",
      .wiringScript: "in @sign_in: if ($gate_location) { return 302 $gate_location; } return 401;",
      .wiringTarget:
        "proxy_set_header \(target) $request_uri; neither $uri nor a rewrite before it",
      .wiringPath: "proxy_set_header \(target) $request_uri; neither $uri nor a rewrite before it",
      .wiringForged:
        "proxy_set_header \(target) $request_uri; and \(method) $request_method; in location = /.gate/check",
      .wiringRefusal: "error_page for 401 alone, not for 403",
      .wiringSession: "no proxy_set_header Cookie in location = /.gate/check",
      .wiringRule: "the same location for the path that is judged and the one that is passed on",
      .wiringHeader:
        "auth_request_set $gate_x $upstream_http_x; and proxy_set_header X $gate_x; for each header",
      .wiringConnection:
        "proxy_set_header for each header of gate.json in the location itself, and Connection not handed on",
      .wiringClientHeader:
        "proxy_set_header for each header of gate.json; underscores_in_headers off",
      .wiringCredential: "proxy_set_header Cookie $cookie_without_gate; see docs/gate.md",
      .wiringFailure:
        "error_page for 401 alone, not for 500 or 503; no proxy_intercept_errors beside it",
      .wiringShared: "no proxy_cache for location = /.gate/check nor for judged locations",
      .wiringHost:
        "set X-Original-Proto $scheme and X-Original-Host to the server's own name, not $http_host, in each location of the gate",
      .wiringResource:
        "location /.well-known/oauth-protected-resource { proxy_pass the gate; } and auth_request_set $gate_challenge",
    ]
  }()

  private static let caddy: [TokenError.Code: String] = [
    .wiringGate: "handle /.gate/* { reverse_proxy the gate } before the route",
    .wiringCheckExposed: "handle /.gate/check* { respond 404 } before handle /.gate/*",
    .wiringCheckFailed: "proxy.peers has to name Caddy's address; see the gate's log",
    .wiringUnprotected: "forward_auth without a matcher, first in a route with all handlers",
    .wiringSignIn: "forward_auth { uri /.gate/check?redirect }",
    .wiringScript: "forward_auth { uri /.gate/check?redirect } without handle_response",
    .wiringTarget: "no rewrite, uri or handle_path before forward_auth",
    .wiringPath: "no rewrite, uri or handle_path before forward_auth",
    .wiringRule: "no rewrite, uri or handle_path before forward_auth",
    .wiringForged: "no header_up of a client's value inside forward_auth",
    .wiringRefusal: "no handle_response for 403 inside forward_auth",
    .wiringSession:
      "no header_up -Cookie inside forward_auth, and no request_header -Cookie before it",
    .wiringHeader: "name each header of gate.json in copy_headers, and remove none behind it",
    .wiringConnection: "request_header Connection, as docs/gate.md has it, first in the route",
    .wiringClientHeader:
      "request_header -*PART* before forward_auth, with a part that all headers of gate.json have",
    .wiringCredential: "request_header Cookie with a pattern behind forward_auth; see docs/gate.md",
    .wiringFailure:
      "no handle_errors that serves pages, and no handle_response for 503 inside forward_auth",
    .wiringShared: "no cache before forward_auth",
    .wiringHost:
      "no header_up of \(ProxyKind.caddy.originHeaders.host), and trusted_proxies for a proxy before it",
    .wiringResource: "handle /.well-known/oauth-protected-resource* { reverse_proxy the gate }",
  ]
}
