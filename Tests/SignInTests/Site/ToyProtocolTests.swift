import Foundation
import IdentityProviderTesting
import SignIn
import TestSupport
import Testing

/// A protocol that the site has never heard of: the provider sends the browser back with the name of the request and of the person.
private struct ToyMethod: SignInMethod {
  let issuer: String

  static let kind = PendingSignIn.Kind(rawValue: "toy")
  static let requestParameter = "ticket"

  static func routes(_ providers: [String]) -> [SignInRoute] {
    providers.map { SignInRoute(["GET"], "toy/\($0)", .answers, provider: $0) }
  }

  func begin(
    returningTo path: ReturnPath?, demanding demands: SignInDemands, at now: Instant
  ) async throws(TokenError) -> BegunSignIn {
    let pending = PendingSignIn(
      Self.kind, issuer: issuer, endpoint: "toy", returnPath: path, random: RandomSource(), at: now)
    let address = try HTTPURL(issuer).adding([("ticket", pending.request)])
    return BegunSignIn(action: .redirect(address), pending: pending)
  }

  static func read(
    _ request: WebRequest, among methods: [Self], at now: Instant
  ) async throws(TokenError) -> ReceivedAnswer<String> {
    let query = try request.parameters
    return .answer(to: try query.require("ticket"), try query.require("name"))
  }

  func finish(
    _ answer: String, of pending: PendingSignIn?, at provider: SignInProvider,
    used: any ReplayStore, clock: any TimeSource
  ) async throws(TokenError) -> VerifiedSignIn {
    guard let pending else { throw TokenError(.signInUnsolicited) }
    guard try await used.remember(pending.use, at: clock.now) else {
      throw TokenError(.signInFinished)
    }
    return VerifiedSignIn(
      FederatedPrincipal(
        issuer: issuer, subject: answer, claims: ClaimSet(), format: .jwt,
        issuerSession: IssuerSession(), warnings: []))
  }
}

@Suite("A protocol is one value")
struct ToyProtocolTests {
  private let site: SignInSite

  init() throws {
    let idp = try IdentityProviderSimulator()
    let settings = try SiteSettings(origin: HTTPURL("https://app.example/").origin, prefix: "/")
    let service = try ServiceProvider(
      entityID: "https://app.example/saml", consumer: settings.address("saml/acs"),
      signingKeys: [idp.key])
    let registry = StaticRegistry(
      Trust(issuers: [idp.trusted], audiences: .oneOf(["https://app.example/saml"])))
    site = try SignInSite(
      settings,
      providers: [
        SignInProvider(
          id: "idp", name: "IdP", .saml(service, .fixed(idp.provider)), registry: registry),
        SignInProvider(
          id: "toy", name: "Toy", ToyMethod(issuer: "https://toy.example/"), registry: registry),
        SignInProvider(
          id: "other", name: "Other", ToyMethod(issuer: "https://other.example/"),
          registry: registry),
      ], pages: PlainPages(), clock: ManualTime())
  }

  private func begin(_ browser: Browser) async throws -> String {
    let response = try await browser.send("GET", "/sign-in?provider=toy&return=%2Fpage")
    let address = try HTTPURL(try #require(response.fields["Location"]))
    #expect(address.origin.host == "toy.example")
    return String(try #require(address.query?.dropFirst("ticket=".count)))
  }

  @Test("One that the site has never heard of signs in, and its session ends here")
  func signsIn() async throws {
    let browser = Browser(site)
    let ticket = try await begin(browser)
    let response = try await browser.send("GET", "/toy/toy?ticket=\(ticket)&name=ada")
    #expect(response.status == 303 && response.fields["Location"] == "/page")
    let session = try #require(try await site.session(of: browser.request("/")))
    #expect(session.provider == "toy" && session.principal.subject == "ada")
    let page = try await browser.send("GET", "/sign-out")
    let token = String(page.text.dropFirst("confirm ".count))
    _ = try await browser.send(
      "POST", "/sign-out", body: IdentityProviderSimulator.form([("token", token)]))
    #expect(try await site.session(of: browser.request("/")) == nil)
  }

  @Test(
    "The address of one provider takes no answer to another's request, and another method gets 405")
  func otherProvider() async throws {
    let browser = Browser(site)
    let ticket = try await begin(browser)
    let response = try await browser.send("GET", "/toy/other?ticket=\(ticket)&name=ada")
    #expect(response.text.isRefusal(.signInOtherEndpoint))
    #expect(try await site.session(of: browser.request("/")) == nil)
    #expect(try await browser.send("POST", "/toy/toy").fields["Allow"] == "GET")
  }

  @Test("A pending sign-in of one protocol is none of another")
  func otherKind() async throws {
    let browser = Browser(site)
    let begun = try await browser.send("GET", "/sign-in?provider=idp")
    let request = (begun.fields["Location"] ?? "") + begun.text
    let ticket = try #require(request.firstMatch(of: /RelayState=([0-9a-f]{40})/)).1
    let response = try await browser.send("GET", "/toy/toy?ticket=\(ticket)&name=ada")
    #expect(response.text.isRefusal(.signInCookie))
  }
}
