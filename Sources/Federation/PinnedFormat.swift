/// What an endpoint takes, when it does not take everything.
public enum PinnedFormat: String, CaseIterable, Hashable, Sendable {
  case swt
  case saml11
  case saml20
  case jwt
  /// A WS-Trust response, whatever token it holds.
  case rstr
}
