import SignIn

/// A browser with a cookie jar that keeps the rules of SameSite (RFC 6265bis, 5.6 and 5.7): a form that another site
/// posts and a picture on its page bring no cookie but those of `SameSite=None`.
final class Browser {
  /// How a request comes about.
  enum Cause {
    /// A page of the service, a link, or an address that a person types: a navigation by GET, or a form of our own.
    case navigation
    /// A form that a page of another site posts.
    case foreignForm
    /// A picture on a page of another site.
    case foreignPicture
  }

  private struct Cookie {
    var value: String
    var isForEverySite: Bool
  }

  let site: SignInSite
  private var jar: [String: Cookie] = [:]
  var acceptsCookies = true
  /// The cookies by their names.
  var cookies: [String: String] { jar.mapValues(\.value) }

  init(_ site: SignInSite) { self.site = site }

  func send(
    _ method: String, _ path: String, body: WebRequest? = nil, fields: [(String, String)] = [],
    cause: Cause? = nil
  ) async throws -> HTTPResponse {
    let cause = cause ?? Self.cause(method, path)
    let parts = path.split(separator: "?", maxSplits: 1)
    var pairs = fields + cookieField(cause)
    if let type = body?.contentType { pairs.append(("Content-Type", type)) }
    let response = await site.respond(
      to: WebRequest(
        method: method, path: String(parts[0]), query: parts.count == 2 ? String(parts[1]) : nil,
        fields: try HTTPFields(pairs), body: body?.body ?? []))
    if acceptsCookies { for text in response.fields.values("Set-Cookie") { keep(text) } }
    return response
  }

  /// Follows a redirect to a page of the service; any other answer stays.
  func following(_ response: HTTPResponse) async throws -> HTTPResponse {
    guard response.isRedirect, let location = response.fields["Location"],
      site.isOwn(location), location != "/"
    else { return response }
    return try await send("GET", location)
  }

  func request(_ path: String, _ fields: [(String, String)] = []) throws -> WebRequest {
    WebRequest(
      method: "GET", path: path, fields: try HTTPFields(fields + cookieField(.navigation)))
  }

  func set(_ name: String, _ value: String) {
    jar[name] = Cookie(value: value, isForEverySite: false)
  }

  /// An identity provider's answer is posted by its page; everything else is ours.
  private static func cause(_ method: String, _ path: String) -> Cause {
    let route = path.prefix { $0 != "?" }
    let isAnswer = ["/saml/acs", "/wsfed", "/callback"].contains { route.hasSuffix($0) }
    return method == "POST" && isAnswer ? .foreignForm : .navigation
  }

  private func cookieField(_ cause: Cause) -> [(String, String)] {
    let sent = jar.filter { cause == .navigation || $0.value.isForEverySite }
    guard !sent.isEmpty else { return [] }
    return [("Cookie", sent.map { "\($0.key)=\($0.value.value)" }.joined(separator: "; "))]
  }

  private func keep(_ text: String) {
    let isForEverySite = text.contains("; SameSite=None")
    // A browser refuses SameSite=None without Secure.
    if isForEverySite, !text.contains("; Secure") { return }
    let pair = text.prefix { $0 != ";" }.split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    jar[String(pair[0])] =
      text.contains("Max-Age=0")
      ? nil : Cookie(value: String(pair[1]), isForEverySite: isForEverySite)
  }
}

extension HTTPResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
}
