package import HTTPExchange
import Federation
import Octets
import SecurityKeys
import TokenBasics

/// How applications on hosts of their own get sessions of the people who are signed in at the site.
///
/// A cookie of the site reaches no other host. The application's sign-in leaves 256 random bits in the browser and sends it
/// to the site; the site gives a ticket, which counts once, for 30 s, at that application and in that browser. What the
/// ticket opens is a child of the site's session: it has no life of its own, so that one sign-out ends all.
package struct ApplicationSessions: Sendable {
  /// The site at which people sign in.
  let site: SiteSettings
  /// Each application, with the site's prefix.
  private let applications: [SiteSettings]
  private let values: any ValueStore
  private let sealer: SignInSealer
  private let clock: any TimeSource
  private let random: RandomSource
  /// What a sign-in for the sake of an application's page asks of the provider; by default nothing.
  package var demands: @Sendable (ApplicationSignIn) -> SignInDemands = { _ in SignInDemands() }
  /// Whether a session is too old or too weak for an application's page.
  package var needsSignIn: @Sendable (ApplicationSignIn, SignedInSession) -> Bool = { _, _ in
    false
  }

  /// What the pages at an application's host show of a session; by default nothing.
  package var shown: @Sendable (HTTPOrigin, SignedInSession) -> ShownPerson = { _, _ in
    ShownPerson(subject: nil, provider: nil, issuer: nil, claims: ClaimSet())
  }

  /// Applications of a site.
  ///
  /// - Parameter values: Where tickets and children are; several instances share one.
  package init(of site: SignInSite, at applications: [SiteSettings], in values: any ValueStore) {
    self.site = site.settings
    self.applications = applications
    self.values = values
    sealer = site.sealer
    clock = site.clock
    random = site.random
  }

  /// Seconds within which a ticket has to come: 30.
  static let ticketLifetime: Int64 = 30
  /// The most sign-ins that are under way in one browser at one application: 10.
  static let mostPending = 10
  /// The most sessions that one sign-in has at one application: 10. The oldest ends for a further one.
  static let mostChildren = 10
  /// The parameter of the site's sign-in that has what an application asks.
  static let parameter = "application"

  // MARK: At the application

  /// A sign-in for an application's page: the cookies that the browser keeps there, and where it goes.
  ///
  /// - Parameters:
  ///   - application: The application.
  ///   - provider: The provider that is wanted; nil for any.
  ///   - isAnew: Whether a session at the site is not enough.
  ///   - cookies: What the browser has.
  /// - Throws: `transport.malformed-address`.
  func begin(
    at application: SiteSettings, returningTo path: ReturnPath, provider: String?, isAnew: Bool,
    cookies: CookieJar
  ) throws(TokenError) -> (cookies: [SetCookie], address: HTTPURL) {
    let bits = Secret(Base64.encode(random.octets(32), .url))
    let digits = random.hex(4)
    let asked = ApplicationSignIn(
      origin: application.origin.description, returnPath: path, browser: Self.digest(bits),
      cookie: digits, isAnew: isAnew,
      expires: clock.now.advanced(bySeconds: PendingSignIn.lifetime))
    let prefix = Self.cookiePrefix(application)
    let pending = cookies.names.filter { $0.hasPrefix(prefix) }
    var list = pending.dropLast(Self.mostPending - 1).map { SetCookie.removing($0, .lax) }
    list.append(
      SetCookie(
        name: prefix + digits, value: bits, maximumAge: PendingSignIn.lifetime, sameSite: .lax))
    var parameters = [(Self.parameter, seal(asked))]
    if let provider { parameters.append(("provider", provider)) }
    return (list, try site.address("sign-in").adding(parameters))
  }

  /// What a ticket opened: the cookies of the new session, and where the browser goes.
  struct Opened {
    let cookies: [SetCookie]
    let path: String
  }

  /// Opens a session with a ticket. Whatever becomes of it, the ticket is used up.
  ///
  /// - Throws: `signin.ticket-unknown`, `signin.ticket-other-host`, `signin.ticket-other-browser`; errors of the store.
  func open(
    _ ticket: String, at application: SiteSettings, cookies: CookieJar
  ) async throws(TokenError) -> Opened {
    let now = clock.now
    let place = KeptName.ticket(ticket)
    guard ticket.utf8.count == 43, let taken = try await values.take(ValueName(place), at: now),
      let given = opened(taken, place)
    else { throw TokenError(.signInTicketUnknown) }
    guard let asked = given.asked, asked.origin.hasSameBytes(as: application.origin.description)
    else {
      throw TokenError(
        .signInTicketOtherHost, expected: application.origin.description,
        found: given.asked?.origin)
    }
    let pending = Self.cookiePrefix(application) + asked.cookie
    guard let bits = cookies[pending], ConstantTime.areEqual(Self.digest(bits), asked.browser)
    else {
      throw TokenError(.signInTicketOtherBrowser)
    }
    // A parent that ended in between opens nothing.
    guard now < given.end else { throw TokenError(.signInTicketUnknown) }
    if let old = cookies[application.sessionCookie],
      let name = ChildCookie.keptName(of: old, at: application),
      try await child(old, at: application) != nil
    {
      try await values.remove(ValueName(name))
    }
    let cookie = try await child(of: given.parent, until: given.end, at: application)
    return Opened(
      cookies: [
        .removing(pending, .lax),
        SetCookie(
          name: application.sessionCookie, value: cookie,
          maximumAge: max(0, given.end.seconds - now.seconds), sameSite: .lax),
      ], path: asked.returnPath.text)
  }

  /// The site's session of which the browser has a child at the application; nil for none.
  ///
  /// - Throws: Errors of the store: then it is not known whether there is one (GATE-8).
  package func parent(
    of fields: some Sequence<String>, at application: SiteSettings
  ) async throws(TokenError) -> SessionID? {
    guard let cookie = CookieField.value(of: application.sessionCookie, in: fields) else {
      return nil
    }
    return try await child(cookie, at: application)?.parent
  }

  /// A new child of a session, in place of the oldest where there are ``mostChildren``.
  ///
  /// Each has one of as many names in the store, so that no more can be kept, however many nodes keep them at once.
  ///
  /// - Throws: Errors of the store.
  package func child(
    of parent: SessionID, until end: Instant, at application: SiteSettings
  ) async throws(TokenError) -> Secret {
    let bits = Base64.encode(random.octets(32), .url)
    var oldest: (place: Int, begun: Instant)?
    for place in 0..<Self.mostChildren {
      let name = KeptName.child(of: parent, place, at: application)
      let sealed = try await values.value(under: ValueName(name), at: clock.now)
      let begun = sealed.flatMap { opened($0, name) }?.begun ?? Instant(secondsSinceEpoch: 0)
      if oldest.map({ begun < $0.begun }) ?? true { oldest = (place, begun) }
      if sealed == nil { break }
    }
    let cookie = ChildCookie(of: parent, oldest?.place ?? 0, bits, at: application)
    var link = ApplicationLink(to: parent, until: end)
    link.begun = clock.now
    link.proof = cookie.proof
    try await keep(link, under: cookie.keptName(at: application), until: end)
    return cookie.secret
  }

  private func child(
    _ cookie: Secret, at application: SiteSettings
  ) async throws(TokenError) -> ApplicationLink? {
    guard let name = ChildCookie.keptName(of: cookie, at: application) else { return nil }
    let sealed = try await values.value(under: ValueName(name), at: clock.now)
    guard let link = sealed.flatMap({ opened($0, name) }) else { return nil }
    guard let read = ChildCookie(cookie) else { return link.proof == nil ? link : nil }
    guard let proof = link.proof, ConstantTime.areEqual(proof, read.proof) else { return nil }
    return link
  }

  // MARK: At the site

  /// What an application asks, as the browser brought it.
  ///
  /// - Throws: `signin.ticket-request` for anything that none of the configured applications asked.
  func read(_ text: String) throws(TokenError) -> ApplicationSignIn {
    guard let octets = sealer.open(Secret(text), for: ApplicationSignIn.purpose),
      let asked = ApplicationSignIn(json: octets), isConfigured(asked)
    else { throw TokenError(.signInTicketRequest) }
    return asked
  }

  /// What ``read(_:)`` reads.
  func seal(_ asked: ApplicationSignIn) -> String {
    sealer.seal(asked.json, for: ApplicationSignIn.purpose).revealed
  }

  /// Whether the application is still one of the site's.
  func isConfigured(_ asked: ApplicationSignIn) -> Bool {
    applications.contains { $0.origin.description.hasSameBytes(as: asked.origin) }
  }

  /// The address with a ticket for a session of the site's: at the configured origin, never at a return address.
  ///
  /// - Throws: `signin.ticket-request`, `transport.malformed-address`; errors of the store.
  func ticket(
    for asked: ApplicationSignIn, opening session: SessionID, until end: Instant
  ) async throws(TokenError) -> HTTPURL {
    let own = applications.first { $0.origin.description.hasSameBytes(as: asked.origin) }
    guard let application = own else { throw TokenError(.signInTicketRequest) }
    let ticket = Base64.encode(random.octets(32), .url)
    try await keep(
      ApplicationLink(to: session, until: end, asked: asked), under: .ticket(ticket),
      until: clock.now.advanced(bySeconds: Self.ticketLifetime))
    return try application.address("ticket").adding([("ticket", ticket)])
  }

  // MARK: Values

  private static func cookiePrefix(_ application: SiteSettings) -> String {
    application.cookiePrefix + SiteCookie.application.name
  }

  private static func digest(_ bits: Secret) -> [UInt8] {
    let octets = Array("application sign-in:\(bits.revealed)".utf8)
    return DigestAlgorithm.sha256.digest(of: octets) ?? octets
  }

  /// Keeps a link, sealed for its name: whoever can write to the store makes no session by it.
  private func keep(
    _ link: ApplicationLink, under name: KeptName<ApplicationLink>, until end: Instant
  ) async throws(TokenError) {
    let sealed = Array(sealer.seal(link.json, for: name.text).revealed.utf8)
    try await values.keep(sealed, under: ValueName(name), until: end, at: clock.now)
  }

  private func opened(
    _ sealed: [UInt8], _ name: KeptName<ApplicationLink>
  ) -> ApplicationLink? {
    sealer.open(Secret(String(decoding: sealed, as: UTF8.self)), for: name.text)
      .flatMap { ApplicationLink(json: $0) }
  }
}
