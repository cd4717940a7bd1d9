import AccessControl
import HTTPExchange
import TestSupport
import Testing

@Suite("Forms that are posted to the local Access Control Service")
struct PostedFormTests {
  private let fixture: SiteFixture

  init() throws { fixture = try SiteFixture() }

  private func post(
    _ path: String, _ body: String, as type: String?, cookies: String? = nil
  ) async throws -> HTTPExchange.HTTPResponse {
    var request = WebRequest(method: "POST", path: path, body: Array(body.utf8))
    if let type { try request.fields.append("Content-Type", type) }
    if let cookies { try request.fields.append("Cookie", cookies) }
    return await fixture.site.respond(to: request)
  }

  private static let form = "application/x-www-form-urlencoded"

  @Test(
    "What is no form, and a page of another site may send unasked, is refused; the form is not",
    arguments: [
      ("/admin/sign-in", "password=admin%20password", 303),
      (
        "/WRAPv0.9",
        "wrap_name=uploader&wrap_password=pass%20word&wrap_scope=uri%3Atalks.example.org", 200
      ),
      (
        "/v2/OAuth2-13",
        "grant_type=client_credentials&client_id=uploader&client_secret=pass%20word"
          + "&scope=uri%3Atalks.example.org", 200
      ),
      (
        "/v2/openid/authorize",
        "response_type=code&client_id=client&scope=openid&whr=Google"
          + "&redirect_uri=https%3A%2F%2Fclient.example%2Fcallback", 303
      ),
    ])
  func types(path: String, body: String, status: Int) async throws {
    for type in ["text/plain", "application/json", "multipart/form-data; boundary=a", nil] {
      #expect(try await (400..<500).contains(post(path, body, as: type).status), "\(type ?? "")")
    }
    #expect(try await post(path, body, as: Self.form).status == status)
  }

  @Test("A press on the page of a provider, and what the admin does, comes as a form alone")
  func pages() async throws {
    let context = SignInContext(.passive, realm: "uri:talks.example.org", provider: "Google")
    let (page, cookies) = try await fixture.providerPage(fixture.link(context))
    let press =
      ["cx", "token"].map { $0 + "=" + PlainPages.field($0, in: page) }
      .joined(separator: "&") + "&person=0"
    let admin = try await fixture.post("/admin/sign-in", [("password", "admin password")]).cookies
    let csrf = PlainPages.field("csrf", in: try await fixture.get("/admin", cookies: admin).text)
    let visit = try await fixture.press("0", context).cookies
    let (question, leaving) = try await fixture.providerPage("/v2/openid/logout", cookies: visit)
    let out = "answer=out&token=" + PlainPages.field("token", in: question)
    for (path, body, cookies, status) in [
      ("/v2/sign-in", press, cookies, 200),
      ("/v2/sign-out", out, leaving, 200),
      ("/admin/sign-out", "csrf=" + HTTPURL.percentEncoded(csrf), admin, 303),
    ] {
      let plain = try await post(path, body, as: "text/plain", cookies: cookies)
      #expect(plain.status == 400 && plain.text.contains("ACS90011"), "\(plain.text)")
      #expect(try await post(path, body, as: Self.form, cookies: cookies).status == status)
    }
  }

  @Test("The form of one admin session does nothing in another")
  func otherAdmin() async throws {
    let sessions = [
      try await fixture.post("/admin/sign-in", [("password", "admin password")]).cookies,
      try await fixture.post("/admin/sign-in", [("password", "admin password")]).cookies,
    ]
    let csrf = PlainPages.field(
      "csrf", in: try await fixture.get("/admin", cookies: sessions[0]).text)
    let wrong = try await fixture.post("/admin/sign-out", [("csrf", csrf)], cookies: sessions[1])
    #expect(wrong.status == 400 && wrong.text.contains("issuing.sign-in"), "\(wrong.text)")
    #expect(
      try await fixture.post("/admin/sign-out", [("csrf", csrf)], cookies: sessions[0]).status
        == 303)
  }

  @Test("A body above the limit is read nowhere")
  func sizes() async throws {
    let body = "a=" + String(repeating: "x", count: AccessControlSite.bodyLimit)
    for path in ["/v2/sign-in", "/WRAPv0.9", "/v2/OAuth2-13", "/v2/openid/token"] {
      let response = try await post(path, body, as: Self.form)
      #expect(response.text.contains("input.too-large"), "\(path) \(response.text)")
    }
  }
}
