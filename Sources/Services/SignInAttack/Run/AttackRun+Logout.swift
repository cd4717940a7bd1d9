extension AttackRun {
  /// A request for logout. What is accepted is that the person is signed out.
  mutating func logout(
    _ flaw: AttackVariant.LogoutFlaw, _ channel: AttackVariant.LogoutChannel, _ plan: AnswerPlan
  ) async throws(TokenError) -> Observation {
    let control = AnswerPlan(configuration.subject(of: "control/logout"))
    guard let honest = try message(nil, channel, control) else {
      return .inapplicable("the file has no address for it")
    }
    if honestLogouts[channel] == nil {
      guard let hasEnded = try await endsSession(honest, control) else {
        return .trouble("the honest answer does not sign in")
      }
      honestLogouts[channel] = hasEnded
    }
    guard honestLogouts[channel] == true else {
      return .inapplicable("an honest request for logout does not sign out")
    }
    guard flaw == .replayed else {
      guard let forged = try message(flaw, channel, plan),
        let hasEnded = try await endsSession(forged, plan)
      else { return Self.notSignedIn }
      return hasEnded ? .reached(.named) : .refused
    }
    guard let first = try message(nil, channel, plan),
      try await endsSession(first, plan) == true
    else { return .trouble("the first request for logout did not sign out") }
    // A service that takes no answer about a session that has ended has nothing to sign out of.
    return try await endsSession(first, plan) == true ? .reached(.named) : .refused
  }

  private func message(
    _ flaw: AttackVariant.LogoutFlaw?, _ channel: AttackVariant.LogoutChannel, _ plan: AnswerPlan
  ) throws(TokenError) -> LogoutMessage? {
    try provider.logoutMessage(
      flaw, channel, of: plan, to: asked?.audience ?? "", at: clock.now)
  }

  /// Signs in, sends a request for logout, and looks whether the session is over; nil where the answer does not sign in.
  private mutating func endsSession(
    _ message: LogoutMessage, _ plan: AnswerPlan
  ) async throws(TokenError) -> Bool? {
    var browser = newBrowser
    let request = try await begin(&browser)
    guard let arrived = try await deliver(plan, to: request, in: &browser),
      case .reached = try await observation(of: plan.subject, in: &browser, after: arrived)
    else { return nil }
    let answered: AttackBrowser.Arrival
    switch message {
    case .browser(let answer): answered = try await browser.deliver(answer)
    case .direct(let fields, let address):
      let response = try await transport.response(to: .form(fields, to: address))
      answered = .page(
        BrowserPage(url: address, status: response.status, body: response.body))
    }
    exchange.note(message)
    exchange.note(answered)
    switch try await observation(of: plan.subject, in: &browser, after: answered) {
    case .reached: return false
    case .refused, .inapplicable: return true
    case .trouble(let reason):
      throw TokenError(.attackHonest, node: configuration.probe.url.description, found: reason)
    }
  }
}
