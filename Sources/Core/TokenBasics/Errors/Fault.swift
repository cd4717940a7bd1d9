extension TokenError {
  /// Whose fault an error is. Every code declares it once; status codes, error names of protocols and pages derive from it.
  public enum Fault: String, Hashable, Sendable, CaseIterable {
    /// The sender of the request, the token or the document, who can correct it.
    case sender
    /// The person, who cancelled or may not do this.
    case person
    /// The identity provider, or another server that was asked.
    case provider
    /// The operator, whose configuration has to change.
    case configuration
    /// This service: its store is unavailable, or it has too much to do.
    case service

    /// Whether the error says nothing about the request or the token, so that the same one may be accepted later.
    package var isOurs: Bool {
      switch self {
      case .sender, .person: false
      case .provider, .configuration, .service: true
      }
    }
  }

  /// What decides how an error is answered where its code alone does not. A text of an error is for people, and is never
  /// searched.
  package enum Reason: Hashable, Sendable {
    /// An error name of OAuth 2.0 or OpenID Connect: the one that an identity provider answered, or that a client is to get.
    case named(OAuthErrorName)
    /// The request forbids to interact with the person, which is necessary.
    case isPassive
    /// The request forbids to interact with the person, who would have to choose an identity provider.
    case isPassiveChoice
    /// The person did not sign in with an authentication context that the request demands.
    case authenticationContext
    /// The request forbids another identity provider between the person and the one that was asked (`ProxyCount` of SAML).
    case noProxying
    /// The request names identity providers, and none of them signs people in here (`IDPList` of SAML).
    case noListedProvider
    /// The request has no token at all.
    case noToken
    /// A rule was given too many claims by an identity provider, and made not too many itself.
    case givenClaims
    /// An instant is too early or too late by this difference, in words.
    case difference(String)
    /// The modulus of an RSA key is too small.
    case smallModulus
    /// The fault may pass by itself, such as a full disk or a file that another process has locked.
    case passing
  }
}

/// An error name of OAuth 2.0 (RFC 6749, 4.1.2.1 and 5.2; RFC 8693, 2.2.2; RFC 7009, 2.2.1) or OpenID Connect (Core 1.0,
/// 3.1.2.6). The set is open.
package struct OAuthErrorName: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  package static let invalidRequest = Self(rawValue: "invalid_request")
  package static let invalidClient = Self(rawValue: "invalid_client")
  package static let invalidGrant = Self(rawValue: "invalid_grant")
  package static let unauthorizedClient = Self(rawValue: "unauthorized_client")
  package static let unsupportedGrantType = Self(rawValue: "unsupported_grant_type")
  package static let unsupportedTokenType = Self(rawValue: "unsupported_token_type")
  package static let unsupportedResponseType = Self(rawValue: "unsupported_response_type")
  package static let invalidScope = Self(rawValue: "invalid_scope")
  package static let invalidTarget = Self(rawValue: "invalid_target")
  package static let invalidToken = Self(rawValue: "invalid_token")
  package static let insufficientScope = Self(rawValue: "insufficient_scope")
  package static let invalidRedirectURI = Self(rawValue: "invalid_redirect_uri")
  package static let invalidClientMetadata = Self(rawValue: "invalid_client_metadata")
  package static let accessDenied = Self(rawValue: "access_denied")
  package static let serverError = Self(rawValue: "server_error")
  package static let temporarilyUnavailable = Self(rawValue: "temporarily_unavailable")
  package static let loginRequired = Self(rawValue: "login_required")
  package static let interactionRequired = Self(rawValue: "interaction_required")
  package static let consentRequired = Self(rawValue: "consent_required")
  package static let accountSelectionRequired = Self(rawValue: "account_selection_required")
  package static let requestNotSupported = Self(rawValue: "request_not_supported")
  package static let requestURINotSupported = Self(rawValue: "request_uri_not_supported")
  package static let registrationNotSupported = Self(rawValue: "registration_not_supported")
}
