#if Server
  import Foundation
  import HTTPTypes
  import Hummingbird
  import HummingbirdFederation
  import HummingbirdTesting
  import IdentityProviderTesting
  import TestSupport
  import Testing

  @Suite("A service of Hummingbird")
  struct HummingbirdTests {
    private func application() throws -> some ApplicationProtocol {
      let idp = try IdentityProviderSimulator()
      let settings = try SiteSettings(origin: HTTPURL("https://app.example/").origin)
      let service = try ServiceProvider(
        entityID: "https://app.example/saml", consumer: settings.address("saml/acs"),
        signingKeys: [idp.key])
      let clock = ManualTime()
      let trust = Trust(issuers: [idp.trusted], audiences: .oneOf(["https://app.example/api"]))
      let site = try SignInSite(
        settings,
        providers: [
          SignInProvider(
            id: "idp", name: "IdP", .saml(service, .fixed(idp.provider)),
            registry: StaticRegistry(trust))
        ], pages: MustachePages(title: "Test"), clock: clock)
      let router = Router(context: FederationContext.self)
      router.addSignIn(site)
      router.signedIn(by: site).get("/page") { _, context in context.principal.subject }
      router.withToken(of: StaticRegistry(trust), clock: clock).get("/api") { _, context in
        context.principal.subject
      }
      return Application(router: router)
    }

    @Test("A page sends a browser to sign in, a script gets 401, and the routes of the site answer")
    func signIn() async throws {
      try await application().test(.router) { client in
        try await client.execute(
          uri: "/page?q=1", method: .get, headers: [.accept: "text/html"]
        ) { response in
          #expect(response.status == .seeOther)
          #expect(response.headers[.location] == "/sso/sign-in?return=%2Fpage%3Fq%3D1")
        }
        try await client.execute(uri: "/page", method: .get) { response in
          #expect(response.status == .unauthorized)
        }
        try await client.execute(uri: "/sso/sign-in", method: .get) { response in
          #expect(response.status == .seeOther)
          #expect(response.headers[.location]?.hasPrefix("https://idp.example/sso?") == true)
        }
        try await client.execute(uri: "/sso/saml/metadata", method: .get) { response in
          #expect(response.headers[.contentType] == "application/samlmetadata+xml")
        }
        try await client.execute(uri: "/sso/other", method: .get) { response in
          #expect(response.status == .notFound)
        }
      }
    }

    @Test("A body is as long as it says, and no longer than the limit, whether it says so or not")
    func bodies() async throws {
      func code(_ octets: [String], announced: String? = nil) async -> Int? {
        let body = AsyncStream<ByteBuffer> { stream in
          for part in octets { stream.yield(ByteBuffer(string: part)) }
          stream.finish()
        }
        var head = HTTPTypes.HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/")
        head.headerFields[.contentLength] = announced
        do {
          let request = Request(head: head, body: RequestBody(asyncSequence: body))
          #expect(try await WebRequest(request, bodyLimit: 4).body == Array(octets.joined().utf8))
          return nil
        } catch {
          return (error as? HTTPError)?.status.code
        }
      }
      #expect(await code(["ab", "cd"]) == nil)
      #expect(await code(["ab", "cd"], announced: "4") == nil)
      #expect(await code(["ab", "cde"]) == 413)
      #expect(await code(["a"], announced: "5") == 413)
      #expect(await code(["ab"], announced: "3") == 400)
      #expect(await code(["abc"], announced: "2") == 400)
    }

    @Test("An API takes a token of a trusted issuer for it; any other answer is as RFC 6750 has it")
    func tokens() async throws {
      let idp = try IdentityProviderSimulator()
      @Sendable func bearer(_ audience: String) throws -> HTTPTypes.HTTPFields {
        let token = try idp.response(.init(recipient: nil, audience: audience))
        return [.authorization: "Bearer " + Data(token).base64EncodedString()]
      }
      try await application().test(.router) { client in
        try await client.execute(
          uri: "/api", method: .get, headers: bearer("https://app.example/api")
        ) { response in
          #expect(response.status == .ok && String(buffer: response.body) == "ada")
        }
        try await client.execute(
          uri: "/api", method: .get, headers: bearer("https://other.example")
        ) { response in
          #expect(response.status == .unauthorized)
          #expect(
            response.headers[.wwwAuthenticate]
              == "Bearer error=\"invalid_token\", error_description=\"audience.mismatch\"")
          #expect(String(buffer: response.body).contains("\"code\":\"audience.mismatch\""))
        }
        try await client.execute(uri: "/api", method: .get) { response in
          #expect(response.headers[.wwwAuthenticate] == "Bearer")
        }
      }
    }
  }
#endif
