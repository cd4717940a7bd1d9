import HTTPExchange
import Federation
public import IssuerRegistry

/// What a provider says of itself against what is configured for it.
public struct ProviderIncompatibility: Sendable {
  /// What does not fit: the member of the provider's configuration, what is needed of it, and what it has.
  public let error: TokenError
  /// Whether nobody can sign in so. Otherwise it may work all the same, since providers do not list everything.
  public let preventsSignIn: Bool
}

extension OpenIDRelyingParty {
  /// What of the registration the provider's configuration does not offer, gravest first; empty where all of it fits.
  public func incompatibilities(_ found: OpenIDConfiguration) -> [ProviderIncompatibility] {
    obstacles(found).map { ProviderIncompatibility(error: $0, preventsSignIn: true) }
      + doubts(found).map { ProviderIncompatibility(error: $0, preventsSignIn: false) }
  }

  private func obstacles(_ found: OpenIDConfiguration) -> [TokenError] {
    var errors: [TokenError] = []
    for (node, endpoint) in [
      ("authorization_endpoint", found.authorizationEndpoint),
      ("token_endpoint", found.tokenEndpoint),
    ] where endpoint == nil {
      errors.append(TokenError(.signInNoEndpoint, node: node))
    }
    if !found.responseTypes.isEmpty, !found.responseTypes.contains("code") {
      errors.append(
        TokenError(.signInNoEndpoint, node: "response_types_supported", expected: "code"))
    }
    if configuration.userInfo == .always, found.userInfoEndpoint == nil {
      errors.append(TokenError(.signInNoEndpoint, node: "userinfo_endpoint"))
    }
    let offered = Self.publicAlgorithms(found.signingAlgorithms)
    let wanted = configuration.signingAlgorithms
    let isOffered = wanted.map { wanted in wanted.contains { offered.contains($0) } }
    if !found.signingAlgorithms.isEmpty, !(isOffered ?? !offered.isEmpty) {
      errors.append(
        Self.missing(
          "id_token_signing_alg_values_supported",
          wanted?.map(\.nameInJOSE) ?? ["an algorithm with a public key"],
          found.signingAlgorithms))
    }
    return errors
  }

  private func doubts(_ found: OpenIDConfiguration) -> [TokenError] {
    var doubts: [TokenError] = []
    func compare(_ node: String, _ wanted: [String], _ offered: [String]) {
      guard !wanted.isEmpty, !offered.isEmpty, Set(offered).isDisjoint(with: wanted) else { return }
      doubts.append(Self.missing(node, wanted, offered))
    }
    let client = configuration
    compare("response_modes_supported", [client.responseMode.rawValue], found.responseModes)
    compare("code_challenge_methods_supported", ["S256"], found.codeChallengeMethods)
    compare("acr_values_supported", client.contexts, found.contexts)
    compare(
      "prompt_values_supported", client.prompt?.split(separator: " ").map(String.init) ?? [],
      found.prompts)
    compare(
      "token_endpoint_auth_methods_supported", client.authentication.names,
      found.authenticationMethods)
    if case .privateKey(let key, _) = client.authentication, Self.signer(key, found) == nil {
      doubts.append(
        Self.missing(
          "token_endpoint_auth_signing_alg_values_supported", [key.algorithm.nameInJOSE],
          found.authenticationAlgorithms))
    }
    return doubts
  }

  private static func missing(
    _ node: String, _ wanted: [String], _ offered: [String]
  ) -> TokenError {
    TokenError(
      .signInIncompatible, node: node, expected: wanted.joined(separator: " or "),
      found: offered.prefix(16).map { TokenError.excerpt($0) }.joined(separator: ", "))
  }
}

extension ClientAuthentication {
  /// The names in `token_endpoint_auth_methods_supported`; empty for none, which providers that take it seldom list.
  fileprivate var names: [String] {
    switch self {
    case .basic: ["client_secret_basic"]
    case .post: ["client_secret_post"]
    case .privateKey: ["private_key_jwt"]
    case .none: []
    }
  }
}
