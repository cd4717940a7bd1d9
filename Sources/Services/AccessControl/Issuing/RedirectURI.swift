public import HTTPExchange
import Octets
public import TokenBasics

/// Where a browser is sent with a code: a web address, or an app on the person's device (RFC 8252, 7).
public enum RedirectURI: Hashable, Sendable {
  /// https, or http on loopback.
  case web(HTTPURL)
  /// A scheme that an app registered for itself at the system.
  case app(AppURI)

  /// Reads a redirect URI.
  ///
  /// - Throws: what `HTTPURL` throws for a text that is neither.
  public init(_ text: String) throws(TokenError) {
    if let app = AppURI(text) {
      self = .app(app)
    } else {
      self = .web(try HTTPURL(text))
    }
  }

  /// The whole URI.
  public var text: String {
    switch self {
    case .web(let url): url.text
    case .app(let uri): uri.text
    }
  }

  /// The address; nil for an app.
  var url: HTTPURL? {
    if case .web(let url) = self { url } else { nil }
  }

  /// The URI of an app; nil for a web address.
  var app: AppURI? {
    if case .app(let uri) = self { uri } else { nil }
  }

  /// The text of the URI with parameters added to its query.
  func adding(_ parameters: [(String, String)]) -> String {
    switch self {
    case .web(let url): url.adding(parameters).text
    case .app(let uri): uri.adding(parameters)
    }
  }

  /// What it is in errors about other texts.
  static let forms =
    "https, http on loopback, or a private-use scheme with a dot such as com.example.app:/callback"
}

/// A URI with a private-use scheme: the reverse of a domain of the app's maker, so that it contains a dot (RFC 8252, 7.1).
public struct AppURI: Hashable, Sendable {
  /// The URI, octet for octet as it was written.
  public let text: String

  /// Reads a URI of visible ASCII without a fragment; nil for any other text.
  public init?(_ text: String) {
    let octets = text.utf8
    guard octets.count <= Self.mostOctets,
      let end = octets.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(octets[..<end])
    else { return nil }
    let rest = octets[octets.index(after: end)...]
    // A host with a port, of which the author forgot the scheme, has no slash there.
    guard rest.first == UInt8(ascii: "/"), rest.allSatisfy(Self.isOfURI) else { return nil }
    self.text = text
  }

  /// RFC 3986, 3.1, in lower case, with a dot between other characters.
  private static func isScheme(_ scheme: Substring.UTF8View) -> Bool {
    let parts = scheme.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count > 1, parts.allSatisfy({ !$0.isEmpty }),
      let first = scheme.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
    else { return false }
    return parts.allSatisfy { part in
      part.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || ASCII.isDigit($0)
          || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+")
      }
    }
  }

  /// Characters of RFC 3986 without `#`, which begins a fragment, and `*`, which people mean as a wildcard.
  private static func isOfURI(_ octet: UInt8) -> Bool {
    ASCII.isLetter(octet) || ASCII.isDigit(octet) || "-._~:/?[]@!$&'()+,;=%".utf8.contains(octet)
  }

  func adding(_ parameters: [(String, String)]) -> String {
    guard !parameters.isEmpty else { return text }
    let query = parameters.map {
      HTTPURL.percentEncoded($0.0) + "=" + HTTPURL.percentEncoded($0.1)
    }.joined(separator: "&")
    guard text.utf8.contains(UInt8(ascii: "?")) else { return text + "?" + query }
    return text + (text.hasSuffix("?") || text.hasSuffix("&") ? "" : "&") + query
  }

  private static let mostOctets = 2_000
}
