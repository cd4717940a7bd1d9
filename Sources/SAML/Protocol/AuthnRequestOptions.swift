/// What a sign-in request asks for beyond a sign-in (SAML Core 3.4.1).
public struct AuthnRequestOptions: Hashable, Sendable {
  /// Whether the subject has to sign in anew, whatever session the identity provider has (`ForceAuthn`).
  public var forcesSignIn = false
  /// Whether the identity provider must not show a page (`IsPassive`). It refuses with `NoPassive` where
  /// it would have to.
  public var isPassive = false
  /// The format of the subject's name (`NameIDPolicy`); nil to leave the choice to the identity provider.
  public var nameFormat: String?
  /// The accepted authentication context classes (`RequestedAuthnContext`); empty for any.
  public var contexts: [String] = []

  /// A request without demands.
  public init() {}
}
