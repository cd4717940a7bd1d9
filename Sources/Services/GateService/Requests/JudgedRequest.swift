public import HTTPExchange
import Octets
public import TokenBasics

/// The request that a proxy asks about.
public struct JudgedRequest: Sendable {
  /// The method, such as `GET`.
  public let method: String
  /// The target as the proxy names it.
  public let rawTarget: String

  /// Reads the question of a proxy.
  ///
  /// - Parameters:
  ///   - fields: The header fields of the question.
  ///   - peer: The address that the question came from, without its port.
  ///   - kind: Which proxy asks, and so which headers count.
  ///   - peers: The addresses that proxies have.
  ///   - method: The method of the question itself.
  ///   - rest: The path and query behind the gate's own, which Envoy appends; not used for others.
  /// - Throws: `gate.peer`, `gate.request-missing`, `gate.request-repeated`.
  public init(
    _ fields: HTTPFields, from peer: String, kind: ProxyKind, peers: [PeerNetwork], method: String,
    rest: String
  ) throws(TokenError) {
    try PeerNetwork.check(peer, peers)
    guard let headers = kind.headers else {
      self.method = Self.sent(method, fields)
      rawTarget = rest
      return
    }
    rawTarget = try Self.one(headers.target, fields)
    self.method = Self.sent(try Self.one(headers.method, fields), fields)
  }

  /// The method that the application gets. A websocket over HTTP/2 begins with CONNECT (RFC 8441, 5), which proxies hand on as the GET of
  /// HTTP/1.1: rules are about that.
  private static func sent(_ method: String, _ fields: HTTPFields) -> String {
    guard method == "CONNECT",
      fields["Upgrade"]?.utf8.span.equalsIgnoringCase(PassageTable.upgrade.utf8.span) == true
    else { return method }
    return "GET"
  }

  /// The value of a field that the proxy sets once.
  ///
  /// - Throws: `gate.request-missing`, `gate.request-repeated`.
  static func one(_ name: String, _ fields: HTTPFields) throws(TokenError) -> String {
    let values = fields.values(name)
    guard values.count < 2 else { throw TokenError(.gateRequestRepeated, node: name) }
    guard let value = values.first, !value.isEmpty else {
      throw TokenError(.gateRequestMissing, node: name)
    }
    return value
  }
}
