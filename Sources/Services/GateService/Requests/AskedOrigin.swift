import HTTPExchange

extension JudgedRequest {
  /// The origin that a browser asked for, as the proxy names it. It selects an application, and is copied nowhere.
  ///
  /// - Throws: `gate.peer`, `gate.request-missing`, `gate.request-repeated`; `gate.host` for what is no origin.
  static func origin(
    _ fields: HTTPFields, from peer: String, kind: ProxyKind, peers: [PeerNetwork]
  ) throws(TokenError) -> HTTPOrigin {
    try PeerNetwork.check(peer, peers)
    let names = kind.originHeaders
    let scheme = try one(names.scheme, fields)
    let host = try one(names.host, fields)
    guard let origin = HTTPOrigin(scheme: scheme, host: host) else {
      throw TokenError(.gateHost, node: names.host, found: TokenError.excerpt(host))
    }
    return origin
  }
}

extension HTTPOrigin {
  /// The origin of a scheme and the value of a `Host` field: in lower case, without the scheme's own port and without the
  /// final dot that stands for the root of names (GATE-5). An international name has to be `xn--` already, as browsers send
  /// it. Nil for anything else.
  init?(scheme: String, host: String) {
    var octets = Array(host.utf8)
    if octets.first != UInt8(ascii: "[") {
      let end = octets.firstIndex(of: UInt8(ascii: ":")) ?? octets.endIndex
      if end > 0, octets[end - 1] == UInt8(ascii: ".") { octets.remove(at: end - 1) }
    }
    guard ["http", "https"].contains(scheme.lowercasedASCII),
      !octets.contains(UInt8(ascii: "/")), !octets.contains(UInt8(ascii: "?")),
      let url = try? HTTPURL(scheme + "://" + String(decoding: octets, as: UTF8.self))
    else { return nil }
    self = url.origin
  }

  /// The same origin without the final dot of its host.
  var withoutRoot: HTTPOrigin { HTTPOrigin(scheme: scheme, host: authority) ?? self }
}
