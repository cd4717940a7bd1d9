#if Server
  import HTTPTypes
  import Hummingbird
  import HummingbirdFederation

  /// Pages of the demonstration as responses.
  enum SpeakEasyPages {
    static func response(
      _ status: HTTPTypes.HTTPResponse.Status, _ content: PageContent, title: String = "SpeakEasy",
      cookies: [String] = []
    ) -> Response {
      let (html, policy) = MustachePages(title: title).html(.content(content))
      var headers = HTTPTypes.HTTPFields()
      headers[.contentType] = "text/html; charset=utf-8"
      headers[.contentSecurityPolicy] = policy
      headers[.cacheControl] = "no-store"
      for cookie in cookies { headers.append(HTTPField(name: .setCookie, value: cookie)) }
      return Response(
        status: status, headers: headers,
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: Array(html.utf8))))
    }

    static func redirect(_ address: String, cookies: [String] = []) -> Response {
      var headers: HTTPTypes.HTTPFields = [.location: address]
      for cookie in cookies { headers.append(HTTPField(name: .setCookie, value: cookie)) }
      return Response(status: .seeOther, headers: headers)
    }
  }
#endif
