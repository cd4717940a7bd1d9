import Octets

/// A browser without scripts: cookies, redirects, and forms that a page of the service would post by itself.
///
/// It sends requests to the origins that the file names and to no other. Requests to the provider are not sent: they are
/// handed to the driver, which is the provider.
package struct AttackBrowser: Sendable {
  /// Where a navigation ended.
  package enum Arrival: Sendable {
    /// At the provider, with this request.
    case provider(WebRequest)
    /// At a page of the service.
    case page(BrowserPage)
    /// At an address beyond the origins of the file, which was not asked for.
    case elsewhere(String)
    /// Nowhere: the redirects, or the forms that post themselves, have no end.
    case loop(HTTPURL)
    /// Nowhere: the service failed on the way.
    case failed(TokenError)
  }

  private let configuration: AttackConfiguration
  private let transport: any HTTPTransport
  private let clock: any TimeSource
  package var cookies = BrowserCookies()
  /// The status of the last response; 0 before the first one.
  package private(set) var lastStatus = 0

  /// Redirects and forms of one navigation. A sign-in through a gateway takes about ten.
  private static let mostHops = 25

  package init(
    _ configuration: AttackConfiguration, _ transport: any HTTPTransport,
    _ clock: any TimeSource
  ) {
    self.configuration = configuration
    self.transport = transport
    self.clock = clock
  }

  /// Opens an address at which a sign-in begins, as a person who types it.
  ///
  /// - Returns: The request for a sign-in.
  /// - Throws: `attack.no-request`, `attack.origin`, `transport.*`.
  package mutating func begin(at start: HTTPURL) async throws(TokenError) -> WebRequest {
    switch try await navigate(.get(start), from: nil, fillsIn: true) {
    case .provider(let request): return request
    case .elsewhere(let place): throw TokenError(.attackOrigin, found: place)
    case .failed(let error): throw error
    case .loop(let url):
      throw TokenError(
        .attackNoRequest, node: url.description, expected: "at most \(Self.mostHops) redirects")
    case .page(let page):
      throw TokenError(
        .attackNoRequest, node: page.url.description,
        expected: "a request at \(configuration.issuer)",
        found: "a page with status \(page.status)")
    }
  }

  /// Delivers an answer of the provider's page, and follows it to where it ends. A service may have signed in whom it
  /// fails to answer, so that such an end is no error.
  ///
  /// - Throws: `attack.origin` for an answer to an address beyond the service.
  package mutating func deliver(_ answer: ProviderAnswer) async throws(TokenError) -> Arrival {
    let url = answer.url
    guard configuration.serviceOrigins.contains(url.origin) else {
      throw TokenError(.attackOrigin, node: url.description)
    }
    do throws(TokenError) {
      return try await navigate(answer, from: configuration.origin.origin, fillsIn: false)
    } catch {
      return .failed(error)
    }
  }

  /// Asks the page that tells who is signed in; a redirect is an answer.
  ///
  /// - Throws: `transport.*`.
  package mutating func probe() async throws(TokenError) -> HTTPResponse {
    try await send(.get(configuration.probe.url), from: nil)
  }

  // MARK: Navigation

  private mutating func navigate(
    _ first: ProviderAnswer, from page: HTTPOrigin?, fillsIn: Bool
  ) async throws(TokenError) -> Arrival {
    var step = first
    var initiator = page
    var hops = 0
    var filled: Set<String> = []
    while hops < Self.mostHops {
      hops += 1
      let url = step.url
      if url.origin == configuration.origin.origin { return .provider(step.webRequest) }
      guard configuration.origins.contains(url.origin) else {
        return .elsewhere(url.origin.description)
      }
      let response = try await send(step, from: initiator)
      let next: Next?
      do throws(TokenError) {
        next = try following(response, of: step, fillsIn ? filled : nil)
      } catch {
        // An address that no browser of ours opens: plain http to another machine, or another scheme.
        return .elsewhere(error.found ?? error.code.rawValue)
      }
      guard let next else {
        return .page(BrowserPage(url: url, status: response.status, body: response.body))
      }
      if next.isOfPage { initiator = url.origin }
      if next.isLogin { filled.insert(url.text) }
      step = next.step
    }
    return .loop(step.url)
  }

  private struct Next {
    let step: ProviderAnswer
    /// Whether a page leads on, by a form; a redirect keeps the page that began.
    var isOfPage = false
    var isLogin = false
  }

  /// What the browser does next; nil where the navigation ends.
  private func following(
    _ response: HTTPResponse, of step: ProviderAnswer, _ filled: Set<String>?
  ) throws(TokenError) -> Next? {
    let url = step.url
    if response.isRedirect {
      guard let location = response.fields.values("Location").first else { return nil }
      let target = try AddressReference.resolve(location, at: url)
      // RFC 9110, 15.4: 307 and 308 repeat the form.
      if response.status == 307 || response.status == 308, case .post(_, let fields) = step {
        return Next(step: .post(target, fields))
      }
      return Next(step: .get(target))
    }
    guard response.fields["Content-Type"].map(Self.isPage) ?? true else { return nil }
    for form in FormFinder.forms(in: response.body) {
      if let step = try posting(form, on: url) { return Next(step: step, isOfPage: true) }
      if let filled, !filled.contains(url.text), let step = try fillingIn(form, on: url) {
        return Next(step: step, isOfPage: true, isLogin: true)
      }
    }
    return nil
  }

  private static func isPage(_ contentType: String) -> Bool {
    let type = contentType.prefix { $0 != ";" && $0 != " " }.utf8.map(ASCII.lowercased)
    return type.elementsEqual("text/html".utf8) || type.elementsEqual("application/xhtml+xml".utf8)
  }

  /// The names of fields that only a message of a protocol has.
  private static let messages = [
    "SAMLRequest", "SAMLResponse", "wresult", "id_token", "code_challenge",
  ]

  private static func target(of form: PageForm, on url: HTTPURL) throws(TokenError) -> HTTPURL {
    guard let action = form.action else { return url }
    return try AddressReference.resolve(action, at: url)
  }

  /// A form that a script of its page would post: it holds a message of a protocol, or goes to the provider.
  private func posting(_ form: PageForm, on url: HTTPURL) throws(TokenError) -> ProviderAnswer? {
    let target = try Self.target(of: form, on: url)
    let isCode = form["code"] != nil && form["state"] != nil
    guard
      isCode || Self.messages.contains(where: { form[$0] != nil })
        || target.origin == configuration.origin.origin
    else { return nil }
    return sending(form, to: target)
  }

  /// The page of the service in front of the provider, filled in.
  private func fillingIn(_ form: PageForm, on url: HTTPURL) throws(TokenError) -> ProviderAnswer? {
    guard !configuration.login.isEmpty,
      configuration.login.allSatisfy({ form[$0.name] != nil })
    else { return nil }
    var form = form
    for (name, value) in configuration.login {
      for index in form.fields.indices where form.fields[index].name.hasSameBytes(as: name) {
        form.fields[index].value = value
      }
    }
    let target = try Self.target(of: form, on: url)
    return sending(form, to: target)
  }

  private func sending(_ form: PageForm, to target: HTTPURL) -> ProviderAnswer {
    let fields = form.fields.map { (name: $0.name, value: $0.value) }
    guard !form.isPost else { return .post(target, fields) }
    let bare = (try? target.at(path: target.path)) ?? target
    return .get(bare.adding(fields.map { ($0.name, $0.value) }))
  }

  // MARK: Requests

  private mutating func send(
    _ step: ProviderAnswer, from initiator: HTTPOrigin?
  ) async throws(TokenError) -> HTTPResponse {
    var request = try step.request
    request.timeout = .seconds(configuration.timeout)
    try request.fields.append("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
    try request.fields.append("Sec-Fetch-Mode", "navigate")
    try request.fields.append("Sec-Fetch-Dest", "document")
    try request.fields.append("Sec-Fetch-Site", Self.site(initiator, step.url.origin))
    try request.fields.append("User-Agent", "claims-attack")
    if request.method == .post, let initiator {
      try request.fields.append("Origin", initiator.description)
    }
    if let cookie = cookies.field(for: step.url, from: initiator, by: request.method) {
      try request.fields.append("Cookie", cookie)
    }
    let response = try await transport.response(to: request)
    lastStatus = response.status
    cookies.take(response, from: step.url, at: clock.now)
    return response
  }

  /// Fetch Metadata, 2.3.
  private static func site(_ initiator: HTTPOrigin?, _ target: HTTPOrigin) -> String {
    guard let initiator else { return "none" }
    if initiator == target { return "same-origin" }
    return BrowserCookies.isSameSite(initiator, target) ? "same-site" : "cross-site"
  }
}

/// A page at which a navigation ended.
package struct BrowserPage: Sendable, CustomStringConvertible {
  package let url: HTTPURL
  package let status: Int
  package let body: [UInt8]

  /// Address and status.
  package var description: String { "\(url), status \(status)" }
}

/// What the provider sends through the browser: to an address, or as a form that is posted to it.
package enum ProviderAnswer: Sendable {
  case get(HTTPURL)
  case post(HTTPURL, [(name: String, value: String)])

  package var url: HTTPURL {
    switch self {
    case .get(let url), .post(let url, _): url
    }
  }

  /// The request that the browser sends.
  var request: HTTPRequest {
    get throws(TokenError) {
      switch self {
      case .get(let url): HTTPRequest(.get, url)
      case .post(let url, let fields): try HTTPRequest.form(fields, to: url, fields: [])
      }
    }
  }

  /// The request as the server at the address gets it.
  var webRequest: WebRequest {
    switch self {
    case .get(let url): WebRequest(method: "GET", path: url.path, query: url.query)
    case .post(let url, let fields):
      WebRequest(
        method: "POST", path: url.path, query: url.query, contentType: FormBody.mediaType,
        body: FormBody.encode(fields))
    }
  }
}
