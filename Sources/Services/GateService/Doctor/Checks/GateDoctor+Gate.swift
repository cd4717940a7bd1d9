import HTTPExchange

extension GateDoctor {
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
    let begin = page(configuration.prefix + "sign-in?return=%2F")
    guard let begun = await send(begin, for: &check) else { return check }
    let result = outcome(begun)
    if case .signIn = result {
      note(.wiringGate, begin, "the sign-in itself", "a redirect to it: a loop", &check)
    } else if [.unauthorized, .forbidden].contains(result) || begun.status == 404 {
      note(.wiringGate, begin, "the sign-in itself", "status \(begun.status)", &check)
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
