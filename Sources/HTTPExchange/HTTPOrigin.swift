/// Scheme, host and port: the boundary that a credential never crosses (RFC 6454, 4).
public struct HTTPOrigin: Hashable, Sendable, CustomStringConvertible {
  /// `http` or `https`.
  public let scheme: String
  /// Lower case; an IPv6 address stands in brackets.
  public let host: String
  public let port: Int

  public var description: String {
    let usual = scheme == "https" ? 443 : 80
    return "\(scheme)://\(host)" + (port == usual ? "" : ":\(port)")
  }

  /// Whether the host is this machine: `localhost`, 127.0.0.0/8 or `[::1]`.
  public var isLoopback: Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
