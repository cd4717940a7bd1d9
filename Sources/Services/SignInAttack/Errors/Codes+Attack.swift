public import TokenBasics

extension TokenError.Code {
  /// The file is not JSON.
  public static let attackSyntax = Self(
    "attack.file-syntax",
    "the file of the attack driver is not JSON",
    hint: "docs/test-your-sign-in.md has an example")
  /// A member that is unknown or missing.
  public static let attackMember = Self(
    "attack.file-member",
    "the file of the attack driver has an unknown member, or lacks one",
    hint: "docs/test-your-sign-in.md lists the members")
  /// A value that is refused.
  public static let attackValue = Self(
    "attack.file-value",
    "a value in the file of the attack driver, or a file that it names, cannot be used",
    hint: "docs/test-your-sign-in.md says what each member takes")
  /// A service, or the provider itself, beyond loopback, and the file names no one who allowed it.
  public static let attackConsent = Self(
    "attack.consent",
    "the service or the provider is beyond loopback, and the file does not say who allowed the test",
    hint:
      "test a service of your own; for one beyond loopback name in \"authorized\" who allowed it")
  /// The browser was sent beyond the addresses that the file names.
  public static let attackOrigin = Self(
    "attack.origin",
    "the service sent the browser to an origin that the file does not name",
    hint:
      "requests go to the origins of start, probe and public alone; a service that spans others is not tested"
  )
  /// The browser never came to the provider.
  public static let attackNoRequest = Self(
    "attack.no-request",
    "the service did not send the browser to the provider",
    hint:
      "start has to begin a sign-in at this provider by redirects or by a form that posts itself; login fills in a page "
      + "in front of it")
  /// A request for a sign-in that cannot be answered.
  public static let attackRequest = Self(
    "attack.request",
    "the request of the service for a sign-in cannot be answered",
    hint: "check the protocol, and what the service knows of this provider")
  /// The probe says that a person is signed in who is not.
  public static let attackBaseline = Self(
    "attack.baseline",
    "the probe matches in a browser that has not signed in",
    hint: "name a page, a status or a text that only a person who is signed in gets")
  /// The honest answer does not sign in.
  public static let attackHonest = Self(
    "attack.honest",
    "the honest answer does not sign in, so refusals would prove nothing",
    hint:
      "give the service this provider's metadata or discovery address (claims-attack provider), and look at the "
      + "service's log")
  /// An honest answer about another person does not sign in.
  public static let attackPeople = Self(
    "attack.people",
    "the honest answer about a person whom the service has not seen does not sign in",
    hint: "let the service take unknown people of this provider, or set \"canaries\" to false")
  /// The honest answer does not sign in any more.
  public static let attackLost = Self(
    "attack.lost",
    "the honest answer does not sign in any more, so refusals since then prove nothing",
    hint:
      "look at the service's log: a variant may have ended it, or it refuses after many failures; play fewer variants, or "
      + "fewer a second (perSecond in signIns)")
  /// As many sign-ins as the file allows have been begun.
  public static let attackLimit = Self(
    "attack.limit",
    "as many sign-ins were begun as the file allows",
    hint: "raise most in signIns, or play fewer variants")
  /// No variant has that identifier, or the choice leaves none.
  public static let attackVariant = Self(
    "attack.variant",
    "no variant has that identifier, or the choice leaves none to play",
    hint:
      "claims-attack list has those of a protocol; skip in the file and the severity that is asked for leave variants out"
  )
  /// The codes of the attack driver.
  public static let attackCodes: [Self] = [
    .attackSyntax, .attackMember, .attackValue, .attackConsent, .attackOrigin, .attackNoRequest,
    .attackRequest, .attackBaseline, .attackHonest, .attackPeople, .attackLost, .attackLimit,
    .attackVariant,
  ]
}
