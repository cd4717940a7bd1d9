/// The one format that an endpoint accepts.
public enum PinnedFormat: String, CaseIterable, Hashable, Sendable {
  /// A Simple Web Token.
  case swt
  /// A SAML 1.1 assertion or response.
  case saml11
  /// A SAML 2.0 assertion or response.
  case saml20
  /// A JSON Web Token.
  case jwt
  /// A WS-Trust response, whatever token it holds.
  case rstr
}
