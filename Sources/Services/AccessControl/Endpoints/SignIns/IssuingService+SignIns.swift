import HTTPExchange
import Octets
import SecurityKeys
import SignIn
import TokenBasics

extension IssuingService {
  /// A context as it travels. It opens for that browser alone, or, without one, for whoever brings it: the feed of
  /// identity providers is read by programs, and what it offers anybody could ask for.
  func seal(_ context: SignInContext, for browser: String?) -> String {
    let sealed = key.seal(context.reference.json, context: sealingContext(browser)) ?? []
    return Base64.encode(sealed, .url)
  }

  /// The sign-in that a browser brings.
  ///
  /// - Throws: `issuing.sign-in` for a text that is not ours, or another browser's; `signin.expired`.
  func opened(_ text: String, _ request: WebRequest) async throws(TokenError) -> SignInContext {
    guard let browser = knownBrowser(request), let travelled = unsealed(text, for: browser)
    else { throw TokenError(.issuingSignIn, node: "cx") }
    let context = try await whole(travelled)
    guard clock.now < context.end else {
      throw TokenError(.signInExpired, node: "cx", expected: "before \(context.end.rfc3339)")
    }
    return context
  }

  /// The context behind a reference.
  ///
  /// - Throws: `signin.expired` for one that the service does not keep any more, and what the store throws.
  private func whole(_ travelled: SignInContext) async throws(TokenError) -> SignInContext {
    guard let name = travelled.keptName else { return travelled }
    guard var context = try await grants.kept(under: .signIn(name)) else {
      throw TokenError(.signInExpired, node: "cx", found: "one that is not kept any more")
    }
    context.provider = travelled.provider
    context.keptName = name
    return context
  }

  /// A context that is short where it travels: the service keeps it, and a reference travels in its place. Cookies and
  /// addresses have a few kilobytes each, and a browser with five tabs has five of them.
  ///
  /// A sender whose sign-ins are kept too often, and a store that keeps nothing, get the context whole: then it is the browser
  /// that has to take it.
  ///
  /// - Parameter length: The most octets of JSON that travel.
  func shortened(
    _ context: SignInContext, to length: Int, _ request: WebRequest
  ) async -> SignInContext {
    guard context.keptName == nil, context.json.count > length,
      (try? limits.signIns.take(request.peer ?? "")) != nil
    else { return context }
    let name = random.hex(16)
    guard (try? await grants.keep(context, under: .signIn(name), until: context.end)) != nil else {
      return context
    }
    var shortened = context
    shortened.keptName = name
    return shortened
  }

  /// Octets of the JSON of a context in the address of one of our pages.
  private static let mostInAddresses = 1_024
  /// Octets of the JSON of a context in the cookie of a sign-in at a real provider: five such cookies fit into a request.
  static let mostInCookies = 160

  /// The sign-in that a link of the feed begins: a new one each time that it is followed.
  ///
  /// - Throws: `issuing.sign-in` for any other text, or a link that is a day old.
  func invited(_ text: String) throws(TokenError) -> SignInContext {
    guard var context = unsealed(text, for: nil), [.passive, .notify].contains(context.delivery),
      clock.now < context.begun.advanced(bySeconds: Self.invitationLifetime)
    else { throw TokenError(.issuingSignIn, node: "cx") }
    begin(&context)
    return context
  }

  /// Makes a context that of a sign-in that begins now.
  func begin(_ context: inout SignInContext) {
    context.id = random.hex(16)
    context.begun = clock.now
  }

  private func unsealed(_ text: String, for browser: String?) -> SignInContext? {
    guard text.utf8.count <= Self.mostOctets,
      let sealed = try? Base64.decode(Array(text.utf8), .url),
      let json = key.open(sealed, context: sealingContext(browser))
    else { return nil }
    return SignInContext(json: json)
  }

  private func sealingContext(_ browser: String?) -> [UInt8] {
    PrefixedTexts.octets(["sign-in", origin.description, browser ?? ""])
  }

  /// The most octets of a context.
  private static let mostOctets = 64 << 10
  /// Seconds: a day.
  private static let invitationLifetime: Int64 = 86_400

  // MARK: Browsers

  /// The number of this browser, and the cookie where it has none yet. The cookie has to come along with a form of
  /// another site, as a SAML request may be.
  func browser(_ request: WebRequest) -> (number: String, cookies: [SetCookie]) {
    if let known = knownBrowser(request) { return (known, []) }
    let made = random.hex(16)
    let name = cookieName("browser")
    return (
      made, [SetCookie(name: name, value: Secret(made), maximumAge: nil, sameSite: .none)]
    )
  }

  /// The number that this browser brings; nil for none, and for what was not made here.
  func knownBrowser(_ request: WebRequest) -> String? {
    guard let known = request.cookies[cookieName("browser")]?.revealed,
      known.utf8.count == 32, known.utf8.allSatisfy({ Hex.isDigit($0) })
    else { return nil }
    return known
  }

