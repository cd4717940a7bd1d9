import HTTPExchange
import Octets
import TokenErrors

/// The providers that every namespace of Access Control Service could have, whose tokens it marks with a
/// name of its own.
enum KnownProvider: CaseIterable {
  case facebook
  case google
  case live
  case yahoo

  /// By the claim of a token or by `whr`.
  init?(claim: String) {
    switch claim {
    case "Google": self = .google
    case "uri:WindowsLiveID": self = .live
    case "Yahoo!": self = .yahoo
    default:
      guard claim == "Facebook" || claim.hasPrefix("Facebook-") else { return nil }
      self = .facebook
    }
  }

  /// By where a person signs in, or, where that is none of theirs, by the name on the button.
  init?(_ provider: IdentityProvider) {
    let host = provider.host
    let known = Self.allCases.first { known in
      known.domains.contains { host == $0 || host.hasSuffix("." + $0) }
    }
    guard let found = known ?? Self(claim: provider.name) ?? Self(button: provider.name) else {
      return nil
    }
    self = found
  }

  private init?(button name: String) {
    guard name.hasPrefix("Windows Live") else { return nil }
    self = .live
  }

  private var domains: [String] {
    switch self {
    case .facebook: ["facebook.com"]
    case .google: ["google.com"]
    case .live: ["live.com"]
    case .yahoo: ["yahoo.com", "yahooapis.com"]
    }
  }

  /// Refuses a token of one of these when another of them was chosen. Of other providers the claim is
  /// whatever their tokens say, which nobody knows before.
  ///
  /// - Parameter claim: The provider that the token names.
  /// - Throws: `client.other-provider`.
  static func check(_ claim: String?, against chosen: Self?) throws(TokenError) {
    guard let claim, let chosen, let found = Self(claim: claim), found != chosen else { return }
    throw TokenError(
      .clientOtherProvider, expected: "\(chosen)", found: TokenError.excerpt(claim))
  }
}
