public import ForwardAuthentication
public import TokenErrors

/// What to change in a proxy's configuration.
public enum WiringAdvice {
  /// The change for a finding, in the words of that proxy where they are known.
  public static func change(_ code: TokenError.Code, _ proxy: ProxyKind) -> String {
    let known: String? =
      switch proxy {
      case .nginx: nginx(code)
      case .caddy: caddy(code)
      case .haproxy, .traefik, .envoy: nil
      }
    return known.map { "\(proxy.rawValue): \($0)" } ?? code.hint
  }

  private static func nginx(_ code: TokenError.Code) -> String? {
    let target = ProxyKind.nginx.headers?.target ?? ""
    let method = ProxyKind.nginx.headers?.method ?? ""
    return switch code {
    case .wiringGate: "location /.gate/ { proxy_pass the gate; auth_request off; }"
    case .wiringCheckExposed: "put internal; into location = /.gate/check"
    case .wiringCheckFailed:
      "set \(target) $request_uri and \(method) $request_method in location = /.gate/check; see error_log"
    case .wiringUnprotected:
      "put auth_request /.gate/check; into every location, or into server; no limit_except around it"
    case .wiringSignIn: "error_page 401 = @sign_in; and return 302 $gate_location there"
    case .wiringScript:
      "in @sign_in: if ($gate_location) { return 302 $gate_location; } return 401;"
    case .wiringTarget, .wiringPath:
      "proxy_set_header \(target) $request_uri; neither $uri nor a rewrite before it"
    case .wiringForged:
      "proxy_set_header \(target) $request_uri; and \(method) $request_method; in location = /.gate/check"
    case .wiringRefusal: "error_page for 401 alone, not for 403"
    case .wiringSession: "no proxy_set_header Cookie in location = /.gate/check"
    case .wiringRule: "the same location for the path that is judged and the one that is passed on"
    case .wiringHeader:
      "auth_request_set $gate_x $upstream_http_x; and proxy_set_header X $gate_x; for each header"
    case .wiringConnection:
      "proxy_set_header for each header of gate.json in the location itself, and Connection not handed on"
    case .wiringClientHeader:
      "proxy_set_header for each header of gate.json; underscores_in_headers off"
    case .wiringCredential: "proxy_set_header Cookie $cookie_without_gate; see docs/gate.md"
    case .wiringFailure:
      "error_page for 401 alone, not for 500 or 503; no proxy_intercept_errors beside it"
    case .wiringShared: "no proxy_cache for location = /.gate/check nor for judged locations"
    default: nil
    }
  }

  private static func caddy(_ code: TokenError.Code) -> String? {
    switch code {
    case .wiringGate: "handle /.gate/* { reverse_proxy the gate } before the route"
    case .wiringCheckExposed: "handle /.gate/check* { respond 404 } before handle /.gate/*"
    case .wiringCheckFailed: "proxy.peers has to name Caddy's address; see the gate's log"
    case .wiringUnprotected: "forward_auth without a matcher, first in a route with all handlers"
    case .wiringSignIn: "forward_auth { uri /.gate/check?redirect }"
    case .wiringScript: "forward_auth { uri /.gate/check?redirect } without handle_response"
    case .wiringTarget, .wiringPath, .wiringRule:
      "no rewrite, uri or handle_path before forward_auth"
    case .wiringForged: "no header_up of a client's value inside forward_auth"
    case .wiringRefusal: "no handle_response for 403 inside forward_auth"
    case .wiringSession:
      "no header_up -Cookie inside forward_auth, and no request_header -Cookie before it"
    case .wiringHeader: "name each header of gate.json in copy_headers, and remove none behind it"
    case .wiringConnection:
      "request_header Connection, as docs/gate.md has it, first in the route"
    case .wiringClientHeader:
      "request_header -*PART* before forward_auth, with a part that all headers of gate.json have"
    case .wiringCredential:
      "request_header Cookie with a pattern behind forward_auth; see docs/gate.md"
    case .wiringFailure:
      "no handle_errors that serves pages, and no handle_response for 503 inside forward_auth"
    case .wiringShared: "no cache before forward_auth"
    default: nil
    }
  }
}
