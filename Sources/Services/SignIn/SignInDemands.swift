/// What one sign-in asks of the provider beyond what its configuration asks of every one: the demands of a relying party
/// that the service passes on.
///
/// Each protocol carries what it has a place for. What the provider then did is in its answer and is not compared here,
/// but for the contexts of SAML.
public struct SignInDemands: Hashable, Sendable {
  /// Whether the subject has to sign in anew (`ForceAuthn`, `prompt=login`, `wfresh=0`).
  public var forcesSignIn = false
  /// Whether nobody may be asked (`IsPassive`, `prompt=none`). WS-Federation has no place for it.
  public var isPassive = false
  /// The most seconds since the subject signed in (`max_age`, `wfresh` in minutes); SAML signs in anew.
  public var maxAge: Int?
  /// The accepted authentication contexts (`RequestedAuthnContext`, `acr_values`, `wauth`, which is one); empty for any.
  public var contexts: [String] = []
  /// What the provider shall ask besides (`prompt` of OpenID Connect); nil for its own choice.
  public var prompt: String?
  /// Who the subject probably is (`login_hint` of OpenID Connect).
  public var loginHint: String?
  /// The identity provider behind the provider (`whr` of WS-Federation).
  public var homeRealm: String?
  /// Whether the answer has to say when the subject signed in. An OpenID provider owes that where a `max_age` was asked for.
  public var wantsInstant = false

  /// No demands.
  public init() {}

  /// The greatest age that can be asked for: ten years, which asks for the instant alone.
  static let anyAge = 315_360_000
}
