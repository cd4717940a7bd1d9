import SignIn

/// The Swift lines of docs/issuers, one method a page; `IssuerPageTests` compares them.
struct IssuerExamples {
  let settings: SiteSettings
  let service: ServiceProvider
  let transport: any HTTPTransport
  let secret: Secret

  func adfs() throws -> SignInProvider {
    let source = MetadataSource(
      try HTTPURL("https://fs.example/FederationMetadata/2007-06/FederationMetadata.xml"),
      entityID: "http://fs.example/adfs/services/trust", proof: .server)
    let party = try PassiveRelyingParty(
      realm: "https://rp.example/saml", reply: settings.address("wsfed"))
    let provider = try SignInProvider.wsFederation(
      id: "adfs", name: "Work", source: source, transport: transport, party: party)
    return provider
  }

  func entra() throws -> SignInProvider {
    let issuer = "https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0"
    let registry = OpenIDRegistry(try OpenIDSource(issuer: issuer), transport: transport)
    let client = OpenIDClient(
      clientID: "client-1", authentication: .basic(secret),
      redirectURI: try settings.openIDCallback("entra"))
    let party = try OpenIDRelyingParty(client, provider: registry, transport: transport)
    let provider = SignInProvider(id: "entra", name: "Work", openID: party)
    return provider
  }

  func okta(metadata: [UInt8]) throws -> SignInProvider {
    let provider = try SignInProvider.saml(
      id: "okta", name: "Work", metadata: metadata, service: service, at: SystemTime().now)
    return provider
  }

  func auth0() throws -> SignInProvider {
    let issuer = "https://example.auth0.com/"
    let registry = OpenIDRegistry(try OpenIDSource(issuer: issuer), transport: transport)
    let client = OpenIDClient(
      clientID: "client-1", authentication: .basic(secret),
      redirectURI: try settings.openIDCallback("auth0"))
    let party = try OpenIDRelyingParty(client, provider: registry, transport: transport)
    let provider = SignInProvider(id: "auth0", name: "Sign in", openID: party)
    return provider
  }

  func google(metadata: [UInt8]) throws -> SignInProvider {
    var provider = try SignInProvider.saml(
      id: "google", name: "Work", metadata: metadata, service: service, at: SystemTime().now)
    provider.acceptsUnsolicited = true  // for the list of applications
    return provider
  }

  func keycloak() throws -> SignInProvider {
    let issuer = "https://keycloak.example/realms/campus"
    let registry = OpenIDRegistry(try OpenIDSource(issuer: issuer), transport: transport)
    let client = OpenIDClient(
      clientID: "client-1", authentication: .basic(secret),
      redirectURI: try settings.openIDCallback("keycloak"))
    let party = try OpenIDRelyingParty(client, provider: registry, transport: transport)
    let provider = SignInProvider(id: "keycloak", name: "Campus", openID: party)
    return provider
  }

  func shibboleth(signer: VerificationKey) throws -> SignInProvider {
    let source = MetadataSource(
      try HTTPURL("https://federation.example/metadata.xml"),
      entityID: "https://shibboleth.example/idp/shibboleth",
      proof: .signature([TrustedKey(signer)]))
    let provider = try SignInProvider.saml(
      id: "campus", name: "Campus", source: source, transport: transport, service: service)
    return provider
  }

  func simplesamlphp() throws -> SignInProvider {
    let source = MetadataSource(
      try HTTPURL("https://php.example/simplesaml/saml2/idp/metadata.php"),
      entityID: "https://php.example/simplesaml/saml2/idp/metadata.php", proof: .server)
    let provider = try SignInProvider.saml(
      id: "campus", name: "Campus", source: source, transport: transport, service: service)
    return provider
  }

  func pingfederate(metadata: [UInt8]) throws -> SignInProvider {
    let provider = try SignInProvider.saml(
      id: "ping", name: "Work", metadata: metadata, service: service, at: SystemTime().now)
    return provider
  }

  func onelogin() throws -> SignInProvider {
    let source = MetadataSource(
      try HTTPURL("https://app.onelogin.com/saml/metadata/123456"),
      entityID: "https://app.onelogin.com/saml/metadata/123456", proof: .server)
    let provider = try SignInProvider.saml(
      id: "onelogin", name: "Work", source: source, transport: transport, service: service)
    return provider
  }

  func acs() throws -> SignInProvider {
    let source = MetadataSource(
      try HTTPURL("http://127.0.0.1:8090/FederationMetadata/2007-06/FederationMetadata.xml"),
      entityID: "http://127.0.0.1:8090/", proof: .server)
    let party = try PassiveRelyingParty(realm: "urn:talks", reply: settings.address("wsfed"))
    let provider = try SignInProvider.wsFederation(
      id: "acs", name: "Local", source: source, transport: transport, party: party)
    return provider
  }
}
