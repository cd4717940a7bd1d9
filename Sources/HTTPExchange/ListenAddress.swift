import Octets

/// A host and a port to listen at, such as `127.0.0.1:4180`, `[::1]:4180` or `localhost:4180`.
public struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
  /// The name or the address; one of IPv6 without its brackets.
  public let host: String
  /// The port, 1 to 65,535.
  public let port: Int

  /// Reads `host:port`; nil for anything else. An IPv6 address has to stand in brackets (RFC 3986, 3.2.2).
  public init?(_ text: String) {
    let digits = text.utf8.reversed().prefix(while: ASCII.isDigit)
    // The reader of addresses knows hosts; the port has to be written out.
    guard !digits.isEmpty, text.utf8.dropLast(digits.count).last == UInt8(ascii: ":"),
      !text.utf8.contains(UInt8(ascii: "/")), !text.utf8.contains(UInt8(ascii: "?")),
      let origin = try? HTTPURL("https://\(text)/").origin
    else { return nil }
    host =
      origin.host.hasPrefix("[") ? String(origin.host.dropFirst().dropLast()) : origin.host
    port = origin.port
  }

  /// Whether only this machine reaches it.
  public var isLoopback: Bool {
    (try? HTTPURL("http://\(shownHost)/"))?.origin.isLoopback ?? false
  }

  /// As it was written.
  public var description: String { "\(shownHost):\(port)" }

  private var shownHost: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host }
}
