import AccessControl
import HTTPExchange
import Synchronization
import TestSupport
import Testing
import TokenBasics

@Suite("Methods and fields of answers of the local Access Control Service")
struct AnswerFieldTests {
  private let fixture: SiteFixture

  init() throws { fixture = try SiteFixture() }

  private func send(_ method: String, _ path: String) async -> HTTPExchange.HTTPResponse {
    await fixture.site.respond(to: WebRequest(method: method, path: path))
  }

  @Test(
    "RFC 9110, 9.3.2: HEAD has the fields of GET where a document is read, and uses up nothing elsewhere"
  )
  func heads() async {
    for path in [
      "/", "/.well-known/openid-configuration", "/v2/openid/keys", "/v2/saml/metadata",
      "/FederationMetadata/2007-06/FederationMetadata.xml",
    ] {
      let (head, get) = (await send("HEAD", path), await send("GET", path))
      #expect(head.status == 200 && get.status == 200, "\(path)")
      #expect(head.fields["Content-Type"] == get.fields["Content-Type"], "\(path)")
      let other = await send("DELETE", path)
      #expect(other.status == 405 && other.fields["Allow"]?.contains("HEAD") == true, "\(path)")
    }
    for path in ["/v2/continue", "/v2/wsfederation", "/v2/openid/authorize", "/v2/saml/slo"] {
      #expect(await send("HEAD", path).status == 405, "\(path)")
    }
  }

  @Test("Keys and configuration may be kept for an hour, and everything else by no cache")
  func caching() async {
    #expect(
      await send("GET", "/v2/openid/keys").fields["Cache-Control"]?.contains("max-age") == true)
    #expect(await send("GET", "/").fields["Cache-Control"] == "no-store")
  }

  @Test("RFC 6749, 5.1: No cache keeps a token, by either field")
  func tokens() async throws {
    let fixture = try OAuthFixture()
    let answer = try await fixture.answer()
    let redeemed = try await fixture.redeem(answer.parameters.require("code"))
    #expect(redeemed.status == 200)
    #expect(redeemed.response.fields["Cache-Control"] == "no-store")
    #expect(redeemed.response.fields["Pragma"] == "no-cache")
  }

  /// Keeps what is logged.
  private final class Log: ActivityObserver {
    private let lines = Mutex<[String]>([])
    var text: String { lines.withLock { $0.joined(separator: "\n") } }
    func happened(_ activity: Activity) { lines.withLock { $0.append("\(activity)") } }
    func measured(_ activity: Activity, value: Double) {}
    func during<Value: Sendable>(
      _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
    ) async throws(TokenError) -> Value { try await body() }
  }

  @Test("A secret in the place of a client_id is not logged; the name of a client is")
  func misplacedSecrets() async throws {
    let log = Log()
    let fixture = try OAuthFixture(observer: log)
    func ask(_ client: String) async throws -> Int {
      try await fixture.post(
        "/v2/openid/token",
        [("grant_type", "refresh_token"), ("refresh_token", "x"), ("client_id", client)], as: nil
      ).status
    }
    #expect(try await ask("s3cr3t-typed-here") == 401)
    #expect(!log.text.contains("s3cr3t-typed-here"), "\(log.text)")
    #expect(try await ask("app") == 400)
    #expect(log.text.contains("app"))
  }
}
