#if Server
  import Foundation
  import HTTPTypes
  import Hummingbird
  import HummingbirdFederation
  import HummingbirdTesting
  import IdentityProviderTesting
  import TestSupport
  import Testing

  @testable import ArticleExamples

  @Suite("The article on protecting a route")
  struct ProtectedRoutesTests {
    @Test("A page asks for a sign-in; the API takes a token for it and refuses one for another")
    func routes() async throws {
      let idp = try IdentityProviderSimulator()
      let clock = ManualTime()
      let metadata = try IdentityProviderMetadata(
        entityID: idp.entityID, certificates: [idp.certificate], signOn: "https://idp.example/sso"
      ).document()
      let site = try samlSite(
        origin: "https://app.example/", metadata: metadata, key: idp.key,
        pages: MustachePages(title: "Test"), clock: clock)
      let router = ArticleExamples.routes(
        signedInBy: site, tokensOf: apiRegistry(idp.trusted), clock: clock)
      @Sendable func bearer(_ audience: String) throws -> HTTPTypes.HTTPFields {
        let token = try idp.response(
          .init(recipient: nil, audience: audience, claims: [Claim(.role, "writer")]))
        return [.authorization: "Bearer " + Data(token).base64EncodedString()]
      }
      try await Application(router: router).test(.router) { client in
        try await client.execute(
          uri: "/", method: .get, headers: [.accept: "text/html"]
        ) { response in
          #expect(response.status == .seeOther)
          #expect(response.headers[.location] == "/sso/sign-in?return=%2F")
        }
        try await client.execute(
          uri: "/api/roles", method: .get, headers: bearer("https://app.example/api")
        ) { response in
          #expect(response.status == .ok && String(buffer: response.body) == "writer")
        }
        try await client.execute(
          uri: "/api/roles", method: .get, headers: bearer("https://other.example")
        ) { response in
          #expect(response.status == .unauthorized)
          #expect(String(buffer: response.body).contains("\"code\":\"audience.mismatch\""))
        }
      }
    }
  }
#endif
