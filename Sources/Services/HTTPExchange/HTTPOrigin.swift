/// Scheme, host and port: credentials are not sent across origins (RFC 6454, 4).
public struct HTTPOrigin: Hashable, Sendable, CustomStringConvertible {
  /// `http` or `https`.
  public let scheme: String
  /// The host in lower case; an IPv6 address in brackets.
  public let host: String
  /// The port from 1 to 65,535; the scheme's default if the address has none.
  public let port: Int

  /// The origin as in an address, without the scheme's default port.
  public var description: String { "\(scheme)://\(authority)" }

  /// Host and port as a `Host` field has them: without the scheme's default port (RFC 9110, 7.2).
  package var authority: String {
    let usual = scheme == "https" ? 443 : 80
    return port == usual ? host : "\(host):\(port)"
  }

  /// Where to connect.
  package var place: HostPort {
    HostPort(host: host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host, port: port)
  }

  /// Whether the host is this machine: `localhost`, 127.0.0.0/8 in four plain decimal numbers, or
  /// `[::1]`. A number with a leading zero is octal to some parsers and does not count as loopback.
  public var isLoopback: Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy(Self.isPlainNumber)
  }

  private static func isPlainNumber(_ text: Substring) -> Bool {
    UInt8(text) != nil && (text == "0" || "1"..."9" ~= text.prefix(1))
  }
}
