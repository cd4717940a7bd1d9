import SignIn

extension Gate {
  /// What a verdict is to the proxy.
  func answer(
    _ decision: GateRules.Decision, _ asking: GateSubject?, _ question: GateQuestion
  ) -> HTTPResponse {
    let (application, path) = (question.application, question.judged.rawTarget)
    func refused(
      _ status: Int, _ error: TokenError, _ challenge: TokenChallenge? = nil
    ) -> HTTPResponse {
      // A browser that a person looks at gets a page, a program JSON.
      let isPage = question.asked.wantsDocument && asking?.authentication.isToken != true
      return refuse(
        status, error, path: path, at: application, provider: asking?.provider,
        challenge: challenge, page: isPage && challenge == nil, subject: asking)
    }
    switch decision.verdict {
    case .allow:
      do throws(TokenError) {
        return try allowed(asking, question)
      } catch {
        return refused(403, error)
      }
    case .signIn: return signIn(question)
    case .signInAgain(let error, let step):
      guard asking?.authentication.isToken == true else {
        return signIn(question, again: error, at: asking?.provider)
      }
      return refused(401, error, step.challenge(for: question.resource))
    case .lacksScope(let error, let scopes):
      var challenge = TokenChallenge(for: question.resource)
      challenge.add("error", "insufficient_scope")
      challenge.add("error_description", error.code.rawValue)
      challenge.add("scope", scopes.joined(separator: " "))
      return refused(403, error, challenge)
    case .tokenRequired(let error):
      // A request without a token has made no mistake that the challenge could name (RFC 6750, 3.1).
      var response = site.refusal(401, error, reference: nil)
      try? response.fields.append("WWW-Authenticate", question.challenge.text)
      add(application.emptyHeaders, to: &response)
      return response
    case .forbidden(let error): return refused(403, error)
    }
  }

  /// Lets a preflight reach the application as one of nobody: browsers send it without a session or token, and the
  /// application says who may ask for what.
  func preflight(_ question: GateQuestion) -> HTTPResponse {
    do throws(TokenError) {
      return try allowed(nil, question)
    } catch {
      return refuse(403, error, path: question.judged.rawTarget, at: question.application)
    }
  }

  private func allowed(
    _ subject: GateSubject?, _ question: GateQuestion
  ) throws(TokenError) -> HTTPResponse {
    let application = question.application
    var fields = try application.headers.fields(subject)
    if let identity = application.identity {
      let token = try subject.map { (subject) throws(TokenError) in
        try identity.token(for: subject, at: site.clock.now)
      }
      try fields.append(identity.header, token ?? "")
    }
    if proxy.takesCookies {
      let cookies = GateCookies(at: application.settings)
      if let kept = cookies.without(own: question.request.fields.values("Cookie")) {
        try fields.append("Cookie", kept)
      }
    }
    try fields.append("Cache-Control", "no-store")
    return HTTPResponse(status: 200, fields: fields)
  }

  /// Nobody is signed in, or not well enough: 401 with the address to sign in at, which nginx takes from `Location`; with
  /// `?redirect` a redirect for browsers that ask for a page.
  ///
  /// - Parameters:
  ///   - error: What a session lacks; nil where there is none.
  ///   - provider: Where the person signed in, and has to sign in again.
  private func signIn(
    _ question: GateQuestion, again error: TokenError? = nil, at provider: String? = nil
  ) -> HTTPResponse {
    let settings = question.application.settings
    var response = site.signInRequired(question.asked, at: provider, settings)
    if let path = response.fields["Location"] {
      // Absolute, since a proxy may put it into a redirect of another place.
      try? response.fields.set("Location", settings.origin.description + path)
      // Envoy hands on what the gate answers, and cannot ask for a redirect: the query is the judged one.
      response.status = proxy == .envoy || question.request.query == "redirect" ? 302 : 401
    } else if let error {
      response = site.refusal(401, error, reference: nil)
    }
    if response.status == 401 {
      // A program that asks for a resource is told of tokens alone; nginx hands on one challenge.
      if question.resource != nil {
        try? response.fields.set("WWW-Authenticate", question.challenge.text)
      } else if site.providers.isEmpty {
        try? response.fields.set("WWW-Authenticate", TokenChallenge().text)
      } else {
        try? response.fields.set("WWW-Authenticate", settings.challenge)
        if tokens != nil {
          try? response.fields.append("WWW-Authenticate", TokenChallenge().text)
        }
      }
    }
    add(question.application.emptyHeaders, to: &response)
    return response
  }

  /// The one place that refuses at `check`: the code and a reference are in the answer, in the log, and counted once;
  /// every identity header is empty (GATE-3).
  ///
  /// - Parameters:
  ///   - application: What the request is for.
  ///   - challenge: What a bearer token lacks; nil where it lacks nothing.
  ///   - page: Whether a person looks at the answer in a browser.
  ///   - subject: Who asks; nil where that is not known.
  func refuse(
    _ status: Int, _ error: TokenError, path: String, at application: GateApplication,
    provider: String? = nil, challenge: TokenChallenge? = nil, page: Bool = false,
    subject: GateSubject? = nil
  ) -> HTTPResponse {
    let reference = site.reference()
    var attributes: [(name: StaticString, value: String)] = [("code", error.code.rawValue)]
    if let provider { attributes.append(("provider", TokenError.excerpt(provider))) }
    if let subject {
      attributes.append(("subject", TokenError.excerpt(subject.subject, length: 256)))
    }
    // A query may have secrets in it.
    let shown = path.prefix { $0 != "?" }
    attributes += [
      ("path", TokenError.excerpt(String(shown), length: 256)), ("reference", reference),
      ("status", "\(status)"), ("error", error.description),
    ]
    observer.happened(Activity("gate.refused", attributes))
    var response =
      if let challenge, !error.code.fault.isOurs {
        TokenAuthenticator.refusal(
          error, status: status, reference: reference, challenge: challenge)
      } else if status == 401 {
        TokenAuthenticator.refusal(error, reference: reference)
      } else if page, [.gateForbidden, .gateClaimDropped, .gateStepUpInVain].contains(error.code),
        let subject
      {
        site.forbidden(
          error, reference: reference, subject: subject.subject,
          claims: application.settings.origin == main.settings.origin
            ? subject.claims : application.shown(subject).claims,
          provider: subject.provider, return: path,
          needsStrongerSignIn: error.code == .gateStepUpInVain)
      } else if page {
        site.refused(status, error, reference: reference)
      } else {
        site.refusal(status, error, reference: reference)
      }
    add(application.emptyHeaders, to: &response)
    return response
  }

  private func add(_ fields: HTTPFields, to response: inout HTTPResponse) {
    for (name, value) in fields.list { try? response.fields.append(name, value) }
  }
}

extension StepUp {
  /// What a token has to be issued after (RFC 9470, 3).
  fileprivate func challenge(for resource: ProtectedResource?) -> TokenChallenge {
    var challenge = TokenChallenge(for: resource)
    challenge.add("error", "insufficient_user_authentication")
    challenge.add("error_description", TokenError.Code.gateStepUp.rawValue)
    if !contexts.isEmpty { challenge.add("acr_values", contexts.joined(separator: " ")) }
    if let maxAge { challenge.add("max_age", String(maxAge)) }
    return challenge
  }
}
