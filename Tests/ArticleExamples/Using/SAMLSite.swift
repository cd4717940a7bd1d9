import SignIn

/// The sign-in of a service at one SAML 2.0 identity provider.
///
/// - Parameters:
///   - origin: The public address of the service, such as `https://app.example/`.
///   - metadata: The metadata document of the identity provider, from a source that you trust.
///   - key: Signs requests, which some identity providers demand.
func samlSite(
  origin: String, metadata: [UInt8], key: SigningKey?, pages: any PageRenderer,
  clock: any TimeSource = SystemTime()
) throws -> SignInSite {
  let settings = try SiteSettings(origin: HTTPURL(origin).origin)
  let service = try ServiceProvider(
    entityID: origin + "saml", consumer: settings.address("saml/acs"),
    logout: settings.address("saml/slo"), signingKeys: key.map { [$0] } ?? [])
  let campus = try SignInProvider.saml(
    id: "campus", metadata: metadata, service: service, at: clock.now)
  return try SignInSite(settings, providers: [campus], pages: pages, clock: clock)
}
