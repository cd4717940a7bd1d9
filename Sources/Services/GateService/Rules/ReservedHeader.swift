/// Names that no identity header can have: HTTP, the proxy or the gate gives them another meaning, and what carries
/// them would be cut, kept, redirected or believed.
package enum ReservedHeader {
  /// Whether a name is one of them, as a reader takes it that folds names (GATE-2).
  package static func contains(_ name: String) -> Bool {
    if PassageTable.isTaken(name) { return true }
    let name = String(decoding: HeaderSpelling.folded(name), as: UTF8.self)
    return names.contains(name) || beginnings.contains { name.hasPrefix($0) }
  }

  private static let names: Set<String> = [
    // Framing (RFC 9110, 7 and 8; RFC 9112).
    "age", "date", "expect", "trailer", "transfer-encoding", "via", "proxy",
    // What the gate and its answer are about.
    "allow", "authorization", "set-cookie", "location", "www-authenticate",
    "authentication-info", "x-zumo-auth",
    // Caches and conditions.
    "cache-control", "etag", "expires", "last-modified", "pragma", "range", "vary",
    // What a client is and wants.
    "accept", "forwarded", "from", "origin", "referer", "user-agent", "x-real-ip", "x-rewrite-url",
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
