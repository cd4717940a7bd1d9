import HTTPExchange
import SignIn
import TokenBasics

/// How protocols name an error, and the status with which they answer it: the one table of this service. What it does not
/// say follows from the fault.
struct ErrorAnswer: Sendable {
  /// A status of SAML 2.0 (Core, 3.2.2.2).
  struct SAMLStatus: Hashable, Sendable {
    let first: String
    let second: String?

    static func requester(_ second: String) -> Self { Self(first: "Requester", second: second) }
    static func responder(_ second: String? = nil) -> Self {
      Self(first: "Responder", second: second)
    }
  }

  /// The name in OAuth 2.0 and OpenID Connect; nil where the endpoint decides.
  let name: OAuthErrorName?
  /// The HTTP status where a program asks; nil for that of the number.
  let status: Int?
  /// The status in a SAML response.
  let saml: SAMLStatus

  private init(
    _ name: OAuthErrorName? = nil, _ status: Int? = nil, saml: SAMLStatus = .responder()
  ) {
    self.name = name
    self.status = status
    self.saml = saml
  }

  /// - Parameter isPassive: Whether the request forbids to interact with the person.
  init(_ error: TokenError, isPassive: Bool = false) {
    let answer =
      error.reason.flatMap { Self.answer(error.code, $0) } ?? Self.codes[error.code] ?? Self()
    let refusesSilently =
      isPassive && [.signInRefused, .responseStatus].contains(error.code)
    self.init(
      answer.name, answer.status, saml: refusesSilently ? .responder("NoPassive") : answer.saml)
  }

  private static func answer(_ code: TokenError.Code, _ reason: TokenError.Reason) -> Self? {
    switch reason {
    case .isPassive: Self(.loginRequired, saml: .responder("NoPassive"))
    case .isPassiveChoice: Self(.accountSelectionRequired, saml: .responder("NoPassive"))
    case .authenticationContext: Self(.loginRequired, saml: .responder("NoAuthnContext"))
    case .noProxying: Self(saml: .responder("ProxyCountExceeded"))
    case .noListedProvider: Self(saml: .responder("NoSupportedIDP"))
    case .named(let name) where code == .issuingAuthorizationRequest: Self(name)
    // The answers to prompt=none, which the client acts on; others are the provider's own.
    case .named(let name) where code == .signInRefused && passive.contains(name):
      Self(name, saml: .responder("AuthnFailed"))
    case .named, .noToken, .givenClaims, .difference, .smallModulus, .passing: nil
    }
  }

  private static let passive: Set<OAuthErrorName> = [
    .loginRequired, .interactionRequired, .consentRequired, .accountSelectionRequired,
  ]

  private static let codes: [TokenError.Code: Self] = [
    // A sign-in that ends so needs another rule.
    .mintCharacter: Self(.serverError), .mintClaimType: Self(.serverError),
    .mintClaimValue: Self(.serverError), .mintReservedName: Self(.serverError),
    .mintSubjectTwice: Self(.serverError),
    .issuingAuthorizationRequest: Self(.invalidRequest),
    .issuingCancelled: Self(.accessDenied, saml: .responder("AuthnFailed")),
    .issuingFreshness: Self(.loginRequired, saml: .responder("AuthnFailed")),
    .issuingNameFormat: Self(saml: .requester("InvalidNameIDPolicy")),
    .issuingProtocol: Self(.unauthorizedClient),
    .issuingProviderAnswer: Self(saml: .responder("AuthnFailed")),
    .issuingSAMLRequest: Self(saml: .requester("RequestUnsupported")),
    .issuingSubject: Self(saml: .responder("AuthnFailed")),
    .signInContext: Self(saml: .responder("NoAuthnContext")),
    .signInRefused: Self(.accessDenied, saml: .responder("AuthnFailed")),
    .exchangeTarget: Self(.invalidTarget), .exchangeScope: Self(.invalidScope),
    .oauthAccessToken: Self(.invalidToken, 401),
    .oauthInsufficientScope: Self(.insufficientScope, 403),
    .registrationRedirectURI: Self(.invalidRedirectURI, 400),
    .registrationMetadata: Self(.invalidClientMetadata, 400),
    .registrationToken: Self(.invalidToken, 401),
  ]
}

extension ACSRefusal {
  /// The name in an authorization response for a fault of this service or of the identity provider (RFC 6749, 4.1.2.1);
  /// nil for other faults.
  var ownFault: OAuthErrorName? {
    switch status {
    case 503: .temporarilyUnavailable
    case 500...: .serverError
    default: nil
    }
  }

  /// The name at the token endpoint of draft 13, by the number.
  var tokenError: OAuthErrorName {
    switch number.number {
    case 50_012, 70_001, 70_002: .invalidClient
    case 70_008, 50_006...50_010, 50_016, 50_017, 50_026, 50_027, 60_001: .invalidGrant
    case 70_003: .unsupportedGrantType
    case 50_001: .invalidScope
    case _ where status >= 500: .serverError
    default: .invalidRequest
    }
  }
}
