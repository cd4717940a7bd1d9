import HTTPExchange

extension GateDoctor {
  /// While the gate cannot answer nothing passes, and nobody is sent to sign in (GATE-8).
  func failingGate() async -> WiringCheck {
    var check = WiringCheck("a gate that answers 503")
    guard let unavailable else {
      check.omission = Self.noSession
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
