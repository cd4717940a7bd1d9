import SignIn

/// A browser with a cookie jar.
final class Browser {
  let site: SignInSite
  private(set) var cookies: [String: String] = [:]
  var acceptsCookies = true

  init(_ site: SignInSite) { self.site = site }

  func send(
    _ method: String, _ path: String, body: IncomingMessage? = nil, fields: [(String, String)] = []
  ) async throws -> HTTPResponse {
    let parts = path.split(separator: "?", maxSplits: 1)
    var pairs = fields
    if !cookies.isEmpty {
      pairs.append(("Cookie", cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")))
    }
    if let type = body?.contentType { pairs.append(("Content-Type", type)) }
    let response = await site.respond(
      to: SiteRequest(
        method: method, path: String(parts[0]), query: parts.count == 2 ? String(parts[1]) : nil,
        fields: try HTTPFields(pairs), body: body?.body ?? []))
    if acceptsCookies { for text in response.fields.values("Set-Cookie") { keep(text) } }
    return response
  }

  func request(_ path: String, _ fields: [(String, String)] = []) throws -> SiteRequest {
    var pairs = fields
    if !cookies.isEmpty {
      pairs.append(("Cookie", cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")))
    }
    return SiteRequest(method: "GET", path: path, fields: try HTTPFields(pairs))
  }

  func set(_ name: String, _ value: String) { cookies[name] = value }

  private func keep(_ text: String) {
    let pair = text.prefix { $0 != ";" }.split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    cookies[String(pair[0])] = text.contains("Max-Age=0") ? nil : String(pair[1])
  }
}

extension HTTPResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
}
