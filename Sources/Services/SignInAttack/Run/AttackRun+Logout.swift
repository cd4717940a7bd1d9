import Octets

extension AttackRun {
  /// A request for logout. What is accepted is that the person is signed out.
  mutating func logout(
    _ flaw: AttackVariant.LogoutFlaw, _ channel: AttackVariant.LogoutChannel, _ plan: AnswerPlan
  ) async throws(TokenError) -> Observation {
    guard let honest = try message(nil, channel, plan),
      let forged = try flaw == .replayed ? honest : message(flaw, channel, plan)
    else { return .inapplicable("the file has no address for it") }
    if honestLogouts[channel] == nil {
      honestLogouts[channel] = try await endsSession(
        try message(nil, channel, plan) ?? honest, plan)
    }
    guard honestLogouts[channel] == true else {
      return .inapplicable("an honest request for logout does not sign out")
    }
    if flaw == .replayed {
      guard try await endsSession(honest, plan) else {
        return .inapplicable("an honest request for logout does not sign out")
      }
    }
    return try await endsSession(forged, plan) ? .reached(.named) : .refused
  }

  private func message(
    _ flaw: AttackVariant.LogoutFlaw?, _ channel: AttackVariant.LogoutChannel, _ plan: AnswerPlan
  ) throws(TokenError) -> LogoutMessage? {
    try provider.logoutMessage(
      flaw, channel, for: plan.subject, to: asked?.audience ?? "", at: clock.now)
  }

  /// Signs in, sends a request for logout, and looks whether the session is over.
  private mutating func endsSession(
    _ message: LogoutMessage, _ plan: AnswerPlan
  ) async throws(TokenError) -> Bool {
    var browser = newBrowser
    let request = try await begin(&browser)
    guard let arrived = try await deliver(plan, to: request, in: &browser),
      case .reached = try await observation(of: plan.subject, in: &browser, after: arrived)
    else { throw TokenError(.attackHonest, node: configuration.probe.url.description) }
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
