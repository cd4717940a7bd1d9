public import TokenBasics

/// What to change in a proxy's configuration.
public enum WiringAdvice {
  /// The change for a finding, in the words of that proxy where they are known.
  public static func change(_ code: TokenError.Code, _ proxy: ProxyKind) -> String {
    let known: String? =
      switch proxy {
      case .nginx: nginx[code]
      case .caddy: caddy[code]
      case .haproxy: haproxy[code]
      case .traefik: traefik[code]
      case .envoy: envoy[code]
      }
    return known.map { "\(proxy.rawValue): \($0)" }
      ?? "\(code.hint); claims-gate recipe \(proxy.rawValue) prints the configuration"
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
      .wiringSignIn:
        "error_page 403 = @gate_answer; which asks the gate for check?redirect and hands on its answer",
      .wiringScript:
        "error_page 403 = @gate_answer; which asks the gate for check?redirect and hands on its answer",
      .wiringTarget:
        "proxy_set_header \(target) $request_uri; neither $uri nor a rewrite before it",
      .wiringPath: "proxy_set_header \(target) $request_uri; neither $uri nor a rewrite before it",
      .wiringForged:
        "proxy_set_header \(target) $request_uri; and \(method) $request_method; in location = /.gate/check",
      .wiringRefusal: "error_page 403 = @gate_answer; which hands on the gate's own answer",
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
        "error_page for 403 alone, not for 500 or 503; proxy_intercept_errors in location = /.gate/check alone",
      .wiringShared: "no proxy_cache for location = /.gate/check nor for judged locations",
      .wiringHost:
        "set X-Original-Proto $scheme and X-Original-Host to the server's own name, not $http_host, in each location of the gate",
      .wiringResource:
        "location /.well-known/oauth-protected-resource { proxy_pass the gate; } and error_page 403 = @gate_answer;",
      .wiringUpgrade:
        "proxy_set_header Upgrade $gate_upgrade; and HTTP2-Settings \"\"; see claims-gate recipe nginx",
      .wiringWebSocket:
        "proxy_http_version 1.1; and proxy_set_header Upgrade $gate_upgrade; Connection $gate_connection;",
      .wiringMethodOverride:
        "no proxy_set_header X-HTTP-Method-Override and no proxy_pass_request_headers off in location = /.gate/check",
      .wiringTwoHosts: "nginx refuses such requests itself; look at what stands before it",
      .wiringPage:
        "error_page 401 = @gate_refusal; in location = /.gate/check, error_page 403 = @gate_answer; in location /",
      .wiringCookie:
        "proxy_set_header Cookie $cookie_without_gate; with the value of the gate's answer",
      .wiringBuffers:
        "proxy_buffer_size and proxy_buffers in server, as claims-gate recipe nginx prints them",
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
    .wiringUpgrade:
      "request_header @plain -Upgrade and request_header -HTTP2-Settings before forward_auth",
    .wiringWebSocket:
      "request_header @upgrade Connection Upgrade before forward_auth, with the matcher @websocket of claims-gate recipe caddy",
    .wiringMethodOverride: "no request_header -X-HTTP-Method-Override before forward_auth",
    .wiringTwoHosts: "Caddy refuses such requests itself; look at what stands before it",
    .wiringPage: "no handle_response inside forward_auth, and no handle_errors",
    .wiringCookie: "request_header Cookie with the pattern of claims-gate recipe caddy",
    .wiringBuffers:
      "no max_header_size below 1MB in servers, and large buffers in what stands before Caddy",
  ]

