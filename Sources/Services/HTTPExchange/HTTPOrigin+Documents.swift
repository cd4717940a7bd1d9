import Octets

extension HTTPOrigin {
  /// Whether a document that was fetched from this origin may say that a server at another one is to be asked (RP-6): a document
  /// from elsewhere must not lead into this network.
  ///
  /// Loopback, and numbers in place of a name, are allowed on the document's own host alone, or to a document that is on
  /// loopback itself.
  package func mayName(_ other: HTTPOrigin) -> Bool {
    if other.host.hasSameBytes(as: host) || isLoopback { return true }
    return !Self.isNumber(other.host) && !Self.isLocal(other.host)
  }

  private static func isLocal(_ host: String) -> Bool {
    let last = host.split(separator: ".").last.map(String.init) ?? host
    return last == "localhost"
  }

  /// Whether a resolver may take the host for an IP address: an IPv6 address, or a last label that begins with a digit.
  private static func isNumber(_ host: String) -> Bool {
    guard !host.hasPrefix("["), let last = host.split(separator: ".").last else { return true }
    return last.utf8.first.map(ASCII.isDigit) ?? true
  }
}
