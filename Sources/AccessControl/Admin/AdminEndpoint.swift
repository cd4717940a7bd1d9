import BrowserExchange
import Octets
import SecurityKeys
import SignIn
import TokenService

extension AccessControlSite {
  /// The admin pages: what is configured, the keys, the last sign-ins, rules tried on claims, and rules changed.
  ///
  /// - Parameter route: What follows `/admin`.
  func admin(
    _ route: String, _ request: WebRequest
  ) async throws(TokenError) -> HTTPResponse {
    guard let password = adminPassword else { return notFound }
    switch (request.method, route) {
    case ("POST", "/sign-in"): return try await adminSignIn(request, password)
    case ("GET", ""):
      guard let session = try await adminSession(request) else { return adminQuestion() }
      return responder.page(200, .content(overview(session)))
    case ("GET", "/rules"):
      guard let session = try await adminSession(request) else { return adminQuestion() }
      let name = try query(request).require("group")
      return responder.page(200, .content(try rulesPage(name, session)))
    case ("POST", "/try"), ("POST", "/rules"), ("POST", "/sign-out"):
      guard let session = try await adminSession(request) else { return adminQuestion() }
      guard FormReader.isForm(request.fields["Content-Type"]) else {
        throw TokenError(.issuingField, node: "Content-Type", expected: FormReader.mediaType)
      }
      let form = try FormReader(request.body)
      // A page of another site cannot know it.
      guard
        ConstantTime.areEqual(
          Array(adminToken(session).utf8), Array(try form.require("csrf").utf8))
      else { throw TokenError(.issuingSignIn, node: "csrf") }
      switch route {
      case "/try": return responder.page(200, .content(trial(form, session)))
      case "/rules": return try changeRules(form, session)
      default:
        try await values.remove(ValueName(Self.adminName(session)))
        return responder.redirect(
          "/admin", cookies: [SetCookie.removing(cookieName("admin"), .lax)])
      }
    default:
      throw TokenError(.issuingMethod, found: TokenError.excerpt(request.method))
    }
  }

  // MARK: Who looks

  private func adminQuestion() -> HTTPResponse {
    var content = PageContent(
      "Admin", notes: ["The password is in the file of the keys: acs keys FILE --password."])
    content.forms = [
      PageContent.Form(
        to: "/admin/sign-in",
        inputs: [.init("password", label: "Password", type: "password")], button: "Sign in")
    ]
    return responder.page(200, .content(content))
  }

  /// The right password gets in whatever strangers send: it has 96 random bits, so that no guess among many is right.
  private func adminSignIn(
    _ request: WebRequest, _ password: Secret
  ) async throws(TokenError) -> HTTPResponse {
    guard FormReader.isForm(request.fields["Content-Type"]),
      let given = try FormReader(request.body)["password"],
      ConstantTime.areEqual(Array(password.revealed.utf8), Array(given.utf8))
    else {
      guard guesses.failed("admin", from: request.peer ?? "") else {
        throw TokenError(.issuingRate, expected: "fewer wrong passwords", found: "too many")
      }
      throw TokenError(.issuingPassword)
    }
    let session = Base64.encode(random.octets(32), .url)
    try await keep(
      [1], under: Self.adminName(session),
      until: clock.now.advanced(bySeconds: Self.adminLifetime))
    let cookie = SetCookie(
      name: cookieName("admin"), value: Secret(session), maximumAge: Self.adminLifetime,
      sameSite: .lax)
    return responder.redirect("/admin", cookies: [cookie])
  }

  /// The cookie of an admin who has not signed out, if it is good still.
  private func adminSession(_ request: WebRequest) async throws(TokenError) -> String? {
    guard let cookie = request.cookies[cookieName("admin")]?.revealed, cookie.utf8.count == 43,
      try await kept(under: Self.adminName(cookie)) != nil
    else { return nil }
    return cookie
  }

  private static func adminName(_ session: String) -> String { "admin:" + session }

  func adminToken(_ session: String) -> String {
    Base64.encode(key.code(for: "admin:" + session), .url)
  }

  /// Seconds: an hour.
  private static let adminLifetime: Int64 = 3_600
}
