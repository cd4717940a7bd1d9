#if Client
  import FederationClient

  /// The sign-in page of a website: where to send the browser, and what to set as its cookie.
  func beginSignIn(_ passive: PassiveSignIn) throws -> (location: HTTPURL, cookie: Secret) {
    let start = try passive.begin(returningTo: ReturnPath("/talks/7"))
    return (start.address, start.browser)
  }

  /// The return URL of the website: what the browser posts to it, and the cookie that it brings.
  func finishSignIn(
    _ passive: PassiveSignIn, form: [UInt8], cookie: Secret?
  ) async throws -> Session? {
    let message = WebRequest(
      method: "POST", path: "/signin", contentType: "application/x-www-form-urlencoded", body: form)
    switch try await passive.receive(message, browser: cookie) {
    case .signedIn(let token, returnPath: _):
      return try token.session(scheme: .bearer, at: SystemTime().now)
    case .cancelled, .signOutCleanup:
      return nil
    case .failed(let failure):
      throw failure.error
    }
  }
#endif
