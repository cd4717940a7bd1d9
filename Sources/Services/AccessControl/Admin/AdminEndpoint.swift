import HTTPExchange
import Octets
import SecurityKeys
import SignIn

/// The admin pages: what is configured, the keys, the last sign-ins, rules tried on claims, and rules changed.
struct AdminEndpoint: Endpoint {
  let service: IssuingService
  let password: Secret
  /// Changes rules; nil for pages that change nothing.
  let rules: RuleEditor?

  var routes: [Route] {
    [
      Route("/admin", get: show), Route("/admin/sign-in", post: signIn),
      Route("/admin/rules", get: showRules, post: rules == nil ? nil : changeRules),
      Route("/admin/try", post: tryRules), Route("/admin/sign-out", post: signOut),
    ]
  }

  private func show(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    guard let session = try await session(request) else { return question() }
    return service.responder.page(200, .content(overview(session)))
  }

  private func showRules(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    guard let session = try await session(request) else { return question() }
    let query = try service.query(request)
    let name = try query.require("group")
    let content =
      if let number = query["remove"] {
        try removalPage(name, number: number, session)
      } else {
        try rulesPage(name, session)
      }
    return service.responder.page(200, .content(content))
  }

  private func changeRules(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    guard let (form, session) = try await accepted(request) else { return question() }
    return try changeRules(form, session)
  }

  private func tryRules(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    guard let (form, session) = try await accepted(request) else { return question() }
    return service.responder.page(200, .content(trial(form, session)))
  }

  /// The form of an admin; nil for another person.
  private func accepted(
    _ request: WebRequest
  ) async throws(TokenError) -> (form: FormReader, session: String)? {
    guard let session = try await session(request) else { return nil }
    let form = try service.form(request)
    // A page of another site cannot know it.
    guard
      ConstantTime.areEqual(
        Array(adminToken(session).utf8), Array(try form.require("csrf").utf8))
    else { throw TokenError(.issuingSignIn, node: "csrf") }
    return (form, session)
  }

  // MARK: Who looks

  private func question() -> HTTPResponse {
    var content = PageContent(
      "Admin", notes: ["The password is in the file of the keys: acs keys FILE --password."])
    content.forms = [
      PageContent.Form(
        to: "/admin/sign-in",
        inputs: [.init("password", label: "Password", type: "password")], button: "Sign in",
        action: .primary)
    ]
    return service.responder.page(200, .content(content))
  }

  /// The right password gets in whatever strangers send: it has 96 random bits, so that no guess among many is right.
  private func signIn(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    guard let given = try request.form["password"],
      ConstantTime.areEqual(Array(password.revealed.utf8), Array(given.utf8))
    else {
      guard service.guesses.failed("admin", from: request.peer ?? "") else {
        throw TokenError(.issuingRate, expected: "fewer wrong passwords", found: "too many")
      }
      throw TokenError(.issuingPassword)
    }
    let session = Base64.encode(service.random.octets(32), .url)
    try await service.grants.keep(
      [1], under: Self.sessionName(session),
      until: service.clock.now.advanced(bySeconds: Self.lifetime))
    let cookie = SetCookie(
      name: service.cookieName("admin"), value: Secret(session), maximumAge: Self.lifetime,
      sameSite: .lax)
    return service.responder.redirect("/admin", cookies: [cookie])
  }

  private func signOut(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    guard let (_, session) = try await accepted(request) else { return question() }
    try await service.grants.remove(Self.sessionName(session))
    return service.responder.redirect(
      "/admin", cookies: [SetCookie.removing(service.cookieName("admin"), .lax)])
  }

  /// The cookie of an admin who has not signed out, if it is still valid.
  private func session(_ request: WebRequest) async throws(TokenError) -> String? {
    guard let cookie = request.cookies[service.cookieName("admin")]?.revealed,
      cookie.utf8.count == 43,
      try await service.grants.kept(under: Self.sessionName(cookie)) != nil
    else { return nil }
    return cookie
  }

  private static func sessionName(_ session: String) -> String { "admin:" + session }

  func adminToken(_ session: String) -> String {
    Base64.encode(service.key.code(for: "admin:" + session), .url)
  }

  /// Seconds: an hour.
  private static let lifetime: Int64 = 3_600
}
