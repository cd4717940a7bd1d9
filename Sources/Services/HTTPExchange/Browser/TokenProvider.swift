import Octets

/// A provider that issues and accepts tokens, identified by the domain of its claims' namespace.
///
/// Each instance of Mastodon and similar software is a provider of its own.
public struct TokenProvider: Hashable, Sendable, CustomStringConvertible {
  /// The domain in lower case, without a leading `www.`.
  public let domain: String

  /// Facebook, `facebook.com`.
  public static let facebook = Self(domain: "facebook.com")
  /// X, under its former domain `twitter.com`.
  public static let x = Self(domain: "twitter.com")
  /// LinkedIn, `linkedin.com`.
  public static let linkedIn = Self(domain: "linkedin.com")

  /// The provider at an address of its own, such as an instance of Mastodon.
  public init(at address: HTTPURL) { self.init(host: address.origin.host) }

  /// The provider at a host, in any case, with or without `www.`.
  package init(host: String) {
    let lower = String(decoding: host.utf8.map(ASCII.lowercased), as: UTF8.self)
    let domain = lower.hasPrefix("www.") ? String(lower.dropFirst(4)) : lower
    self.init(domain: domain == "x.com" ? "twitter.com" : domain)
  }

  private init(domain: String) { self.domain = domain }

  /// Whether the identity provider named by Access Control Service is compatible with this one. Its name
  /// for Facebook is `Facebook-` and a number, and begins so for no other.
  package func agrees(with identityProvider: String?) -> Bool {
    guard let identityProvider else { return true }
    return identityProvider.hasPrefix("Facebook-") == (self == .facebook)
  }

  /// `Facebook`, `X`, `LinkedIn` or the domain.
  public var description: String {
    switch self {
    case .facebook: "Facebook"
    case .x: "X"
    case .linkedIn: "LinkedIn"
    default: domain
    }
  }
}
