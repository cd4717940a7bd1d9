import HTTPExchange
import Octets

extension SignInSite {
  /// What answers at an address.
  struct Handler: Sendable {
    typealias Answer =
      @Sendable (SignInSite, WebRequest) async throws(TokenError) -> HTTPResponse

    /// The name under which it is measured, and is a span of a trace; nil for none.
    let activity: StaticString?
    let answer: Answer

    init(_ activity: StaticString? = nil, _ answer: @escaping Answer) {
      self.activity = activity
      self.answer = answer
    }
  }

  /// The providers of one protocol that an address is for.
  struct Peers<Method: SignInMethod>: Sendable {
    let providers: [SignInProvider]
    let methods: [Method]

    init(_ providers: [SignInProvider]) {
      self.providers = providers.filter { $0.method is Method }
      methods = self.providers.compactMap { $0.method as? Method }
    }

    func first(
      where isWanted: (SignInProvider) -> Bool
    ) -> (provider: SignInProvider, method: Method)? {
      zip(providers, methods).first { isWanted($0.0) }.map { (provider: $0.0, method: $0.1) }
    }
  }

  /// The routes of a site: its own, and those of the protocols of its providers.
  ///
  /// - Throws: `signin.configuration` for providers that cannot be beside each other.
  static func routes(
    _ providers: [SignInProvider], _ methods: [any SignInMethod.Type], _ settings: SiteSettings
  ) throws(TokenError) -> RouteTable<Handler> {
    var table = own
    // Where everything is the site's, the front page is not.
    if settings.prefix != "/", case .found(let account) = own.match("GET", "account") {
      table.add(["GET"], "", account)
    }
    for method in methods { try add(method, providers, settings, to: &table) }
    return table
  }

  /// The protocols of providers, each once, in their order.
  static func methods(_ providers: [SignInProvider]) -> [any SignInMethod.Type] {
    var seen: Set<ObjectIdentifier> = []
    return providers.map { type(of: $0.method) }.filter {
      seen.insert(ObjectIdentifier($0)).inserted
    }
  }

  private static let own: RouteTable<Handler> = {
    var table = RouteTable<Handler>()
    func add(
      _ method: String, _ path: String, _ activity: StaticString? = nil,
      _ answer: @escaping Handler.Answer
    ) {
      table.add([method], path, Handler(activity, answer))
    }
    add("GET", "sign-in", "signin.begin") { (site, request) throws(TokenError) in
      try await site.beginSignIn(request)
    }
    add("POST", "replace", "signin.replace") { (site, request) throws(TokenError) in
      try await site.replaceSession(request)
    }
    add("GET", "discovery") { (site, request) throws(TokenError) in
      try await site.discover(request)
    }
    add("GET", "finished") { (site, request) throws(TokenError) in
      try await site.showFinished(request)
    }
    add("GET", "sign-out") { (site, request) throws(TokenError) in
      try await site.confirmSignOut(request)
    }
    add("POST", "sign-out", "signout.begin") { (site, request) throws(TokenError) in
      try await site.signOut(request)
    }
    add("GET", "account") { (site, request) throws(TokenError) in
      site.account(try await site.session(of: request), site.settings)
    }
    add("GET", "claims") { (site, request) throws(TokenError) in
      site.claims(try await site.session(of: request), site.settings)
    }
    return table
  }()

  /// Adds the routes of one protocol.
  private static func add<Method: SignInMethod>(
    _ method: Method.Type, _ providers: [SignInProvider], _ settings: SiteSettings,
    to table: inout RouteTable<Handler>
  ) throws(TokenError) {
    let all = Peers<Method>(providers)
    try Method.check(
      zip(all.providers, all.methods).map { (id: $0.id, method: $1) }, settings)
    func add(_ route: SignInRoute, _ peers: Peers<Method>) {
      table.add(
        route.methods, route.path,
        Handler(route.activity) { (site, request) throws(TokenError) in
          site.note(route)
          return try await site.respond(to: request, at: route, peers)
        })
    }
    for route in Method.routes(all.providers.map(\.id)) {
      let peers = route.provider.map { id in
        Peers<Method>(all.providers.filter { $0.id.hasSameBytes(as: id) })
      }
      add(route, peers ?? all)
    }
    for provider in all.providers {
      for former in provider.formerIDs {
        // What is of all providers, or of the only one, has its address already.
        let own = Method.routes([former]).filter {
          $0.successor == nil && $0.provider.map { $0.hasSameBytes(as: former) } ?? false
        }
        for route in own { add(route, Peers<Method>([provider])) }
      }
    }
  }

  /// Says that an address of earlier versions is in use.
  private func note(_ route: SignInRoute) {
    guard let successor = route.successor else { return }
    observer.happened(
      Activity(
        "signin.old-address",
        [
          ("code", TokenError.Code.signInOtherEndpoint.rawValue),
          ("source", route.provider ?? ""),
          ("error", "register \(successor) in place of \(route.path)"),
        ]))
  }

  private func respond<Method: SignInMethod>(
    to request: WebRequest, at route: SignInRoute, _ peers: Peers<Method>
  ) async throws(TokenError) -> HTTPResponse {
    switch route.purpose {
    case .answers: return try await receiveAnswer(request, route, peers)
    case .signOut: return try await receiveSignOut(request, peers)
    case .signedOut:
      return try await relaySignOut?(.finished(isComplete: true), request)
        ?? page(200, .signedOut(note: nil, address: "/"))
    case .metadata:
      guard let document = try peers.methods.first?.metadata(settings) else {
        throw TokenError(.signInProvider)
      }
      return response(200, "application/samlmetadata+xml", document)
    case .keys:
      guard let keys = peers.methods.first?.publishedKeys else {
        return responder.nothing(for: request)
      }
      return response(200, "application/jwk-set+json", keys)
    }
  }
}
