#if Server
  import Hummingbird
  import HummingbirdFederation

  /// The service of README: a page for which a person signs in.
  enum SampleService {
    static let address = "http://127.0.0.1:8080"

    static func run(metadata: [UInt8]) async throws {
      let settings = try SiteSettings(origin: HTTPURL(address).origin)
      let service = try ServiceProvider(
        entityID: address + "/sso/saml", consumer: settings.address("saml/acs"))
      let provider = try SignInProvider.saml(
        id: "demo", metadata: metadata, service: service, at: SystemTime().now)
      let site = try SignInSite(
        settings, providers: [provider], pages: MustachePages(title: "Sample"))
      let router = Router(context: FederationContext.self)
      router.addSignIn(site)
      router.signedIn(by: site).get("/") { _, context in "Hello, \(context.principal.subject).\n" }
      try await Application(
        router: router, configuration: .init(address: .hostname("127.0.0.1", port: 8080))
      ).runService()
    }
  }
#endif
