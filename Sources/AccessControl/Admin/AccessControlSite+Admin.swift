import BrowserExchange
import Octets
import SecurityKeys
import SignIn
import TokenService

extension AccessControlSite {
  /// The admin pages: what is configured, the keys, the last sign-ins, rules tried on claims, and rules changed.
  ///
  /// - Parameter route: What follows `/admin`.
  func admin(_ route: String, _ request: SiteRequest) throws(TokenError) -> HTTPResponse {
    guard let password = adminPassword else { return notFound }
    switch (request.method, route) {
    case ("POST", "/sign-in"): return try adminSignIn(request, password)
    case ("GET", ""):
      guard let session = adminSession(request) else { return adminQuestion() }
      return responder.page(200, .content(overview(session)))
    case ("GET", "/rules"):
      guard let session = adminSession(request) else { return adminQuestion() }
      let name = try FormReader((request.query ?? "").utf8).require("group")
      return responder.page(200, .content(try rulesPage(name, session)))
    case ("POST", "/try"), ("POST", "/rules"), ("POST", "/sign-out"):
      guard let session = adminSession(request) else { return adminQuestion() }
      guard FormReader.isForm(request.fields["Content-Type"]) else {
        throw TokenError(.issuingField, node: "Content-Type", expected: FormReader.mediaType)
      }
      let form = try FormReader(request.body)
      // A page of another site cannot know it.
      guard
        ConstantTime.areEqual(
          Array(adminToken(session).utf8), Array(try form.require("csrf").utf8))
      else { throw TokenError(.signInUnknown) }
      switch route {
      case "/try": return responder.page(200, .content(trial(form, session)))
      case "/rules": return try changeRules(form, session)
      default:
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

  private func adminSignIn(
    _ request: SiteRequest, _ password: Secret
  ) throws(TokenError) -> HTTPResponse {
    // Guessing has to be slow.
    try guesses.take(at: clock.now)
    guard FormReader.isForm(request.fields["Content-Type"]),
      let given = try FormReader(request.body)["password"],
      ConstantTime.areEqual(Array(password.revealed.utf8), Array(given.utf8))
    else { throw TokenError(.issuingCredentials) }
    let end = clock.now.seconds + Self.adminLifetime
    let sealed = key.seal(Array("\(end):\(random.hex(8))".utf8), context: Self.adminContext) ?? []
    let cookie = SetCookie(
      name: cookieName("admin"), value: Secret(Base64.encode(sealed, .url)),
      maximumAge: Self.adminLifetime, sameSite: .lax)
    return responder.redirect("/admin", cookies: [cookie])
  }

  /// The cookie of an admin, if it is good still.
  private func adminSession(_ request: SiteRequest) -> String? {
    guard let cookie = request.cookies[cookieName("admin")]?.revealed,
      let sealed = try? Base64.decode(Array(cookie.utf8), .url),
      let plain = key.open(sealed, context: Self.adminContext),
      let end = Int64(String(decoding: plain.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)),
      clock.now.seconds < end
    else { return nil }
    return cookie
  }

  func adminToken(_ session: String) -> String {
    Base64.encode(key.code(for: "admin:" + session), .url)
  }

  /// Seconds: an hour.
  private static let adminLifetime: Int64 = 3_600
  private static let adminContext = Array("admin".utf8)
}
