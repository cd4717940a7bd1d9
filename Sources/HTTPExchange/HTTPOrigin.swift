/// Scheme, host and port: the boundary that a credential never crosses (RFC 6454, 4).
public struct HTTPOrigin: Hashable, Sendable, CustomStringConvertible {
  /// `http` or `https`.
  public let scheme: String
  /// Lower case; an IPv6 address stands in brackets.
  public let host: String
  /// The port, also where it is the default of the scheme.
  public let port: Int

  /// The origin as text, without a default port (RFC 6454, 6.2).
  public var description: String {
    let usual = scheme == "https" ? 443 : 80
    return "\(scheme)://\(host)" + (port == usual ? "" : ":\(port)")
  }

  /// Whether the host is this machine: `localhost`, 127.0.0.0/8 in four plain decimal numbers, or
  /// `[::1]`. A number with a zero before it is octal to some readers, and no loopback address here.
  public var isLoopback: Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy(Self.isPlainNumber)
  }

  private static func isPlainNumber(_ text: Substring) -> Bool {
    UInt8(text) != nil && (text == "0" || "1"..."9" ~= text.prefix(1))
  }
}
