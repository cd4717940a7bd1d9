extension SignInSite {
  /// Runs what answers a pending sign-in. A browser that sends an answer again is led to its page.
  ///
  /// A form that another site posts brings no `SameSite=Lax` cookie, so it cannot be seen here whether somebody is
  /// signed in: `finished`, a GET of our own, sees it.
  ///
  /// - Parameter named: The request that the answer names.
  /// - Throws: What `body` throws.
  func answering(
    _ named: String, _ request: WebRequest,
    _ body: () async throws(TokenError) -> HTTPResponse
  ) async throws(TokenError) -> HTTPResponse {
    do throws(TokenError) {
      return try await body()
    } catch {
      guard let response = try await again(error, named, request) else { throw error }
      return response
    }
  }

  /// Where a browser goes whose answer was refused because it came before; nil for any other error.
  private func again(
    _ error: TokenError, _ named: String, _ request: WebRequest
  ) async throws(TokenError) -> HTTPResponse? {
    if await isSignedIn(request, after: error) {
      return redirect(place(finished(named, request)))
    }
    switch error.code {
    case .signInFinished:
      return redirect(settings.prefix + "finished?request=" + HTTPURL.percentEncoded(named))
    case .signInUnknown: return try formOfOurOwn(request)
    // A refused code need not be one that was used.
    default: return nil
    }
  }

  /// Over plain http, which is loopback, the cookie of a pending sign-in is `SameSite=Lax` too. The form that
  /// another site posted is then posted once more by a page of ours, with which the cookie comes.
  private func formOfOurOwn(_ request: WebRequest) throws(TokenError) -> HTTPResponse? {
    guard !settings.isSecure, request.method == "POST" else { return nil }
    let form = try request.form
    guard form[Self.postedByUs] == nil else { return nil }
    let address = try settings.address(String(request.path.dropFirst(settings.prefix.count)))
    return page(200, .form(address, fields: form.fields + [(Self.postedByUs, "1")]))
  }

  private static let postedByUs = "posted-again"

  /// `GET finished?request=…`: a browser sent an answer that was used. It signs nobody in.
  func showFinished(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let named = try request.parameters.require("request")
    let path = place(finished(named, request))
    if try await session(of: request) != nil { return redirect(path) }
    let hasCookie = request.cookies[sealer.cookieName(of: named)] != nil
    throw TokenError(hasCookie ? .signInFinished : .signInUnknown)
  }

  /// Where a sign-in led: to an application's page, which has its session by then, or to one of ours.
  private func place(_ pending: PendingSignIn?) -> String {
    if let asked = pending?.application, applications?.isConfigured(asked) == true {
      return asked.address
    }
    return pending?.returnPath?.text ?? "/"
  }

  /// What this browser has of a sign-in that succeeded.
  private func finished(_ named: String, _ request: WebRequest) -> PendingSignIn? {
    try? pending(named, .finished, request)
  }
}
