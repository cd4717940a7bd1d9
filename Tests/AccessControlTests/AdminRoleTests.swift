import AccessControl
import HTTPExchange
import TestSupport
import Testing

@Suite("Several admins of the local Access Control Service")
struct AdminRoleTests {
  private static func fixture(_ origin: HTTPOrigin? = nil) throws -> SiteFixture {
    let hashed = try #require(HashedSecret.text(of: "secret of ada"))
    return try SiteFixture(
      admins: [
        Admin("ada", password: Secret(hashed), role: .editor),
        Admin("ben", password: Secret("secret of ben"), role: .viewer),
        Admin("eve", password: nil, role: .editor),
      ], adminOrigin: origin)
  }

  private func signIn(
    _ fixture: SiteFixture, _ name: String, _ password: String, peer: String = "192.0.2.1"
  ) async throws -> HTTPExchange.HTTPResponse {
    try await fixture.post(
      "/admin/sign-in", [("name", name), ("password", password)], peer: peer)
  }

  private static let rule = [
    ("group", "default"), ("action", "add"), ("from", "Google"), ("type", "name"),
    ("outputType", "urn:new"),
  ]

  private func add(_ fixture: SiteFixture, _ cookies: String) async throws -> Int {
    let page = try await fixture.get("/admin/rules?group=default", cookies: cookies).text
    let shown = try await fixture.get("/admin", cookies: cookies).text
    return try await fixture.post(
      "/admin/rules",
      Self.rule + [
        ("csrf", PlainPages.field("csrf", in: shown)),
        ("version", PlainPages.field("version", in: page)),
      ], cookies: cookies
    ).status
  }

  @Test("Each admin has a name and a password, as it is or as its digest, and no other gets in")
  func names() async throws {
    let fixture = try Self.fixture()
    for (name, password, status) in [
      ("ada", "secret of ada", 303), ("ben", "secret of ben", 303), ("ada", "secret of ben", 401),
      ("ben", "", 401), ("cleo", "secret of ada", 401), ("", "admin password", 401),
      ("eve", "secret of ada", 401),
    ] {
      #expect(try await signIn(fixture, name, password).status == status, "\(name)")
    }
    let hashed = try #require(HashedSecret.text(of: "x"))
    #expect(try await signIn(fixture, "ada", hashed).status == 401)
  }

  @Test("An editor changes rules, a viewer looks at them and is refused with a code")
  func roles() async throws {
    let fixture = try Self.fixture()
    let ben = try await signIn(fixture, "ben", "secret of ben").cookies
    let page = try await fixture.get("/admin", cookies: ben).text
    #expect(page.contains("row Talks | ") && !page.contains("link Change the rules"))
    #expect(try await add(fixture, ben) == 403)
    let ada = try await signIn(fixture, "ada", "secret of ada").cookies
    let editors = try await fixture.get("/admin", cookies: ada).text
    #expect(editors.contains("link Change the rules of default"))
    #expect(try await add(fixture, ada) == 303)
    let refused = try await fixture.post(
      "/admin/rules", [("csrf", PlainPages.field("csrf", in: page))], cookies: ben)
    #expect(refused.text.contains("code \(TokenError.Code.issuingAdminRole)"), "\(refused.text)")
  }

  @Test("Guesses of one admin's password are held back, and other admins get in")
  func guesses() async throws {
    let fixture = try Self.fixture()
    for _ in 0..<10 { #expect(try await signIn(fixture, "ben", "guess").status == 401) }
    let held = try await signIn(fixture, "ben", "secret of ben")
    #expect(held.status == 429 && held.text.contains("code issuing.rate"), "\(held.text)")
    #expect(!held.text.contains("The password is wrong"))
    #expect(try await signIn(fixture, "ada", "secret of ada").status == 303)
    fixture.clock.advance(bySeconds: 10)
    #expect(try await signIn(fixture, "ben", "secret of ben").status == 303)
  }

  @Test("With an address of their own the admin pages are there and nowhere else")
  func place() async throws {
    let fixture = try Self.fixture(HTTPURL("http://127.0.0.1:9000/").origin)
    #expect(try await fixture.get("/admin").status == 404)
    let page = await fixture.site.respondToAdmin(WebRequest(method: "GET", path: "/admin"))
    #expect(page.status == 200 && page.text.contains("button Sign in"))
    var request = WebRequest(
      method: "POST", path: "/admin/sign-in",
      body: Array("name=ben&password=secret+of+ben".utf8))
    try request.fields.append("Content-Type", "application/x-www-form-urlencoded")
    let signedIn = await fixture.site.respondToAdmin(request)
    #expect(signedIn.status == 303)
    // Without TLS a browser keeps no cookie that asks for it.
    let cookie = try #require(signedIn.fields["Set-Cookie"])
    #expect(!cookie.contains("Secure") && !cookie.contains("__Host-"))
    let other = await fixture.site.respondToAdmin(
      WebRequest(method: "GET", path: "/v2/saml/metadata"))
    #expect(other.status == 404)
  }

  @Test("An admin who signed in from an address is not held back there by guesses of other names")
  func counted() async throws {
    for (isKnown, status) in [(true, 303), (false, 429)] {
      let fixture = try Self.fixture()
      if isKnown { #expect(try await signIn(fixture, "ben", "secret of ben").status == 303) }
      for number in 0..<100 { _ = try await signIn(fixture, "name \(number)", "guess") }
      #expect(try await signIn(fixture, "ben", "secret of ben").status == status)
    }
  }

  @Test(
    "A session ends with its admin: one who was taken out of the file, or has another role, signs in anew"
  )
  func changedAdmins() async throws {
    let fixture = try Self.fixture()
    let ada = try await signIn(fixture, "ada", "secret of ada").cookies
    func isSignedIn(_ admins: [Admin]) async throws -> Bool {
      let later = try SiteFixture(admins: admins, values: fixture.values)
      return try await later.get("/admin", cookies: ada).text.contains("row Talks | ")
    }
    func admin(_ name: String, _ role: Admin.Role) -> Admin {
      Admin(name, password: Secret("x"), role: role)
    }
    #expect(try await isSignedIn([admin("ada", .editor), admin("ben", .viewer)]))
    #expect(try await !isSignedIn([admin("ada", .viewer)]))
    #expect(try await !isSignedIn([admin("ben", .editor)]))
    #expect(try await !isSignedIn([]))
  }
}
