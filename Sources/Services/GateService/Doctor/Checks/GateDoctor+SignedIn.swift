import HTTPExchange

extension GateDoctor {
  static let noSession =
    "no session can be made: gate.json keeps them in memory, or its file cannot be opened"

  /// Whether the gate allows a request, by its own rules.
  private func isAllowed(_ target: String, _ method: String, _ session: Session) -> Bool {
    let verdict = configuration.rules.decide(target, method: method, subject: session.subject)
      .verdict
    return if case .allow = verdict { true } else { false }
  }

  /// A signed-in browser passes.
  func sessions() async -> WiringCheck {
    var check = WiringCheck("a signed-in browser")
    guard let entitled, let bare else {
      check.omission = Self.noSession
      return check
    }
    for session in [entitled, bare] where isAllowed("/gate-doctor", "GET", session) {
      // Other cookies and a large one beside it (GATE-17).
      let large = "first=1; \(session.cookie); other=" + String(repeating: "x", count: 2_000)
      for cookie in [session.cookie, large] {
        let request = page("/gate-doctor", adding: [("Cookie", cookie)])
        guard let response = await send(request, for: &check) else { return check }
        switch outcome(response) {
        case .passed, .unreadable: break
        case .failed where !standsIn: break
        case .signIn, .unauthorized:
          note(.wiringSession, request, "the page", "status \(response.status)", &check)
        case .forbidden, .failed:
          note(.wiringCheckFailed, request, "the page", "status \(response.status)", &check)
        }
      }
    }
    return check
  }

  /// Rules hold in both directions, with 403 as it is.
  func rules() async -> WiringCheck {
    var check = WiringCheck("rules")
    guard let entitled, let bare else {
      check.omission = Self.noSession
      return check
    }
    for rule in configuration.rules.rules {
      let method = rule.method ?? "GET"
      for target in [target(rule), target(rule, "gate-doctor")] where !isOpen(target) {
        for session in [bare, entitled] {
          let request = page(target, method, as: session)
          guard let response = await send(request, for: &check) else { return check }
          note(response, request, isAllowed: isAllowed(target, method, session), &check)
        }
      }
    }
    return check
  }

  private func note(
    _ response: HTTPResponse, _ request: WiringRequest, isAllowed: Bool, _ check: inout WiringCheck
  ) {
    let found = "status \(response.status)"
    switch (isAllowed, outcome(response)) {
    case (false, .forbidden), (true, .passed), (_, .unreadable): break
    case (false, .passed): note(.wiringRule, request, "status 403", found, &check)
    case (false, .failed): note(.wiringCheckFailed, request, "status 403", found, &check)
    case (false, _): note(.wiringRefusal, request, "status 403", found, &check)
    case (true, .signIn), (true, .unauthorized):
      note(.wiringSession, request, "the page", found, &check)
    // Without the stand-in the application itself may refuse.
    case (true, _) where !standsIn: break
    case (true, _): note(.wiringTarget, request, "the page", found, &check)
    }
  }
}
