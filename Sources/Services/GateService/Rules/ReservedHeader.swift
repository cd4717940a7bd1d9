/// Names that no identity header can have: HTTP, the proxy or the gate gives them another meaning, and what carries
/// them would be cut, kept, redirected or believed.
enum ReservedHeader {
  /// Whether a name is one of them, as a reader takes it that folds names (GATE-2).
  static func contains(_ name: String) -> Bool {
    let name = String(decoding: IdentityHeaders.folded(name), as: UTF8.self)
    return names.contains(name) || beginnings.contains { name.hasPrefix($0) }
  }

  private static let names: Set<String> = [
    // Framing and connections (RFC 9110, 7 and 8; RFC 9112).
    "age", "connection", "date", "expect", "host", "keep-alive", "te", "trailer",
    "transfer-encoding", "upgrade", "via", "http2-settings", "proxy",
    // What the gate and its answer are about.
    "allow", "authorization", "cookie", "set-cookie", "location", "www-authenticate",
    "authentication-info", "x-zumo-auth",
    // Caches and conditions.
    "cache-control", "etag", "expires", "last-modified", "pragma", "range", "vary",
    // What a client is and wants.
    "accept", "forwarded", "from", "origin", "referer", "user-agent", "x-real-ip",
    "x-http-method-override", "x-http-method", "x-method-override", "x-rewrite-url",
    // Traces of a request (W3C Trace Context, Baggage), which each hop writes anew.
    "traceparent", "tracestate", "baggage",
    // CGI, and what makes a server send a file.
    "status", "x-sendfile", "x-lighttpd-send-file", "gate-doctor-arrived",
  ]

  private static let beginnings =
    [
      "accept-", "access-control-", "content-", "if-", "proxy-", "sec-",
    ] + ProxyKind.reservedBeginnings
}
