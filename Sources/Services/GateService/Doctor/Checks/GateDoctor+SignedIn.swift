import HTTPExchange

extension GateDoctor {
  /// Why there is no session to send.
  var noSession: String {
    if signInOrigin != configuration.origin, configuration.cookieKeys == nil {
      return "cookieKeys is missing: the keys of sessions at this host are in the gate's memory"
    }
    return "no session can be made: gate.json keeps them in memory, or its file cannot be opened"
  }

  /// What the gate makes of a request, by its own rules.
  private enum Expected {
    case page
    case signIn
    case refusal
  }

  private func expected(_ target: String, _ method: String, _ session: Session) -> Expected {
    switch configuration.rules.decide(target, method: method, subject: session.subject).verdict {
    case .allow: .page
    case .signIn, .signInAgain: .signIn
    default: .refusal
    }
  }

  /// A signed-in browser passes.
  func sessions() async -> WiringCheck {
    var check = WiringCheck("a signed-in browser")
    guard let entitled, let bare else {
      check.omission = noSession
      return check
    }
    for session in [entitled, bare] where expected("/gate-doctor", "GET", session) == .page {
      // Other cookies and a large one beside it (GATE-17).
      let large = "first=1; \(session.cookie); other=" + String(repeating: "x", count: 2_000)
      for cookie in [session.cookie, large] {
        let request = page("/gate-doctor", adding: [("Cookie", cookie)])
        guard let response = await send(request, for: &check) else { return check }
        switch outcome(response) {
        case .passed where isVerdict(response):
          note(
            .wiringSession, request, "the page", "the gate's answer to check, as it is", &check)
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

  /// Whether a proxy handed on the gate's verdict in place of the page: nginx does where `auth_request` asks without the
  /// cookie, and the question for the gate's page has it.
  private func isVerdict(_ response: HTTPResponse) -> Bool {
    guard response.status == 200, response.body.isEmpty, ArrivedRequest(response) == nil else {
      return false
    }
    return standsIn
      || configuration.headerNames.contains { !response.fields.values($0).isEmpty }
  }

  /// Rules hold in both directions, with 403 as it is.
  func rules() async -> WiringCheck {
    var check = WiringCheck("rules")
    guard let entitled, let bare else {
      check.omission = noSession
      return check
    }
    for rule in configuration.rules.rules {
      let method = rule.method ?? "GET"
      for target in [target(rule), target(rule, "gate-doctor")] where !isOpen(target, method) {
        for session in [bare, entitled] {
          let request = page(target, method, as: session)
          guard let response = await send(request, for: &check) else { return check }
          note(response, request, expected(target, method, session), &check)
        }
      }
    }
    return check
  }

  private func note(
    _ response: HTTPResponse, _ request: WiringRequest, _ expected: Expected,
    _ check: inout WiringCheck
  ) {
    let found = "status \(response.status)"
    let wanted = expected == .signIn ? "a sign-in anew" : "status 403"
    switch (expected, outcome(response)) {
    case (.refusal, .forbidden):
      // The gate's page names a code of its own.
      if request.method != "HEAD",
        !String(decoding: response.body, as: UTF8.self).contains("gate.")
      {
        note(.wiringPage, request, "the gate's page for 403", "another page", &check)
      }
    case (.page, .passed), (_, .unreadable): break
    case (.signIn, .signIn), (.signIn, .unauthorized): break
    case (.page, .signIn), (.page, .unauthorized):
      note(.wiringSession, request, "the page", found, &check)
    // Without the stand-in the application itself may refuse.
    case (.page, _) where !standsIn: break
    case (.page, _): note(.wiringTarget, request, "the page", found, &check)
    case (_, .passed): note(.wiringRule, request, wanted, found, &check)
    case (_, .failed): note(.wiringCheckFailed, request, wanted, found, &check)
    default: note(.wiringRefusal, request, wanted, found, &check)
    }
  }
}
