import SignIn

/// One question of the proxy.
struct GateQuestion {
  /// The question itself.
  let request: WebRequest
  /// The request that it is about.
  let judged: JudgedRequest
  /// The application that the request is for.
  let application: GateApplication
  /// What of the application needs tokens of its own for the request; nil for nothing.
  let resource: ProtectedResource?

  init(request: WebRequest, judged: JudgedRequest, application: GateApplication) {
    self.request = request
    self.judged = judged
    self.application = application
    resource = application.resource(covering: judged.rawTarget)
  }

  /// What a program without a good token is told.
  var challenge: TokenChallenge {
    TokenChallenge(
      for: resource,
      scopes: application.rules.scopes(for: judged.rawTarget, method: judged.method))
  }

  /// The judged request, as a browser sent it.
  var asked: WebRequest {
    var asked = request
    asked.method = judged.method
    let parts = judged.rawTarget.split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    asked.path = parts.first.map(String.init) ?? "/"
    asked.query = parts.count == 2 ? String(parts[1]) : nil
    return asked
  }
}
