import Claims
public import HTTPExchange
import Octets

/// Who gave out a token and takes it again, by the domain of the namespace that its claims have.
///
/// Mastodon and software like it are many providers: each instance is one of its own.
public struct TokenProvider: Hashable, Sendable, CustomStringConvertible {
  /// In lower case, without `www.` in front.
  public let domain: String

  /// Facebook.
  public static let facebook = Self(domain: "facebook.com")
  /// X, whose claims name `twitter.com`.
  public static let x = Self(domain: "twitter.com")
  /// LinkedIn.
  public static let linkedIn = Self(domain: "linkedin.com")

  /// The provider at an address of its own, such as an instance of Mastodon.
  public init(at address: HTTPURL) { self.init(host: address.origin.host) }

  /// The provider in whose namespace the claim type stands; nil for a type that is no plain address.
  init?(of type: ClaimType) {
    let octets = type.name.utf8
    guard let scheme = ["http://", "https://"].first(where: { octets.starts(with: $0.utf8) }) else {
      return nil
    }
    let host = octets.dropFirst(scheme.utf8.count).prefix { $0 != UInt8(ascii: "/") }
    let isPlain = host.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || "-.".utf8.contains($0)
    }
    guard !host.isEmpty, isPlain else { return nil }
    self.init(host: String(decoding: host, as: UTF8.self))
  }

  private init(host: String) {
    let lower = String(decoding: host.utf8.map(ASCII.lowercased), as: UTF8.self)
    let domain = lower.hasPrefix("www.") ? String(lower.dropFirst(4)) : lower
    self.init(domain: domain == "x.com" ? "twitter.com" : domain)
  }

  private init(domain: String) { self.domain = domain }

  /// Whether the name that Access Control Service has for the person's provider may stand beside a token
  /// of this one. It calls Facebook `Facebook-` and a number; the others have no name of the kind.
  func agrees(with identityProvider: String?) -> Bool {
    guard let identityProvider else { return true }
    return identityProvider.hasPrefix("Facebook-") == (self == .facebook)
  }

  /// The name for people.
  public var description: String {
    switch self {
    case .facebook: "Facebook"
    case .x: "X"
    case .linkedIn: "LinkedIn"
    default: domain
    }
  }
}