  private static let haproxy: [TokenError.Code: String] = [
    .wiringGate: "use_backend gate if gate_page, before other backends",
    .wiringCheckExposed: "http-request return status 404 if { path_beg /.gate/check }",
    .wiringUnprotected:
      "http-request lua.gate_check if !gate_page, before every use_backend and without another condition",
    .wiringSignIn: "gate.lua hands on the gate's answer: txn:done(reply) for 300 to 499",
    .wiringScript: "gate.lua hands on the gate's answer: txn:done(reply) for 300 to 499",
    .wiringRefusal: "gate.lua hands on the gate's answer: txn:done(reply) for 300 to 499",
    .wiringPage: "gate.lua hands on the gate's answer: txn:done(reply) for 300 to 499",
    .wiringTarget: "gate.lua names the judged target as txn.f:pathq()",
    .wiringSession: "gate.lua hands the Cookie header to the gate",
    .wiringHeader:
      "txn.http:req_set_header(name, value) in gate.lua, with each header of gate.json in identity",
    .wiringClientHeader:
      "txn.http:req_del_header(name) for every folded name of identity in gate.lua",
    .wiringConnection: "http-request del-header connection before http-request lua.gate_check",
    .wiringCredential: "strip(txn, own[\"cookie\"], …) at the end of gate_check in gate.lua",
    .wiringCookie: "cookies and beginnings in gate.lua, as claims-gate recipe haproxy prints them",
    .wiringUpgrade:
      "http-request del-header upgrade if !{ var(txn.websocket) -m bool }, which { method GET } alone sets, and del-header http2-settings",
    .wiringWebSocket:
      "http-request set-header connection upgrade if { var(txn.websocket) -m bool }",
    .wiringTwoHosts: "http-request deny deny_status 400 if { req.hdr_cnt(host) gt 1 }",
    .wiringFailure:
      "http-request deny deny_status 503 if !gate_page !{ var(txn.gate_status) -m int 200 }",
    .wiringBuffers:
      "tune.bufsize and tune.maxrewrite in global, as claims-gate recipe haproxy prints them",
  ]

  private static let traefik: [TokenError.Code: String] = [
    .wiringGate: "a router gate for PathPrefix(`/.gate/`) without the middleware signed-in",
    .wiringCheckExposed: "!PathPrefix(`/.gate/check`) in the rule of the router gate",
    .wiringUnprotected: "the middleware signed-in at every router of the application",
    .wiringHeader: "authResponseHeadersRegex with each header of gate.json",
    .wiringClientHeader: "authResponseHeadersRegex with [^0-9a-z] for each -, and (?i) before it",
    .wiringConnection:
      "customRequestHeaders with Connection in middlewares plain and upgrade, before signed-in",
    .wiringCredential: "authResponseHeaders: [Cookie]",
    .wiringUpgrade:
      "customRequestHeaders: {Connection: \"\", Upgrade: \"\", HTTP2-Settings: \"\"} in the middleware plain",
    .wiringWebSocket:
      "a router websocket with customRequestHeaders: {Connection: Upgrade, Upgrade: websocket}",
    .wiringTarget: "no middleware that changes the path before signed-in",
    .wiringSignIn: "check?redirect in the address of forwardAuth",
  ]

  private static let envoy: [TokenError.Code: String] = [
    .wiringGate: "a route for the prefix /.gate/ to the cluster gate, with ext_authz disabled",
    .wiringCheckExposed:
      "direct_response: {status: 404} for the prefix /.gate/check, before the other routes",
    .wiringUnprotected:
      "envoy.filters.http.ext_authz in http_filters, disabled for routes of the gate alone",
    .wiringHeader: "allowed_upstream_headers with each header of gate.json",
    .wiringClientHeader:
      "remove_on_match in early_header_mutation_extensions, with [^0-9a-z] for each -",
    .wiringConnection: "headers:replace(\"connection\", \"upgrade\") in the filter client-headers",
    .wiringCredential: "the filter gate-cookies behind ext_authz",
    .wiringCookie:
      "names and beginnings in the filter gate-cookies, as claims-gate recipe envoy prints them",
    .wiringUpgrade:
      "ignore_http_11_upgrade in http_protocol_options, remove: http2-settings, and the filter client-headers",
    .wiringWebSocket: "upgrade_configs: [{upgrade_type: websocket}]",
    .wiringTwoHosts: "400 for a comma in :authority in the filter client-headers",
    .wiringSession: "allowed_headers of ext_authz with every header",
    .wiringFailure: "status_on_error: {code: ServiceUnavailable}, and no failure_mode_allow",
  ]
}
