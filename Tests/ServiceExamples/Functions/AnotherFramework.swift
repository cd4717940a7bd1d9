import SignIn

// A framework's own types, as most have them.
struct FrameworkRequest {
  var method: String
  var uri: String
  var headers: [(String, String)]
  var body: [UInt8]
}

struct FrameworkResponse {
  var status: Int
  var headers: [(String, String)]
  var body: [UInt8]
}

/// Sign-in in a service of that framework: one adapter each way, the site's routes, and a protected page.
struct Service {
  let site: SignInSite

  func handle(_ request: FrameworkRequest) async -> FrameworkResponse {
    guard let asked = siteRequest(request) else {
      return FrameworkResponse(status: 400, headers: [], body: [])
    }
    if site.isOwn(asked.path) { return answer(await site.respond(to: asked)) }
    do throws(TokenError) {
      guard let session = try await site.session(of: asked) else {
        return answer(site.signInRequired(asked))
      }
      let text = "Hello, \(session.principal.subject).\n"
      return FrameworkResponse(status: 200, headers: [], body: Array(text.utf8))
    } catch {
      return answer(site.unavailable(error))
    }
  }

  private func siteRequest(_ request: FrameworkRequest) -> WebRequest? {
    guard let fields = try? HTTPFields(request.headers) else { return nil }
    let parts = request.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return WebRequest(
      method: request.method, path: parts.first.map(String.init) ?? "/",
      query: parts.count == 2 ? String(parts[1]) : nil, fields: fields, body: request.body)
  }

  private func answer(_ response: HTTPResponse) -> FrameworkResponse {
    FrameworkResponse(
      status: response.status, headers: response.fields.list.map { ($0.name, $0.value) },
      body: response.body)
  }
}
