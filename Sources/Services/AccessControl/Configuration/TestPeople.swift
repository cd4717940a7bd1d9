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
