import Octets
public import TokenBasics

/// An absolute http or https address, parsed so strictly that no two parsers can disagree about its host
/// (RFC 3986).
///
/// ASCII only; no user information, no fragment, no backslash. Its description omits the query, which may
/// contain codes and tokens.
public struct HTTPURL: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// Scheme, host and port.
  public let origin: HTTPOrigin
  /// The path, percent-encoded, beginning with `/`.
  public let path: String
  /// The query, percent-encoded, without the `?`; nil for none.
  public let query: String?

  /// Parses an address.
  /// - Throws: `transport.malformed-address`; `transport.insecure-address` for http to any host but
  ///   loopback.
  public init(_ text: String) throws(TokenError) {
    var reader = HTTPURLReader(text)
    let origin = try reader.origin()
    guard origin.scheme == "https" || origin.isLoopback else {
      throw TokenError(
        .transportInsecureAddress, expected: "https", found: TokenError.excerpt(origin.description))
    }
    let (path, query) = try reader.target()
    self.init(origin: origin, path: path, query: query)
  }

  init(origin: HTTPOrigin, path: String, query: String?) {
    self.origin = origin
    self.path = path
    self.query = query
  }

  /// The whole address, including the query.
  public var text: String { origin.description + target }

  /// Path and query: the request target in origin form (RFC 9112, 3.2.1).
  public var target: String { path + (query.map { "?" + $0 } ?? "") }

  /// The address with `?…` in place of the query.
  public var description: String { origin.description + path + (query == nil ? "" : "?…") }

  /// Contains only the description.
  public var customMirror: Mirror { Mirror(self, children: ["address": description]) }

  /// An address of the same origin. `path` is percent-encoded, begins with `/` and may have a query.
  /// - Throws: `transport.malformed-address`.
  public func at(path: String) throws(TokenError) -> Self {
    var reader = HTTPURLReader(path)
    let (path, query) = try reader.target()
    return Self(origin: origin, path: path, query: query)
  }

  /// The address with parameters added to its query, percent-encoded with `%20` for a space
  /// (RFC 3986, 3.4), so that form and URI parsers agree.
  public func adding(_ parameters: [(String, String)]) -> Self {
    var query = self.query ?? ""
    for (name, value) in parameters {
      if !query.isEmpty && !query.hasSuffix("&") { query += "&" }
      query += Self.percentEncoded(name) + "=" + Self.percentEncoded(value)
    }
    return Self(origin: origin, path: path, query: query.isEmpty ? nil : query)
  }

  /// The text with everything but RFC 3986's unreserved characters as `%XX`.
  package static func percentEncoded(_ text: String) -> String { PercentEncoding.encode(text) }
}

extension HTTPURL {
  /// The address with segments added to its path, each percent-encoded; the query goes.
  /// - Throws: `transport.malformed-address` for a segment that would climb.
  package func appending(_ segments: [String]) throws(TokenError) -> HTTPURL {
    var path = self.path.hasSuffix("/") ? String(self.path.dropLast()) : self.path
    for segment in segments {
      guard !segment.isEmpty, segment != ".", segment != ".." else {
        throw TokenError(.transportMalformedAddress, expected: "a path segment")
      }
      path += "/" + HTTPURL.percentEncoded(segment)
    }
    return try at(path: path)
  }
}

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
