import HTTPExchange
import SignIn

/// What the service is, for those who open its address.
struct FrontPage: Endpoint {
  let service: IssuingService

  var routes: [Route] { [Route("/", get: show)] }

  private func show(_ request: WebRequest) -> HTTPResponse {
    let namespace = service.namespace
    var content = PageContent(
      "Access Control Service",
      notes: ["Issues tokens for the relying parties below. Choose one to sign in to it."])
    content.tables = [
      PageContent.Table(
        "Addresses", heads: ["For", "Address"],
        rows: [
          ["WS-Federation", service.address("/v2/wsfederation")],
          ["Metadata", service.address("/FederationMetadata/2007-06/FederationMetadata.xml")],
          ["Home realm discovery", service.address("/v2/metadata/IdentityProviders.js")],
          ["WRAP", service.address("/WRAPv0.9")],
          ["OAuth 2.0 draft 13", service.address("/v2/OAuth2-13")],
          ["WS-Trust", service.address(WSTrustEndpoint.path)],
        ])
    ]
    content.links = namespace.relyingParties.filter { !$0.returnAddresses.isEmpty }.map { party in
      PageContent.Link(
        party.name,
        to: "/v2/wsfederation?wa=wsignin1.0&wtrealm=" + HTTPURL.percentEncoded(party.realm))
    }
    return service.responder.page(200, .content(content))
  }
}
