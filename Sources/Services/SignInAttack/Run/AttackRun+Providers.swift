import HTTPExchange

/// Two providers that the service trusts, and documents of the first one that lie.
extension AttackRun {
  // MARK: A second provider

  mutating func playSecond(
    _ kind: AttackVariant.SecondProvider, _ plan: AnswerPlan
  ) async throws(TokenError) -> Observation {
    guard try await secondSignsIn() else {
      return .trouble("the honest answer of the second provider does not sign in")
    }
    var browser = newBrowser
    switch kind {
    case .mixesUp(let hasIssuer): return try await mixUp(plan, hasIssuer: hasIssuer)
    case .inFirstName:
      var plan = AnswerPlan(plan.subject, by: .second)
      plan.issuer = configuration.issuer
      let request = try await begin(&browser, at: .second)
      guard let arrived = try await deliver(plan, to: request, in: &browser) else {
        return Self.notSignedIn
      }
      return try await observation(of: plan.subject, in: &browser, after: arrived)
    case .answersFirst:
      let plan = AnswerPlan(plan.subject, by: .second)
      let request = try await begin(&browser)
      guard let arrived = try await deliver(plan, to: request, in: &browser) else {
        return Self.notSignedIn
      }
      return try await observation(of: plan.subject, in: &browser, after: arrived)
    }
  }

  /// Whether the service trusts the second provider: without that refusals prove nothing.
  private mutating func secondSignsIn() async throws(TokenError) -> Bool {
    if let isSecondTrusted { return isSecondTrusted }
    let plan = AnswerPlan(configuration.subject(of: "control/second"), by: .second)
    var browser = newBrowser
    let request = try await begin(&browser, at: .second)
    let arrived = try await deliver(plan, to: request, in: &browser)
    guard let arrived,
      case .reached = try await observation(of: plan.subject, in: &browser, after: arrived)
    else {
      isSecondTrusted = false
      return false
    }
    isSecondTrusted = true
    return true
  }

  /// RFC 9700, 4.4.1: the sign-in is at the second provider, which sends the browser on to the first, as the client of the
  /// service there. The first gives its code to the address that it knows, with the state of the second's request.
  private mutating func mixUp(
    _ plan: AnswerPlan, hasIssuer: Bool
  ) async throws(TokenError) -> Observation {
    guard let known = asked else { return Self.notSignedIn }
    var browser = newBrowser
    let asked = try await begin(&browser, at: .second)
    var request = SignInRequest(consumer: known.consumer, audience: known.audience)
    request.state = asked.state
    request.nonce = asked.nonce
    request.challenge = asked.challenge
    request.isPosted = known.isPosted
    var plan = plan
    if !hasIssuer { plan.issuerParameter = .absent }
    let before = provider.leakedCodes
    guard let arrived = try await deliver(plan, to: request, in: &browser) else {
      return Self.notSignedIn
    }
    let seen = try await observation(of: plan.subject, in: &browser, after: arrived)
    if case .reached = seen { return seen }
    return provider.leakedCodes > before ? .reached(.asked) : seen
  }

  // MARK: Keys

  mutating func playKey(
    _ trick: KeyTrick, _ plan: AnswerPlan
  ) async throws(TokenError) -> Observation {
    var plan = plan
    plan.header = provider.header(trick)
    plan.key = provider.key(of: trick)
    let keySet = RogueProvider.Path.keys
    if trick.isPublished, provider.requests(for: keySet) == 0,
      let rereading = configuration.rereading
    {
      _ = try await rereads(keySet, rereading)
    }
    let before = requestsElsewhere
    var browser = newBrowser
    let request = try await begin(&browser)
    guard let arrived = try await deliver(plan, to: request, in: &browser) else {
      return Self.notSignedIn
    }
    let seen = try await observation(of: plan.subject, in: &browser, after: arrived)
    guard seen == .refused else { return seen }
    if requestsElsewhere > before { return .reached(.asked) }
    if trick.isPublished, provider.requests(for: keySet) == 0 {
      return .inapplicable("the service did not read the key set again")
    }
    return .refused
  }

  /// How often a service asked for what only a token names.
  private var requestsElsewhere: Int {
    provider.requests(for: RogueProvider.Path.keysElsewhere)
      + provider.requests(for: RogueProvider.Path.certificateElsewhere)
  }

  // MARK: Documents

  mutating func playDocument(
    _ lie: DocumentLie, _ plan: AnswerPlan
  ) async throws(TokenError) -> Observation {
    guard let rereading = configuration.rereading else {
      return .inapplicable("the file does not say how the document is read again")
    }
    let path = RogueProvider.Path.document(of: configuration.protocolName)
    let hasRead = try await rereads(path, rereading)
    let seen: Observation
    do throws(TokenError) {
      if hasRead {
        seen = try await answer(Self.plan(plan, for: lie, provider))
      } else {
        seen = .inapplicable("the service did not read the document again")
      }
    } catch {
      guard !Self.endsRun(error) else { throw error }
      seen = .trouble(error.description)
    }
    provider.publish(.honest)
    _ = try await rereads(path, rereading)
    return seen
  }

  /// A service that believes nothing of the document any more may fail without having been tested less.
  private mutating func answer(_ plan: AnswerPlan) async throws(TokenError) -> Observation {
    var browser = newBrowser
    let request: SignInRequest
    do throws(TokenError) {
      request = try await begin(&browser)
    } catch {
      // A service that no longer begins a sign-in, or does not start with the document, has refused it: the honest one
      // comes next, and the refusal counts once an honest answer signs in with that.
      if error.code == .transportNoConnection { return .refused }
      guard error.code == .attackNoRequest, browser.lastStatus != Self.tooMany else { throw error }
      return .refused
    }
    guard let arrived = try await deliver(plan, to: request, in: &browser) else {
      return Self.notSignedIn
    }
    let seen = try await observation(of: plan.subject, in: &browser, after: arrived)
    guard case .trouble = seen else { return seen }
    if case .failed = arrived { return seen }
    if case .page(let page) = arrived, page.status == Self.tooMany { return seen }
    return browser.lastStatus == Self.tooMany ? seen : .refused
  }

  /// An answer that is good if the document is believed.
  private static func plan(
    _ honest: AnswerPlan, for lie: DocumentLie, _ provider: RogueProvider
  ) -> AnswerPlan {
    var plan = honest
    switch lie {
    case .otherName:
      plan.issuer = provider.configuration.another
      plan.issuerParameter = .other(provider.configuration.another)
    case .unsignedTokens:
      var header = TokenHeader()
      header.signature = .none
      plan.header = header
    default: plan.key = .other
    }
    return plan
  }

  /// Waits until the service has asked for a document since it was changed.
  private func rereads(
    _ path: String, _ rereading: AttackConfiguration.Rereading
  ) async throws(TokenError) -> Bool {
    if let url = rereading.url {
      _ = try await transport.response(to: HTTPRequest(.post, url))
    }
    for _ in 0..<(rereading.seconds * 4) where provider.requests(for: path) == 0 {
      await clock.wait(.milliseconds(250))
    }
    // What was read is taken up a moment later.
    await clock.wait(.milliseconds(500))
    return provider.requests(for: path) > 0
  }
}
