import HTTPExchange
import TokenBasics

/// The preconfigured providers of Access Control Service, which it names in the identity provider claim.
enum KnownProvider: CaseIterable {
  case facebook
  case google
  case live
  case yahoo

  /// The provider named by the claim of a token or by `whr`.
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

  /// The provider with the host of the sign-in page, else with the name on the button.
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

  /// Rejects a token of one of these providers when another of them was chosen. The claim of any other
  /// provider is not known in advance and is not compared.
  ///
  /// - Parameter claim: The provider that the token names.
  /// - Throws: `client.other-provider`.
  static func check(_ claim: String?, against chosen: Self?) throws(TokenError) {
    guard let claim, let chosen, let found = Self(claim: claim), found != chosen else { return }
    throw TokenError(
      .clientOtherProvider, expected: "\(chosen)", found: TokenError.excerpt(claim))
  }
}
