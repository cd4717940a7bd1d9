import HTTPExchange
import IdentityProviderTesting
import SignIn
import TestSupport

/// The sign-in of the local token service at a SAML provider above it.
struct SAMLUpstream {
  static let origin = "https://app.example"
  let idp: IdentityProviderSimulator
  /// The key of the service.
  let own: IdentityProviderSimulator
  /// The service, as the provider knows it.
  let service: ServiceProvider
  let site: SignInSite

  /// - Parameter others: Providers beside it.
  init(
    pages: any PageRenderer, clock: ManualTime,
    beside others: (SiteSettings) throws -> [SignInProvider] = { _ in [] }
  ) throws {
    idp = try IdentityProviderSimulator()
    own = try IdentityProviderSimulator(key: "rp-rsa")
    let settings = try SiteSettings(
      origin: HTTPURL(Self.origin).origin, prefix: "/v2/upstream/")
    service = try ServiceProvider(
      entityID: Self.origin + "/saml", consumer: settings.address("saml/acs"),
      logout: settings.address("saml/slo"), signingKeys: [own.key])
    site = try SignInSite(
      settings,
      providers: [
        SignInProvider(
          id: "idp", name: "IdP", .saml(service, .fixed(idp.provider)),
          registry: StaticRegistry(Trust(issuers: [idp.trusted], audiences: .oneOf([]))))
      ] + others(settings), pages: pages, clock: clock)
  }

  /// What the provider answers to the request that a browser brings it.
  func answer(
    to there: HTTPExchange.HTTPResponse, _ claims: [Claim], at now: Instant,
    _ edit: (inout IdentityProviderSimulator.Answer) -> Void
  ) throws -> WebRequest {
    let asked = try HTTPURL(there.fields["Location"] ?? "")
    let relay = try FormReader((asked.query ?? "").utf8).require("RelayState")
    var answer = IdentityProviderSimulator.Answer(
      inResponseTo: "_" + relay, recipient: Self.origin + "/v2/upstream/saml/acs",
      claims: claims, at: now)
    edit(&answer)
    return try idp.message(answer)
  }
}
