package import HTTPExchange

/// Makes the responses of a site: none is stored, none says where it came from (RP-19).
package struct SiteResponder: Sendable {
  private let pages: any PageRenderer
  private let isSecure: Bool

  /// - Parameter isSecure: Whether the site is reached over https, which its cookies then require.
  package init(pages: any PageRenderer, isSecure: Bool) {
    self.pages = pages
    self.isSecure = isSecure
  }

  /// The same pages for another address.
  package func moved(isSecure: Bool) -> Self { Self(pages: pages, isSecure: isSecure) }

  /// A response that nothing stores.
  package func response(
    _ status: Int, _ contentType: String, _ body: [UInt8], policy: String? = nil,
    location: String? = nil, cookies: [SetCookie] = []
  ) -> HTTPResponse {
    var pairs = [
      ("Content-Type", contentType), ("Cache-Control", "no-store"),
      ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
    ]
    if let policy { pairs.append(("Content-Security-Policy", policy)) }
    if let location { pairs.append(("Location", location)) }
    for cookie in cookies { pairs.append(("Set-Cookie", cookie.text(isSecure: isSecure))) }
    // Texts of ours alone; a cookie is base64url.
    let fields = try? HTTPFields(pairs)
    return HTTPResponse(
      status: fields == nil ? 500 : status, fields: fields ?? HTTPFields(), body: body)
  }

  /// The answer to a request for a path that there is not: a page for a browser, a line for a program.
  package func nothing(for request: WebRequest) -> HTTPResponse {
    guard request.wantsDocument else {
      return response(404, "text/plain; charset=utf-8", Array("Not found.\n".utf8))
    }
    var content = PageContent("Not found", notes: ["There is no page at this address."])
    content.nextLink = PageContent.Link("To the front page", to: "/")
    return page(404, .content(content))
  }

  /// The answer to a request by a method that the path has not (RFC 9110, 15.5.6).
  ///
  /// - Parameter allowed: The methods that it has.
  package func otherMethod(_ allowed: [String]) -> HTTPResponse {
    var response = response(
      405, "text/plain; charset=utf-8", Array("Method not allowed.\n".utf8))
    try? response.fields.append("Allow", allowed.joined(separator: ", "))
    return response
  }

  /// The answer that shows a page.
  package func page(_ status: Int, _ page: SitePage, cookies: [SetCookie] = []) -> HTTPResponse {
    let (html, policy) = pages.html(page)
    return response(
      status, "text/html; charset=utf-8", Array(html.utf8), policy: policy, cookies: cookies)
  }

  /// A redirect after which the browser asks with GET.
  package func redirect(_ location: String, cookies: [SetCookie] = []) -> HTTPResponse {
    response(303, "text/plain; charset=utf-8", [], location: location, cookies: cookies)
  }
}
