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
    case .foreignState: try await leadAway(plan)
    case .logout(let flaw, let channel): try await logout(flaw, channel, plan)
    case .second(let kind): try await playSecond(kind, plan)
    case .key(let trick): try await playKey(trick, plan)
    case .document(let lie): try await playDocument(lie, plan)
    }
  }

  static let notSignedIn = Observation.trouble(
    "the honest answer before it did not sign in")

  /// What signed in is delivered again.
  private mutating func replay(
    _ plan: AnswerPlan, inSameBrowser: Bool
  ) async throws(TokenError) -> Observation {
    var plan = plan
    plan.isCodeReusable = true
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

  /// An answer whose state is an address. What is accepted is that the browser is sent there; the person who is signed in
  /// is the right one.
  private mutating func leadAway(_ plan: AnswerPlan) async throws(TokenError) -> Observation {
    var browser = newBrowser
    let request = try await begin(&browser)
    var plan = plan
    plan.state = .other(Self.foreignAddress)
    guard let arrived = try await deliver(plan, to: request, in: &browser) else {
      return Self.notSignedIn
    }
    if case .elsewhere(Self.foreignOrigin) = arrived { return .reached(.led) }
    let seen = try await observation(of: plan.subject, in: &browser, after: arrived)
    if case .reached = seen { return .refused }
    return seen
  }

  /// Of no one (RFC 2606, 3); the driver's browser does not open it.
  private static let foreignAddress = foreignOrigin + "/"
  private static let foreignOrigin = "https://elsewhere.example"
}
