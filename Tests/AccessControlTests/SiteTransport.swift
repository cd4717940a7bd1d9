import AccessControl
import HTTPExchange

/// Hands the requests of a client to the site, as a server does.
struct SiteTransport: HTTPTransport {
  let site: AccessControlSite

  func response(to request: HTTPRequest) async throws(TokenError) -> HTTPExchange.HTTPResponse {
    var asked = WebRequest(
      method: request.method.rawValue, path: request.url.path, query: request.url.query,
      body: request.body)
    asked.fields = request.fields
    return await site.respond(to: asked)
  }
}
