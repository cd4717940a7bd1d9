extension SignInSite {
  var responder: SiteResponder {
    SiteResponder(pages: pages, isSecure: settings.isSecure)
  }

  /// A response that nothing stores (RP-19).
  func response(
    _ status: Int, _ contentType: String, _ body: [UInt8], cookies: [SetCookie] = []
  ) -> HTTPResponse {
    responder.response(status, contentType, body, cookies: cookies)
  }

  /// What we publish for programs, which may keep it for five minutes.
  package func published(
    _ document: [UInt8], _ contentType: String, to request: WebRequest
  ) -> HTTPResponse {
    if request.method == "OPTIONS" { return preflight }
    guard request.method == "GET" || request.method == "HEAD" else {
      return responder.otherMethod(["GET", "HEAD", "OPTIONS"])
    }
    var response = response(200, contentType, document)
    // Public by nature: a client that runs in a page of another origin reads it (Fetch, 3.3.2).
    try? response.fields.set("Access-Control-Allow-Origin", "*")
    try? response.fields.set("Cache-Control", "public, max-age=300")
    return response
  }

  /// What a browser asks before a page of another origin may send a header of its own, such as `mcp-protocol-version`.
  private var preflight: HTTPResponse {
    var response = response(204, "text/plain; charset=utf-8", [])
    for (name, value) in [
      ("Access-Control-Allow-Origin", "*"), ("Access-Control-Allow-Methods", "GET, HEAD"),
      ("Access-Control-Allow-Headers", "*"), ("Access-Control-Max-Age", "300"),
    ] { try? response.fields.set(name, value) }
    return response
  }

  /// The answer that shows a page.
  func page(_ status: Int, _ page: SitePage, cookies: [SetCookie] = []) -> HTTPResponse {
    responder.page(status, page, cookies: cookies)
  }

  /// A redirect after which the browser asks with GET.
  func redirect(_ location: String, cookies: [SetCookie] = []) -> HTTPResponse {
    responder.redirect(location, cookies: cookies)
  }

  /// What carries out an action of a protocol.
  func response(_ action: BrowserAction, cookies: [SetCookie]) -> HTTPResponse {
    switch action {
    case .redirect(let address): redirect(address.text, cookies: cookies)
    case .post(let address, let fields):
      page(200, .form(address, fields: fields), cookies: cookies)
    }
  }

  /// The page of a refusal; its code and number are in the log too.
  ///
  /// A browser that is signed in already goes to its page instead: it sent an answer twice.
  package func refusal(_ error: TokenError, _ request: WebRequest) async -> HTTPResponse {
    if await isSignedIn(request, after: error) { return redirect("/") }
    let reference = reference()
    let again = error.code == .replayOlderThanStore ? returnPath(of: request) : nil
    var attributes: [(name: StaticString, value: String)] = [("code", error.code.rawValue)]
    if let provider = askedProvider(request) { attributes.append(("provider", provider.id)) }
    attributes += [
      ("path", TokenError.excerpt(request.path, length: 256)), ("reference", reference),
      ("error", error.description),
    ]
    observer.happened(Activity("signin.refused", attributes))
    let retry = settings.prefix + "sign-in"
    // The person did nothing wrong, and the provider knows them still: the sign-in is begun anew.
    if let again { return redirect(retry + "?return=" + HTTPURL.percentEncoded(again.text)) }
    return page(
      error.code.status,
      .refusal(RefusalPage(error, reference: reference, retry: retry)))
  }

  /// The answer to a request without a session: a browser that asks for a page is sent to sign in, a
  /// script or another method gets 401 with a code.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - provider: Where the subject has to sign in; nil for any provider.
  public func signInRequired(_ request: WebRequest, at provider: String? = nil) -> HTTPResponse {
    signInRequired(request, at: provider, settings)
  }

  /// As ``signInRequired(_:at:)``, at the host with these settings.
  package func signInRequired(
    _ request: WebRequest, at provider: String?, _ settings: SiteSettings
  ) -> HTTPResponse {
    guard request.wantsDocument, !providers.isEmpty else {
      let words = providers.isEmpty ? "send a bearer token" : "sign in first"
      var response = response(
        401, "application/json",
        Array("{\"code\":\"signin.required\",\"message\":\"\(words)\"}\n".utf8))
      if !providers.isEmpty {
        try? response.fields.append("WWW-Authenticate", settings.challenge)
      }
      return response
    }
    let target = request.path + (request.query.map { "?" + $0 } ?? "")
    var location = settings.prefix + "sign-in"
    if let path = try? ReturnPath(target) {
      location += "?return=" + HTTPURL.percentEncoded(path.text)
      if let provider {
        location += "&provider=" + HTTPURL.percentEncoded(provider)
        // A link of another site says the same; only what the gate itself sent the browser to asks nobody.
        if settings.origin == self.settings.origin { location += stepUpMark(request) }
      }
    }
    return redirect(location)
  }

  /// The answer while the store cannot say who is signed in: neither a success nor a redirect (GATE-8).
  public func unavailable(_ error: TokenError) -> HTTPResponse {
    refusal(503, error, reference: nil)
  }

  /// A refusal for a program.
  ///
  /// - Parameter reference: The number under which it is logged; nil for none.
  package func refusal(
    _ status: Int, _ error: TokenError, reference: String?
  ) -> HTTPResponse {
    let number = reference.map { ",\"reference\":\"\($0)\"" } ?? ""
    let code = error.code.rawValue
    return response(
      status, "application/json",
      Array("{\"code\":\"\(code)\",\"message\":\"\(error.code.summary)\"\(number)}\n".utf8))
  }

  /// A number for a refusal, which a person reads out and the log has.
  package func reference() -> String { random.hex(4) }

  /// Whether an error is what a second answer to one sign-in gets. An OpenID provider refuses the code that it
  /// has seen (RFC 6749, 5.2).
  package static func isRepetition(_ error: TokenError) -> Bool {
    [.signInFinished, .signInUnknown, .replayUsed].contains(error.code)
      || (error.code == .signInRefused && error.reason == .named(.invalidGrant))
  }
}
