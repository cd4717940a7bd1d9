import HTTPExchange

extension GateDoctor {
  /// Nothing passes without a session, whatever the path looks like: proxies have locations for types of files.
  func signedOutPaths() async -> WiringCheck {
    var check = WiringCheck("paths, signed out")
    let kinds = [
      "/", "/gate-doctor", "/gate-doctor/", "/gate-doctor?a=b", "/index.html", "/index.php",
      "/gate-doctor.css", "/gate-doctor.js", "/gate-doctor.png", "/gate-doctor.php",
      "/favicon.ico", "/robots.txt", "/api/gate-doctor", "/static/gate-doctor",
      "/assets/gate-doctor", "/.well-known/gate-doctor", "/health", "/metrics",
    ]
    for target in kinds + configuration.rules.rules.map({ target($0) }) where !isOpen(target) {
      await expectRefusal(of: page(target), &check)
    }
    return check
  }

  /// Nothing passes without a session, whatever the method: proxies can limit a rule to methods.
  func signedOutMethods() async -> WiringCheck {
    var check = WiringCheck("methods and imitations of health checks, signed out")
    let targets = ["/gate-doctor"] + configuration.rules.rules.prefix(4).map { target($0) }
    for target in targets where !isOpen(target) {
      let methods = ["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]
      for method in methods where !isOpen(target, method) {
        await expectRefusal(of: page(target, method), &check)
      }
      // GATE-7: no header means "ok".
      let imitations = [
        [("User-Agent", "kube-probe/1.29")], [("User-Agent", "GoogleHC/1.0")],
        [("Upgrade", "websocket"), ("Connection", "Upgrade")],
        [("Access-Control-Request-Method", "GET"), ("Origin", configuration.origin.description)],
        [("Cookie", "\(sessionCookie)=x")], [("Authorization", "Bearer x")],
      ]
      for fields in imitations {
        await expectRefusal(of: page(target, adding: fields), &check)
      }
    }
    return check
  }

  private func expectRefusal(of request: WiringRequest, _ check: inout WiringCheck) async {
    guard let response = await send(request, for: &check) else { return }
    let outcome = outcome(response)
    if noteFailure(outcome, request, &check) { return }
    if case .passed(let status) = outcome {
      note(
        .wiringUnprotected, request, "401, or a redirect to sign in", "status \(status)", &check)
    }
  }

  /// A browser goes to sign in, and will come back to the very page.
  func signInRedirects() async -> WiringCheck {
    var check = WiringCheck("the redirect to sign in")
    for target in ["/gate-doctor", "/gate-doctor/%C3%A9?q=1&r=%20", "/gate-doctor?url=/x"]
    where needsSignIn(target) {
      let request = page(target)
      guard let response = await send(request, for: &check) else { return check }
      let expected = Outcome.signIn(return: HTTPURL.percentEncoded(target))
      let outcome = outcome(response)
      if noteFailure(outcome, request, &check) || outcome == expected { continue }
      switch outcome {
      case .signIn(let other):
        note(.wiringTarget, request, HTTPURL.percentEncoded(target), other, &check)
      case .forbidden:
        // No rule refuses before anybody is signed in: the gate did not accept the question.
        note(
          .wiringCheckFailed, request, "a redirect to \(configuration.prefix)sign-in",
          "status 403, as for a proxy that is not among proxy.peers", &check)
      default:
        note(
          .wiringSignIn, request, "a redirect to \(configuration.prefix)sign-in",
          "status \(response.status)", &check)
      }
    }
    return check
  }

  /// A script gets 401, never a page to sign in at (GATE-3 of `Sec-Fetch-Mode`).
  func scripts() async -> WiringCheck {
    var check = WiringCheck("scripts, signed out")
    let kinds = [
      [("Accept", "application/json"), ("Sec-Fetch-Mode", "cors")], [("Accept", "*/*")],
    ]
    for pairs in kinds where needsSignIn("/gate-doctor") {
      let request = WiringRequest(
        "GET", "/gate-doctor", (try? HTTPFields(pairs)) ?? HTTPFields())
      guard let response = await send(request, for: &check) else { return check }
      let outcome = outcome(response)
      if noteFailure(outcome, request, &check) { continue }
      if outcome == .unauthorized {
        if response.fields.values("WWW-Authenticate").isEmpty {
          note(.wiringPage, request, "401 with WWW-Authenticate", "401 without it", &check)
        }
        continue
      }
      note(.wiringScript, request, "status 401", "status \(response.status)", &check)
    }
    return check
  }
}

extension GateDoctor {
  /// While the gate cannot answer nothing passes, and nobody is sent to sign in (GATE-8).
  func failingGate() async -> WiringCheck {
    var check = WiringCheck("a gate that answers 503")
    guard let unavailable else {
      check.omission = noSession
      return check
    }
    for method in ["GET", "POST"] {
      let request = page("/gate-doctor", method, as: unavailable)
      guard let response = await send(request, for: &check) else { return check }
      switch outcome(response) {
      case .failed: break
      // A proxy may have its own words for it.
      case .unreadable: break
      case .passed, .signIn, .unauthorized, .forbidden:
        note(.wiringFailure, request, "status 5xx", "status \(response.status)", &check)
      }
    }
    return check
  }
}
