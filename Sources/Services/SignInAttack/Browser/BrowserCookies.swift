import Octets

/// The cookies that a browser keeps, by the rules of RFC 6265bis: Domain, Path, Secure, SameSite, prefixes and ends.
///
/// Its description holds no value.
package struct BrowserCookies: Sendable, CustomStringConvertible, CustomReflectable {
  /// When a cookie goes with a request of another site.
  private enum SameSite: Sendable { case strict, lax, none }

  private struct Cookie: Sendable {
    let name: String
    let value: Secret
    /// The host, or the domain whose hosts get it.
    let domain: String
    let isHostOnly: Bool
    let path: String
    let isSecure: Bool
    let sameSite: SameSite

    func isSame(as other: Self) -> Bool {
      name.hasSameBytes(as: other.name) && domain == other.domain
        && path.hasSameBytes(as: other.path)
    }
  }

  private var cookies: [Cookie] = []

  /// No cookies.
  package init() {}

  /// The names alone.
  package var description: String { "cookies \(names.joined(separator: ", "))" }

  /// Has no children, so that a dump shows no value.
  package var customMirror: Mirror { Mirror(self, children: [:]) }

  /// The names, in the order in which they were set.
  package var names: [String] { cookies.map(\.name) }

  /// A browser keeps fifty for a host at least (RFC 6265, 6.1); beyond this the oldest one goes.
  private static let most = 100

  // MARK: Setting

  /// Takes the `Set-Cookie` fields of a response.
  package mutating func take(_ response: HTTPResponse, from url: HTTPURL, at now: Instant) {
    for field in response.fields.values("Set-Cookie") { take(field, from: url, at: now) }
  }

  private mutating func take(_ field: String, from url: HTTPURL, at now: Instant) {
    let parts = field.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
    guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { return }
    let name = Self.trimmed(pair[..<equals])
    guard !name.isEmpty else { return }
    var attributes: [String: Substring] = [:]
    for part in parts.dropFirst() {
      let equals = part.firstIndex(of: "=")
      let label = Self.trimmed(part[..<(equals ?? part.endIndex)]).lowercasedASCII
      // Of two the last one counts (RFC 6265bis, 5.6).
      attributes[label] = equals.map { Self.trimmed(part[part.index(after: $0)...]) } ?? ""
    }
    guard
      let cookie = Self.cookie(
        String(name), String(Self.trimmed(pair[pair.index(after: equals)...])), attributes, url)
    else { return }
    cookies.removeAll { $0.isSame(as: cookie) }
    guard !Self.isOver(attributes, at: now) else { return }
    if cookies.count == Self.most { cookies.removeFirst() }
    cookies.append(cookie)
  }

  /// The cookie; nil for one that a browser refuses.
  private static func cookie(
    _ name: String, _ value: String, _ attributes: [String: Substring], _ url: HTTPURL
  ) -> Cookie? {
    let host = url.origin.host
    var domain = host
    var isHostOnly = true
    if let text = attributes["domain"].map({ $0.drop { $0 == "." }.lowercasedASCII }), !text.isEmpty
    {
      // Without the list of public suffixes: a host sets a domain of one label for itself alone.
      guard text == host || text.contains(".") && isHost(host, in: text) else { return nil }
      isHostOnly = false
      domain = text
    }
    let isSecure = attributes["secure"] != nil
    guard !isSecure || isTrustworthy(url) else { return nil }
    let path = attributes["path"].flatMap { $0.hasPrefix("/") ? String($0) : nil }
    let site = (attributes["samesite"] ?? "").lowercasedASCII
    guard isSecure || site != "none" else { return nil }
    let prefix = name.lowercasedASCII
    if prefix.hasPrefix("__secure-") { guard isSecure else { return nil } }
    if prefix.hasPrefix("__host-") {
      guard isSecure, attributes["domain"] == nil, path == "/" else { return nil }
    }
    return Cookie(
      name: name, value: Secret(value), domain: domain, isHostOnly: isHostOnly,
      path: path ?? defaultPath(url.path), isSecure: isSecure, sameSite: sameSite(site))
  }

  private static func sameSite(_ attribute: String) -> SameSite {
    switch attribute {
    case "strict": .strict
    case "lax": .lax
    // Without the attribute it goes with a form of another site for two minutes, longer than a sign-in takes here.
    default: .none
    }
  }

  /// Whether the cookie ends with its setting. `Max-Age` comes before `Expires`.
  private static func isOver(_ attributes: [String: Substring], at now: Instant) -> Bool {
    if let text = attributes["max-age"], let seconds = Int(text) { return seconds <= 0 }
    guard let text = attributes["expires"] else { return false }
    guard let end = Instant(httpDate: String(text), now: now) else { return false }
    return end <= now
  }

  // MARK: Sending

  /// The value of `Cookie` for a request; nil for none.
  ///
  /// - Parameters:
  ///   - initiator: The origin of the page that leads to the request; nil for an address that a person typed.
  ///   - method: Of a navigation in the whole window.
  package func field(
    for url: HTTPURL, from initiator: HTTPOrigin?, by method: HTTPMethod
  ) -> String? {
    let isSameSite = initiator.map { Self.isSameSite($0, url.origin) } ?? true
    let fitting = cookies.filter { cookie in
      guard
        cookie.isHostOnly
          ? cookie.domain == url.origin.host : Self.isHost(url.origin.host, in: cookie.domain),
        Self.isPath(url.path, below: cookie.path), !cookie.isSecure || Self.isTrustworthy(url)
      else { return false }
      switch cookie.sameSite {
      case .strict: return isSameSite
      case .lax: return isSameSite || method == .get
      case .none: return true
      }
    }
    guard !fitting.isEmpty else { return nil }
    // Longer paths first; among equals the older one (RFC 6265bis, 5.7.3).
    let ordered = fitting.enumerated().sorted {
      ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset)
    }
    return ordered.map { "\($0.element.name)=\($0.element.value.revealed)" }.joined(separator: "; ")
  }

  /// Whether two origins are of one site: scheme, and the registrable domain, which without a list of public suffixes is
  /// the last two labels. The port does not count.
  package static func isSameSite(_ one: HTTPOrigin, _ other: HTTPOrigin) -> Bool {
    guard one.scheme == other.scheme else { return false }
    if one.host == other.host { return true }
    guard let left = registrable(one), let right = registrable(other) else { return false }
    return left == right
  }

  /// Nil for an address, and for a name of one label.
  private static func registrable(_ origin: HTTPOrigin) -> String? {
    guard IPAddress(origin.place.host[...]) == nil else { return nil }
    let labels = origin.host.split(separator: ".")
    return labels.count >= 2 ? labels.suffix(2).joined(separator: ".") : nil
  }

  /// Browsers take loopback for secure (Secure Contexts, 3.1).
  private static func isTrustworthy(_ url: HTTPURL) -> Bool {
    url.origin.scheme == "https" || url.origin.isLoopback
  }

  private static func isHost(_ host: String, in domain: String) -> Bool {
    host == domain || host.hasSuffix("." + domain) && IPAddress(host[...]) == nil
  }

  /// RFC 6265bis, 5.1.4.
  private static func isPath(_ path: String, below prefix: String) -> Bool {
    if path.hasSameBytes(as: prefix) { return true }
    guard path.utf8.starts(with: prefix.utf8) else { return false }
    return prefix.hasSuffix("/")
      || path.utf8.dropFirst(prefix.utf8.count).first == UInt8(ascii: "/")
  }

  /// The folder of the path.
  private static func defaultPath(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
    return text
  }
}