  // MARK: Providers

  /// Sends the browser to the one provider, or asks which.
  ///
  /// - Parameter wanted: The provider that the relying party asks for; nil to ask the person. One that is none of ours is
  ///   passed on where there is one provider that has others behind it.
  func choose(
    _ context: SignInContext, _ party: RelyingParty, _ wanted: String?, _ request: WebRequest,
    staysOnPage: Bool = false
  ) async throws(TokenError) -> HTTPResponse {
    let namespace = namespace
    try decide(context, party)
    let providers = try offered(to: party, within: context.demands)
    var context = context
    begin(&context)
    let (browser, cookies) = browser(request)
    if let wanted, !wanted.isEmpty {
      let chosen: ACSIdentityProvider
      if let only = providers.first, providers.count == 1, case .upstream = only.kind,
        !only.id.hasSameBytes(as: wanted)
      {
        chosen = only
        context.demands.homeRealm = wanted
      } else {
        chosen = try namespace.provider(wanted, of: party)
        try check(chosen, within: context.demands, of: party)
      }
      try requireRealProviderIfPassive(context, chosen)
      context = await shortened(context, to: Self.mostInAddresses, request)
      return responder.redirect(signInAddress(chosen, context, browser), cookies: cookies)
    }
    if providers.count == 1, !staysOnPage, let only = providers.first {
      try requireRealProviderIfPassive(context, only)
      context = await shortened(context, to: Self.mostInAddresses, request)
      return responder.redirect(signInAddress(only, context, browser), cookies: cookies)
    }
    guard !context.demands.isPassive else {
      throw TokenError(
        .issuingFreshness, node: "passive", found: "a choice of providers", .isPassiveChoice)
    }
    context = await shortened(context, to: Self.mostInAddresses, request)
    return responder.page(
      200, .providers(choicePage(context, party, nil, browser, request)), cookies: cookies)
  }

  /// The page on which a person chooses a provider.
  ///
  /// - Parameter typed: What the person typed to find one; nil for nothing.
  func choicePage(
    _ context: SignInContext, _ party: RelyingParty, _ typed: String?, _ browser: String,
    _ request: WebRequest
  ) -> ChoicePage {
    let offered = (try? offered(to: party, within: context.demands)) ?? []
    let last = request.cookies[cookieName("choice")]?.revealed
    let first = offered.filter { Self.choice($0) == last }
    let ordered = first + offered.filter { Self.choice($0) != last }
    let shown: [ACSIdentityProvider]
    let isInVain: Bool
    switch ProviderSearch(typed, in: ordered, name: \.name) {
    case .found(let provider): (shown, isInVain) = ([provider], false)
    case .open(let fitting, let failed): (shown, isInVain) = (fitting, failed)
    }
    var open = context
    open.provider = nil
    let sealed = seal(open, for: browser)
    var search: ChoicePage.Search?
    if offered.count > ChoicePage.mostLinks {
      search = ChoicePage.Search(
        address: address("/v2/choose"), fields: [(name: "cx", value: sealed)],
        names: offered.map(\.name), isInVain: isInVain, matches: shown.count)
    }
    return ChoicePage(
      providers: shown.prefix(ChoicePage.mostLinks).map {
        ($0.name, signInAddress($0, context, browser))
      },
      search: search, application: applicationName(context, party),
      isLastFirst: last != nil && shown.first.map(Self.choice) == last,
      cancel: address("/v2/cancel?cx=" + sealed))
  }

  /// Remembers a choice for ninety days: a convenience, which proves nothing.
  func remembering(_ provider: ACSIdentityProvider) -> SetCookie {
    SetCookie(
      name: cookieName("choice"), value: Secret(Self.choice(provider)), maximumAge: 7_776_000,
      sameSite: .lax)
  }

  private static func choice(_ provider: ACSIdentityProvider) -> String {
    Base64.encode(Array(provider.id.utf8), .url)
  }

  /// Test people sign in by a person's click, so not where the relying party forbids to ask (`IsPassive`).
  private func requireRealProviderIfPassive(
    _ context: SignInContext, _ provider: ACSIdentityProvider
  ) throws(TokenError) {
    guard context.demands.isPassive, case .testPeople = provider.kind else { return }
    throw TokenError(
      .issuingFreshness, node: "passive", found: "a person has to be asked", .isPassive)
  }

  /// Where a person signs in at a provider.
  ///
  /// - Parameter browser: The browser alone that may; nil for a link that anybody may follow.
  func signInAddress(
    _ provider: ACSIdentityProvider, _ context: SignInContext, _ browser: String?
  ) -> String {
    var context = context
    context.provider = provider.id
    return address("/v2/sign-in?cx=" + seal(context, for: browser))
  }
}
