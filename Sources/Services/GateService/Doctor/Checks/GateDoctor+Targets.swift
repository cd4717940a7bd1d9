import HTTPExchange

extension GateDoctor {
  /// No header of a client says what is judged (GATE-1).
  func forgedRequests() async -> WiringCheck {
    var check = WiringCheck("a client's own forwarding headers")
    let target = "/gate-doctor/asked"
    guard needsSignIn(target) else { return check }
    let expected = Outcome.signIn(return: HTTPURL.percentEncoded(target))
    // What happens without such a header is the business of another check.
    guard let plain = await send(page(target), for: &check), outcome(plain) == expected else {
      check.omission = "a plain request is not sent to sign in"
      return check
    }
    let folded = ["X-Original-URI", "X-Forwarded-Uri"].map { HeaderSpelling.spelled($0, with: "_") }
    for name in PassageTable.forwardingNames + PassageTable.methodOverrideNames + folded {
      let isMethod = name.contains("Method")
      let request = page(
        target, adding: [(name, isMethod ? "POST" : "/gate-doctor/forged")])
      guard let response = await send(request, for: &check) else { return check }
      let outcome = outcome(response)
      // A proxy may refuse the header altogether.
      if case .unreadable = outcome { continue }
      guard outcome != expected else { continue }
      // The gate refuses such a header where rules name methods.
      if PassageTable.methodOverrideNames.contains(name), outcome == .forbidden { continue }
      note(.wiringForged, request, "the verdict as without \(name)", "\(response.status)", &check)
    }
    return check
  }

  /// What two readers could read differently is refused as it was asked (GATE-4).
  func ambiguousPaths() async -> WiringCheck {
    var check = WiringCheck("paths with two readings")
    guard !configuration.rules.rules.isEmpty else {
      check.omission = "gate.json has no rules, so that every path has the same verdict"
      return check
    }
    let paths = configuration.rules.rules.prefix(4).map { target($0) } + ["/gate-doctor/"]
    for path in paths {
      let rest = String(path.dropFirst())
      let first = "/" + String(rest.prefix { $0 != "/" })
      let before = [
        "//", "/./", "/gate-doctor/../", "/%2e/", "/%2E%2e/", "/gate-doctor/%2e%2e/",
        "/gate-doctor/..%2f", "/gate-doctor%2f..%2f",
      ]
      let behind = [
        "%2fx", "%5cx", ";a=b/", "%3b", "%23", "%3fx", "%252fx", "\\x", "%00", "%0a",
      ]
      let spellings = before.map { $0 + rest } + behind.map { first + $0 }
      for spelling in spellings where !isOpen(spelling) {
        await expectRefusal(ofAmbiguous: spelling, &check)
      }
    }
    return check
  }

  private func expectRefusal(ofAmbiguous target: String, _ check: inout WiringCheck) async {
    for session in [nil, bare] {
      let request = page(target, as: session)
      guard let response = await send(request, for: &check) else { return }
      switch outcome(response) {
      // nginx and Caddy answer some with 404, 301 or an error of their own; what counts is that the gate
      // was not asked about another path, and that nothing passed.
      case .forbidden, .unreadable, .failed, .passed(404): break
      case .passed(let status) where response.isRedirect && status != 303: break
      // Traefik cleans a path before it asks and hands on: what it judged is what arrives.
      case .signIn, .unauthorized:
        guard configuration.proxy != .traefik else { break }
        note(.wiringPath, request, "status 403", "status \(response.status)", &check)
      case .passed where isJudgedAsArrived(response, session): break
      case .passed(let status):
        note(.wiringPath, request, "status 403", "status \(status)", &check)
      }
      if bare == nil { return }
    }
  }
}

extension GateDoctor {
  /// Whether Traefik made of a path another one, which the rules allow and the application got.
  private func isJudgedAsArrived(_ response: HTTPResponse, _ session: Session?) -> Bool {
    guard configuration.proxy == .traefik, let arrived = ArrivedRequest(response) else {
      return false
    }
    return configuration.rules.decide(arrived.target, method: "GET", subject: session?.subject)
      .allows
  }

  /// The gate's own pages are answered by the gate, and not behind the gate.
  func gatePages() async -> WiringCheck {
    var check = WiringCheck("the gate's own pages")
    let request = page(configuration.prefix + "claims")
    guard let response = await send(request, for: &check) else { return check }
    // Nobody is signed in.
    guard case .signIn = outcome(response) else {
      note(
        .wiringGate, request, "the gate's redirect to \(configuration.prefix)sign-in",
        "status \(response.status)", &check)
      return check
    }
    if let entitled {
      let own = page(configuration.prefix + "claims", as: entitled)
      guard let shown = await send(own, for: &check) else { return check }
      if case .signIn = outcome(shown) {
        note(.wiringGate, own, "the page for a session", "a redirect, as without a cookie", &check)
      }
    }
    let begin = page(configuration.prefix + "sign-in?return=%2F")
    guard let begun = await send(begin, for: &check) else { return check }
    let result = outcome(begun)
    if case .signIn = result {
      note(.wiringGate, begin, "the sign-in itself", "a redirect to it: a loop", &check)
    } else if [.unauthorized, .forbidden].contains(result) || begun.status == 404 {
      note(.wiringGate, begin, "the sign-in itself", "status \(begun.status)", &check)
    }
    guard signInOrigin != configuration.origin else { return check }
    // An application's sign-in leads to the public one, and what comes back is a ticket.
    let address = signInOrigin.description + configuration.prefix + "sign-in?application="
    if begun.fields["Location"]?.hasPrefix(address) != true {
      note(
        .wiringHost, begin, "a redirect to \(signInOrigin)\(configuration.prefix)sign-in",
        "status \(begun.status)", &check)
    }
    // The target decides which host it is (RFC 9112, 3.2.2), for the proxy and so for the gate.
    var absolute = page(
      configuration.origin.description + configuration.prefix + "sign-in?return=%2F")
    absolute.host = signInOrigin.authority
    guard let judged = await send(absolute, for: &check) else { return check }
    if judged.isRedirect, judged.fields["Location"]?.hasPrefix(address) != true {
      note(
        .wiringHost, absolute, "a redirect to \(signInOrigin)\(configuration.prefix)sign-in",
        "judged as a request for \(signInOrigin)", &check)
    }
    let ticket = page(configuration.prefix + "ticket?ticket=gate-doctor")
    guard let refused = await send(ticket, for: &check) else { return check }
    if refused.status != 400 {
      note(.wiringHost, ticket, "the gate's refusal, 400", "status \(refused.status)", &check)
    }
    return check
  }

  /// `check` is for the proxy alone.
  func checkExposure() async -> WiringCheck {
    var check = WiringCheck("the check, asked by a client")
    var fields: [(String, String)] = []
    if let headers = configuration.proxy.headers {
      fields = [(headers.target, "/"), (headers.method, "GET")]
    }
    for name in ["check", "check?redirect"] {
      let request = page(configuration.prefix + name, adding: fields)
      guard let response = await send(request, for: &check) else { return check }
      if ![404, 405].contains(response.status) {
        note(.wiringCheckExposed, request, "status 404", "status \(response.status)", &check)
      }
    }
    return check
  }
}
