import SignIn

/// The sign-in of a service at one OpenID provider.
///
/// - Parameters:
///   - origin: The public address of the service, such as `https://app.example/`.
///   - issuer: The provider, as its tokens name it: such as `https://login.example/tenant`.
///   - clientID: The identifier that the provider gave to the service.
///   - secret: The secret that it gave with it.
func openIDSite(
  origin: String, issuer: String, clientID: String, secret: Secret,
  over transport: any HTTPTransport, pages: any PageRenderer, clock: any TimeSource = SystemTime()
) throws -> SignInSite {
  let settings = try SiteSettings(origin: HTTPURL(origin).origin)
  let provider = OpenIDRegistry(
    try OpenIDSource(issuer: issuer), transport: transport, clock: clock)
  var client = OpenIDClient(
    clientID: clientID, authentication: .basic(secret),
    redirectURI: try settings.openIDCallback("login"))
  client.scopes = ["openid", "email"]
  let party = try OpenIDRelyingParty(client, provider: provider, transport: transport)
  let login = SignInProvider(id: "login", name: "Login", openID: party)
  return try SignInSite(settings, providers: [login], pages: pages, clock: clock)
}
