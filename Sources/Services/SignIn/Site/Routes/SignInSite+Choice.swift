import Octets
import TokenBasics

extension SignInSite {
  /// What becomes of a request that names a provider, or none.
  enum Choice {
    case chosen(SignInProvider)
    case open(ChoicePage)
  }

  /// The provider that a query names: by its name here, by the answer of a discovery service, or by what a
  /// person typed.
  ///
  /// - Parameters:
  ///   - route: The route below the prefix that takes the choice, and the parameters it needs.
  /// - Throws: `signin.provider`.
  func choice(
    _ query: FormReader, _ request: WebRequest, _ route: String, _ parameters: [(String, String)]
  ) throws(TokenError) -> Choice {
    if let id = query["provider"] {
      guard let provider = provider(id) else {
        throw TokenError(.signInProvider, found: TokenError.excerpt(id))
      }
      return .chosen(provider)
    }
    guard !providers.isEmpty else { throw TokenError(.signInProvider, found: "no provider") }
    if providers.count == 1, let provider = providers.first { return .chosen(provider) }
    let shown: [SignInProvider]
    let isInVain: Bool
    switch ProviderSearch(query[ChoicePage.field], in: lastFirst(request), name: \.name) {
    case .found(let provider): return .chosen(provider)
    case .open(let fitting, let failed): (shown, isInVain) = (fitting, failed)
    }
    let address = settings.prefix + route
    let carried = parameters.map {
      "&" + HTTPURL.percentEncoded($0.0) + "=" + HTTPURL.percentEncoded($0.1)
    }.joined()
    let links = shown.prefix(ChoicePage.mostLinks).map { provider in
      (provider.name, address + "?provider=" + HTTPURL.percentEncoded(provider.id) + carried)
    }
    var search: ChoicePage.Search?
    if providers.count > ChoicePage.mostLinks {
      search = ChoicePage.Search(
        address: address, fields: parameters.map { (name: $0.0, value: $0.1) },
        names: providers.map(\.name), isInVain: isInVain, matches: shown.count)
    }
    let last = lastChoice(request)?.id
    return .open(
      ChoicePage(
        providers: links, search: search, isLastFirst: last != nil && shown.first?.id == last))
  }

  /// The providers, with the one that this browser chose last in front.
  private func lastFirst(_ request: WebRequest) -> [SignInProvider] {
    guard let last = lastChoice(request) else { return providers }
    return [last] + providers.filter { !$0.id.hasSameBytes(as: last.id) }
  }

  /// The provider that this browser chose last.
  func lastChoice(_ request: WebRequest) -> SignInProvider? {
    guard let id = request.cookies[choiceCookie]?.revealed else { return nil }
    return providers.first { Base64.encode(Array($0.id.utf8), .url).hasSameBytes(as: id) }
  }

  /// Remembers a choice for ninety days: a convenience, which proves nothing.
  func remembering(_ provider: SignInProvider) -> SetCookie {
    SetCookie(
      name: choiceCookie, value: Secret(Base64.encode(Array(provider.id.utf8), .url)),
      maximumAge: 7_776_000, sameSite: .lax)
  }

  private var choiceCookie: String { settings.cookiePrefix + SiteCookie.choice }

  /// `GET discovery`: another service asks for the person's identity provider.
  func discover(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let question = try DiscoveryRequest(request, services: settings.discoverers)
    if question.isPassive {
      return response(question.answer(lastChoice(request)?.issuer), cookies: [])
    }
    switch try choice(request.parameters, request, "discovery", question.parameters) {
    case .open(let choice): return page(200, .providers(choice))
    case .chosen(let provider):
      return response(
        question.answer(provider.issuer), cookies: [remembering(provider)])
    }
  }
}
