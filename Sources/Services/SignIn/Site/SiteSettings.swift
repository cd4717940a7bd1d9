import Octets

/// Where the site is and how long its sessions last.
public struct SiteSettings: Sendable {
  /// The public origin, such as `https://app.example`: what addresses and cookies are made from. It comes
  /// from configuration, never from `Host` or a forwarding header (RP-16, GATE-1).
  public let origin: HTTPOrigin
  /// The path below which the site answers; begins and ends with `/`.
  public let prefix: String
  /// Seconds after which a session ends: 28,800, which is 8 hours.
  public var lifetime: Int64 = 28_800
  /// Seconds without use after which a session ends: 1,800.
  public var idle: Int64 = 1_800
  /// Asks people for their identity provider in place of our own page; nil for our own.
  public var discovery: DiscoveryService?
  /// The metadata of other services for which the site asks, as their discovery service; empty for none.
  public var discoverers: [EntityDescriptor] = []
  /// The most octets of a posted body: 4 MiB.
  public var bodyLimit = 4 << 20
  /// Whether people cannot sign in here, since tokens alone open the service.
  package var isForTokensAlone = false

  /// Settings of a site.
  ///
  /// - Throws: `signin.configuration` for an origin that is neither https nor loopback, or for another
  ///   form of prefix.
  public init(origin: HTTPOrigin, prefix: String = "/sso/") throws(TokenError) {
    guard origin.scheme == "https" || origin.isLoopback else {
      throw TokenError(
        .signInConfiguration, node: "origin", expected: "https", found: origin.description)
    }
    guard Self.isPrefix(prefix) else {
      throw TokenError(
        .signInConfiguration, node: "prefix", expected: Self.prefixForm,
        found: TokenError.excerpt(prefix))
    }
    self.origin = origin
    self.prefix = prefix
  }

  /// The address of a path below the prefix.
  ///
  /// - Throws: `transport.malformed-address`.
  public func address(_ path: String) throws(TokenError) -> HTTPURL {
    try HTTPURL(origin.description + prefix + path)
  }

  /// Whether every reader takes a text for the same path, in which nothing has to be escaped.
  package static func isPrefix(_ text: String) -> Bool {
    guard text.hasPrefix("/"), text.hasSuffix("/") else { return false }
    return text.utf8.dropFirst().dropLast()
      .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .allSatisfy { segment in
        (!segment.isEmpty || text.utf8.count == 1) && !segment.elementsEqual(".".utf8)
          && !segment.elementsEqual("..".utf8)
          && segment.allSatisfy {
            ASCII.isLetter($0) || ASCII.isDigit($0) || "-._~".utf8.contains($0)
          }
      }
  }

  /// What ``isPrefix(_:)`` wants, in words.
  package static let prefixForm =
    "a path that begins and ends with /, of letters, digits, '-', '.', '_' and '~'"

  package var isSecure: Bool { origin.scheme == "https" }
  /// `__Host-` binds a cookie to this host and https (RFC 6265bis, 4.1.3.2).
  var cookiePrefix: String { isSecure ? SiteCookie.hostPrefix : "" }
  /// The name of the cookie of a session.
  public var sessionCookie: String { cookiePrefix + SiteCookie.session.name }
  /// How to sign in, for a program (RFC 9110, 11.6.1 and 15.5.2): by a cookie that a page of ours sets.
  package var challenge: String {
    "Cookie realm=\"\(origin)\", form-action=\"\(prefix)sign-in\", cookie-name=\"\(sessionCookie)\""
  }
  /// The name of the cookie that ends a session and opens none. It comes along with a picture on a page of the
  /// provider, as WS-Federation signs out.
  var endCookie: String { cookiePrefix + SiteCookie.sessionEnd.name }
}
