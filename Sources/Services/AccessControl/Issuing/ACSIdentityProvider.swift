public import Claims
public import HTTPExchange
import Octets

/// An identity provider from which people choose.
public struct ACSIdentityProvider: Sendable {
  /// Where people sign in.
  public enum Kind: Sendable {
    /// Here, as one of these test people, without a password.
    case testPeople([TestPerson])
    /// At a real provider, which the sign-in site of the service knows by this name.
    case upstream(String)
  }

  /// The value of its identity provider claim, which is also `whr`, such as `Google`.
  public let id: String
  /// The name that people see.
  public let name: String
  /// Where people sign in.
  public let kind: Kind
  /// The protocol by which its errors are numbered.
  public var errors = ACSRefusal.ProviderProtocol.federation
  /// The address of its picture; nil for none.
  public var image: HTTPURL?
  /// The ends of e-mail addresses whose people sign in here, such as `example.org`; empty to show a button.
  public var emailSuffixes: [String] = []
  /// The domains whose e-mail addresses the provider gives out, such as `example.org`: its word on an address there is
  /// taken. Empty for none.
  public var mailDomains: [String] = []
  /// The type of the claim whose one value names a subject; nil for the name of the provider's token.
  public var subjectType: ClaimType?
  /// Whether its assertions are grants; nil where they are none.
  public var grants: GrantUse?
  /// Contexts of authentication that have another name at the provider than here.
  public var contexts: [ContextName] = []

  /// A provider.
  public init(id: String, name: String, _ kind: Kind) {
    self.id = id
    self.name = name
    self.kind = kind
  }

  /// Whether the provider gives out addresses of that one's domain.
  public func isAuthoritative(for email: String) -> Bool {
    guard let at = email.utf8.lastIndex(of: UInt8(ascii: "@")), at != email.startIndex else {
      return false
    }
    let domain = String(email[email.utf8.index(after: at)...])
    return mailDomains.contains {
      $0.utf8.map(ASCII.lowercased) == domain.utf8.map(ASCII.lowercased)
    }
  }
}

/// A context of authentication: how relying parties ask for it, and what it is called at a provider.
public struct ContextName: Hashable, Sendable {
  /// Its name here, such as `urn:mfa`.
  public let own: String
  /// Its name at the provider, such as `https://refeds.org/profile/mfa`.
  public let theirs: String

  /// A context.
  public init(_ own: String, theirs: String) {
    self.own = own
    self.theirs = theirs
  }
}

extension ACSIdentityProvider {
  /// The provider's names of contexts that relying parties ask for. What the file does not name has one name.
  func theirContexts(_ own: [String]) -> [String] {
    own.map { name in contexts.first { $0.own.hasSameBytes(as: name) }?.theirs ?? name }
  }

  /// Our name of a context that the provider states.
  func ownContext(_ theirs: String?) -> String? {
    theirs.map { name in contexts.first { $0.theirs.hasSameBytes(as: name) }?.own ?? name }
  }
}

/// An invented person with an account at a test provider.
public struct TestPerson: Sendable {
  /// The name that people see.
  public let name: String
  /// What the provider says about the person.
  public let claims: ClaimSet

  /// A person.
  public init(name: String, claims: ClaimSet) {
    self.name = name
    self.claims = claims
  }
}

/// The people of a test provider for which the file names none.
enum TestPeople {
  /// Two people, with a value for each claim that the provider sends.
  static func standard(for offer: ClaimOffer) -> [TestPerson] {
    [("Mia Example", "mia", "1"), ("Tom Sample", "tom", "2")].map { name, login, digit in
      TestPerson(
        name: name,
        claims: ClaimSet(
          offer.types.map { Claim($0, value(of: $0, at: offer, name, login, digit)) }))
    }
  }

  private static func value(
    of type: ClaimType, at offer: ClaimOffer, _ name: String, _ login: String, _ digit: String
  ) -> String {
    switch type {
    case .nameIdentifier: identifier(at: offer, digit)
    case .emailAddress, .upn: login + "@example.org"
    case .name: name
    case .givenName: String(name.prefix { $0 != " " })
    case .surname: name.split(separator: " ").last.map(String.init) ?? name
    case .role: "staff"
    // With seven digits of a second, as Facebook's had; of the access token, not of the sign-in.
    case ClaimType(ClaimType.windowsPrefix + "expiration"): "2099-01-01T22:00:00.3593475Z"
    case .facebookAccessToken: "test-access-token-\(login)"
    default: "\(login)'s \(type.name.split(separator: "/").last ?? "value")"
    }
  }

  /// In the shape of each provider's identifiers.
  private static func identifier(at offer: ClaimOffer, _ digit: String) -> String {
    switch offer.id {
    case "Google": "https://www.google.com/accounts/o8/id?id=test-" + digit
    case "Yahoo!": "https://me.yahoo.com/a/test-" + digit
    case "uri:WindowsLiveID": "k0bP1Ve7tests00000000000000000000000000000" + digit + "="
    default: "10000471" + digit
    }
  }
}
