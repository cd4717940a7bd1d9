extension AttackRun {
  /// Plays several steps.
  mutating func converse(
    _ conversation: AttackVariant.Conversation, _ plan: AnswerPlan
  ) async throws(TokenError) -> Observation {
    switch conversation {
    case .replayInOtherBrowser: try await replay(plan, inSameBrowser: false)
    case .replayInSameBrowser: try await replay(plan, inSameBrowser: true)
    case .otherBrowser: try await cross(plan, hasRequest: true)
    case .bareBrowser: try await cross(plan, hasRequest: false)
    case .stolenCode, .otherState: try await mix(plan)
    case .unsolicited: try await unsolicited(plan)
    case .logout(let kind): try await logout(kind, plan)
    }
  }

  private static let notSignedIn = Observation.trouble(
    "the honest answer before it did not sign in")

  /// What signed in is delivered again.
  private mutating func replay(
    _ plan: AnswerPlan, inSameBrowser: Bool
  ) async throws(TokenError) -> Observation {
    var first = newBrowser
    let request = try await begin(&first)
    var second = inSameBrowser ? first : newBrowser
    guard let made = try provider.answer(to: request, plan, at: clock.now) else {
      return Self.notSignedIn
    }
    let arrived = try await deliver(made, in: &first)
    guard case .reached = try await observation(of: plan.subject, in: &first, after: arrived) else {
      return Self.notSignedIn
    }
    let again = try await deliverAgain(made, in: &second)
    return try await observation(of: plan.subject, in: &second, after: again)
  }

  /// An answer to the request of one browser in another.
  private mutating func cross(
    _ plan: AnswerPlan, hasRequest: Bool
  ) async throws(TokenError) -> Observation {
    var one = newBrowser
    var other = newBrowser
    let request = try await begin(&one)
    if hasRequest { _ = try await begin(&other) }
    guard let arrived = try await deliver(plan, to: request, in: &other) else {
      return Self.notSignedIn
    }
    return try await observation(of: plan.subject, in: &other, after: arrived)
  }

  /// An answer to the request of one browser with the state of another's, in that other one.
  private mutating func mix(_ plan: AnswerPlan) async throws(TokenError) -> Observation {
    var one = newBrowser
    var other = newBrowser
    let request = try await begin(&one)
    let state = try await begin(&other).state
    guard let state else { return .inapplicable("the request has no state") }
    var plan = plan
    plan.state = .other(state)
    guard let arrived = try await deliver(plan, to: request, in: &other) else {
      return Self.notSignedIn
    }
    return try await observation(of: plan.subject, in: &other, after: arrived)
  }

  /// An answer out of the blue.
  private mutating func unsolicited(_ plan: AnswerPlan) async throws(TokenError) -> Observation {
    guard let asked else { return Self.notSignedIn }
    var browser = newBrowser
    let request = SignInRequest(consumer: asked.consumer, audience: asked.audience)
    guard let made = try provider.answer(to: request, plan, at: clock.now) else {
      return Self.notSignedIn
    }
    let arrived = try await deliverAgain(made, in: &browser)
    return try await observation(of: plan.subject, in: &browser, after: arrived)
  }

  /// A request for logout. What is accepted is that the person is signed out.
  private mutating func logout(
    _ kind: AttackVariant.ForgedLogout, _ plan: AnswerPlan
  ) async throws(TokenError) -> Observation {
    guard let address = configuration.logout else { return .inapplicable("the file has no logout") }
    let key: ProviderKey? =
      switch kind {
      case .unsigned: nil
      case .otherKey: .other
      case .replayed: .own
      }
    let forged = try provider.logoutRequest(
      for: plan.subject, to: address, key: key, id: TokenDraft.unpredictableID(), at: clock.now)
    if case .replayed = kind {
      guard try await endsSession(forged, plan) else {
        return .inapplicable("an honest request for logout does not sign out")
      }
    }
    return try await endsSession(forged, plan) ? .reached(.named) : .refused
  }

  /// Signs in, sends a request for logout through the same browser, and looks whether the session is over.
  private mutating func endsSession(
    _ message: ProviderAnswer, _ plan: AnswerPlan
  ) async throws(TokenError) -> Bool {
    var browser = newBrowser
    let request = try await begin(&browser)
    guard let arrived = try await deliver(plan, to: request, in: &browser),
      case .reached = try await observation(of: plan.subject, in: &browser, after: arrived)
    else { throw TokenError(.attackHonest, node: configuration.probe.url.description) }
    let answered = try await browser.deliver(message)
    exchange.note(answered)
    guard case .reached = try await observation(of: plan.subject, in: &browser, after: answered)
    else {
      return true
    }
    return false
  }
}
