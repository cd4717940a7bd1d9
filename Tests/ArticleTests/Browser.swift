import IdentityProviderTesting
import SignIn

/// A browser with a cookie jar, at a site without a server.
final class Browser {
  let site: SignInSite
  private var cookies: [String: String] = [:]

  init(_ site: SignInSite) { self.site = site }

  func send(
    _ method: String, _ target: String, form: WebRequest? = nil
  ) async throws -> HTTPResponse {
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    var pairs = [("Accept", "text/html")]
    if let type = form?.contentType { pairs.append(("Content-Type", type)) }
    let jar = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    if !jar.isEmpty { pairs.append(("Cookie", jar)) }
    let response = await site.respond(
      to: WebRequest(
        method: method, path: parts[0], query: parts.count == 2 ? parts[1] : nil,
        fields: try HTTPFields(pairs), body: form?.body ?? []))
    for text in response.fields.values("Set-Cookie") {
      let pair = text.prefix { $0 != ";" }.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false
      ).map(String.init)
      cookies[pair[0]] = text.contains("Max-Age=0") ? nil : pair[1]
    }
    return response
  }

  /// Where the sign-in leads; its parameters are those of the request to the provider.
  func begin() async throws -> HTTPURL {
    try HTTPURL(try await send("GET", "/sso/sign-in?return=%2Fpage").fields["Location"] ?? "")
  }

  /// Who is signed in.
  func subject() async throws -> String? {
    guard let cookie = cookies[site.settings.sessionCookie] else { return nil }
    return try await site.session(cookie: Secret(cookie))?.principal.subject
  }
}

extension HTTPURL {
  /// The value of a parameter of the query that needs no decoding.
  func parameter(_ name: String) -> String? {
    for pair in (query ?? "").split(separator: "&") where pair.hasPrefix(name + "=") {
      return String(pair.dropFirst(name.count + 1))
    }
    return nil
  }
}

/// Pages that show the code of a refusal.
struct CodePages: PageRenderer {
  func html(_ page: SitePage) -> (html: String, policy: String) {
    guard case .refusal(let refusal) = page else { return ("", "default-src 'none'") }
    return ("\(refusal.code)", "default-src 'none'")
  }
}
