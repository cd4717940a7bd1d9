/// What an OpenID provider says about itself (OpenID Connect Discovery 1.0, 3).
///
/// The addresses are those of the document that the configured issuer published; nothing in a token or in
/// an answer of a browser changes them.
public struct OpenIDConfiguration: Hashable, Sendable {
  /// The issuer's identifier, byte for byte the configured one (`issuer`).
  public let issuer: String
  /// Where the browser is sent to sign in (`authorization_endpoint`); nil for an issuer of tokens alone, such as GitHub
  /// Actions and Kubernetes.
  public let authorizationEndpoint: HTTPURL?
  /// Where a code is exchanged for tokens (`token_endpoint`); nil for such an issuer.
  public let tokenEndpoint: HTTPURL?
  /// Where the issuer's keys are (`jwks_uri`).
  public let keySetAddress: HTTPURL
  /// Where claims are read with an access token (`userinfo_endpoint`).
  public let userInfoEndpoint: HTTPURL?
  /// Where the browser is sent to sign out (`end_session_endpoint`, OpenID Connect RP-Initiated Logout 1.0,
  /// 2.1).
  public let endSessionEndpoint: HTTPURL?
  /// The names of the algorithms that sign ID tokens (`id_token_signing_alg_values_supported`).
  public let signingAlgorithms: [String]
  /// The names of the algorithms that sign answers of the UserInfo endpoint
  /// (`userinfo_signing_alg_values_supported`).
  public let userInfoAlgorithms: [String]
  /// The names of the algorithms by which clients may sign at the token endpoint
  /// (`token_endpoint_auth_signing_alg_values_supported`); empty where the provider does not say.
  public let authenticationAlgorithms: [String]
  /// How clients authenticate at the token endpoint (`token_endpoint_auth_methods_supported`); by default
  /// `client_secret_basic`.
  public let authenticationMethods: [String]
  /// The values of `response_type` (`response_types_supported`).
  public let responseTypes: [String]
  /// The values of `response_mode` (`response_modes_supported`); by default `query` and `fragment`.
  public let responseModes: [String]
  /// The methods of proof keys (`code_challenge_methods_supported`, RFC 8414, 2).
  public let codeChallengeMethods: [String]
  /// The scopes (`scopes_supported`).
  public let scopes: [String]
  /// The authentication contexts (`acr_values_supported`); empty where the provider does not say.
  public let contexts: [String]
  /// The values of `prompt` (`prompt_values_supported`, Initiating User Registration via OpenID Connect 1.0, 4); empty
  /// where the provider does not say.
  public let prompts: [String]
  /// Whether each answer names the issuer (`authorization_response_iss_parameter_supported`, RFC 9207, 3).
  public let namesIssuerInAnswers: Bool
  /// Whether logout tokens are sent (`backchannel_logout_supported`, OpenID Connect Back-Channel Logout
  /// 1.0, 2.1).
  public let sendsLogoutTokens: Bool
  /// Whether logout tokens name the session (`backchannel_logout_session_supported`).
  public let namesSessionInLogoutTokens: Bool
}
