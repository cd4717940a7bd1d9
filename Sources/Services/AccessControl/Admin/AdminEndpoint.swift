import HTTPExchange
import Octets
import SecurityKeys
import SignIn
import TokenBasics

/// The admin pages: what is configured, the keys, the last sign-ins, rules tried on claims, and rules changed.
struct AdminEndpoint: Endpoint {
  let service: IssuingService
  /// The password of the one admin, where ``admins`` has none.
  let password: Secret
  /// The admins by name.
  let admins: [Admin]
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
    return service.responder.page(200, .content(seen(by: session).overview(session.id)))
  }

  private func showRules(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    guard let session = try await session(request) else { return question() }
    let query = try service.query(request)
    let name = try query.require("group")
    let content =
      if let number = query["remove"] {
        try seen(by: session).removalPage(name, number: number, session.id)
      } else {
        try seen(by: session).rulesPage(name, session.id)
      }
    return service.responder.page(200, .content(content))
  }

  private func changeRules(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    guard let (form, session) = try await accepted(request) else { return question() }
    guard session.role == .editor else {
      throw TokenError(.issuingAdminRole, node: session.admin, expected: Admin.Role.editor.rawValue)
    }
    return try changeRules(form, session)
  }

  private func tryRules(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    guard let (form, session) = try await accepted(request) else { return question() }
    return service.responder.page(200, .content(seen(by: session).trial(form, session.id)))
  }

  /// The form of an admin; nil for another person.
  private func accepted(
    _ request: WebRequest
  ) async throws(TokenError) -> (form: FormReader, session: AdminSession)? {
    guard let session = try await session(request) else { return nil }
    let form = try service.form(request)
    // A page of another site cannot know it.
    guard
      ConstantTime.areEqual(
        Array(adminToken(session.id).utf8), Array(try form.require("csrf").utf8))
    else { throw TokenError(.issuingSignIn, node: "csrf") }
    return (form, session)
  }

  // MARK: Who looks

  /// The page that asks who looks.
  ///
  /// - Parameter error: Why the last answer was refused; nil for none.
  private func question(refusing error: TokenError? = nil) -> HTTPResponse {
    var content = PageContent(
      error == nil ? "Admin" : "The password is wrong",
      notes: admins.isEmpty
        ? ["The password is in the file of the keys: acs keys FILE --password."]
        : error == nil ? [] : ["No admin has this name and password."])
    let refusal = error.map { ACSRefusal($0) }
    if let error, let refusal {
      content.notes.append("Try again.")
      content.details = (error.code.rawValue, service.logged(error, refusal))
    }
    content.forms = [
      PageContent.Form(
        to: "/admin/sign-in",
        inputs: (admins.isEmpty ? [] : [.init("name", label: "Name")])
          + [.init("password", label: "Password", type: "password")], button: "Sign in",
        action: .primary)
    ]
    return service.responder.page(refusal?.status ?? 200, .content(content))
  }

  /// The right password gets in whatever strangers send: it has 96 random bits, so that no guess among many is right.
  private func unnamed(
    _ form: FormReader, _ request: WebRequest
  ) throws(TokenError) -> AdminSession {
    guard let given = form["password"], password.isSame(as: given) else {
      guard service.guesses.failed("admin", from: request.peer ?? "") else {
        throw TokenError(.issuingRate, expected: "fewer wrong passwords", found: "too many")
      }
      throw TokenError(.issuingPassword)
    }
    return session(of: "admin", .editor)
  }

  /// The admin of a name and password. A person chose it, so guesses are held back, right ones too.
  private func named(
    _ form: FormReader, _ request: WebRequest
  ) async throws(TokenError) -> AdminSession {
    let name = form["name"] ?? ""
    let password = form["password"] ?? ""
    let known = admins.first { $0.name.hasSameBytes(as: name) }
    // An unknown name takes the comparison of another one.
    let compared = known?.password ?? admins.lazy.compactMap(\.password).first
    let admin = try await service.guesses.judge(
      password, against: compared, of: "admin:" + name, from: request.peer ?? ""
    ) { () throws(TokenError) in
      guard compared?.isSame(as: password) == true, let known, known.password != nil else {
        throw TokenError(.issuingPassword)
      }
      return known
    }
    return session(of: admin.name, admin.role)
  }

  private func session(of admin: String, _ role: Admin.Role) -> AdminSession {
    AdminSession(Base64.encode(service.random.octets(32), .url), of: admin, role)
  }

  /// The pages as an admin sees them: without what would be refused.
  private func seen(by session: AdminSession) -> Self {
    guard session.role != .editor else { return self }
    return Self(service: service, password: password, admins: admins, rules: nil)
  }

  private func signIn(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let form = try request.form
    let session: AdminSession
    do throws(TokenError) {
      session =
        admins.isEmpty ? try unnamed(form, request) : try await named(form, request)
    } catch {
      guard error.code == .issuingPassword else { throw error }
      return question(refusing: error)
    }
    try await service.grants.keep(
      session, under: .admin(session.id),
      until: service.clock.now.advanced(bySeconds: Self.lifetime))
    service.observer.happened(
      Activity(
        "admin.signed-in", [("admin", session.admin), ("address", request.peer ?? "unknown")]))
    let cookie = SetCookie(
      name: service.cookieName("admin"), value: Secret(session.id), maximumAge: Self.lifetime,
      sameSite: .lax)
    return service.responder.redirect("/admin", cookies: [cookie])
  }

  private func signOut(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    guard let (_, session) = try await accepted(request) else { return question() }
    try await service.grants.remove(.admin(session.id))
    return service.responder.redirect(
      "/admin", cookies: [SetCookie.removing(service.cookieName("admin"), .lax)])
  }

  /// The cookie of an admin who has not signed out, if it is still valid.
  private func session(_ request: WebRequest) async throws(TokenError) -> AdminSession? {
    guard let cookie = request.cookies[service.cookieName("admin")]?.revealed,
      cookie.utf8.count == 43, var session = try await service.grants.kept(under: .admin(cookie)),
      // One who is no admin any more, or of another role, signs in anew.
      admins.isEmpty
        ? session.admin == "admin"
        : admins.contains(where: {
          $0.name.hasSameBytes(as: session.admin) && $0.role == session.role
        })
    else { return nil }
    session.id = cookie
    return session
  }

  func adminToken(_ session: String) -> String {
    Base64.encode(service.key.code(for: "admin:" + session), .url)
  }

  /// Seconds: an hour.
  private static let lifetime: Int64 = 3_600
}
