public import Federation

/// What is registered with an OpenID provider, and what is asked of it, as a configuration file says it.
public struct OpenIDRegistration: Hashable, Sendable {
  /// How the client authenticates, with the names of files.
  public enum Authentication: Hashable, Sendable {
    /// By a secret in `Authorization` (`client_secret_basic`).
    case basic(secretFile: String)
    /// By a secret in the form (`client_secret_post`).
    case post(secretFile: String)
    /// By a signature (`private_key_jwt`). The first key signs, all are published.
    case privateKey(keyFiles: [String])
    /// Not at all.
    case none
  }

  /// The provider's identifier, from which its configuration is discovered.
  public let issuer: String
  /// The address of the configuration; nil for the one below the issuer.
  public let discovery: String?
  /// The audiences that an ID token may name beside ours; nil for any.
  public let otherAudiences: [String]?
  /// The identifier of the client.
  public let clientID: String
  /// How it authenticates.
  public let authentication: Authentication
  /// The scopes to ask for.
  public let scopes: [String]
  /// Whether UserInfo is read at each sign-in, or never; nil for where a claim is missing.
  public let userInfo: Bool?
  /// The algorithms of tokens; nil for those that the provider lists.
  public let algorithms: [SignatureAlgorithm]?
  /// What the provider asks the person (`prompt`); nil for its own choice.
  public let prompt: String?
  /// The most seconds since the person last proved who they are; nil for any.
  public let maxAge: Int?
  /// The authentication contexts of which one is demanded; empty for any.
  public let contexts: [String]
  /// What access tokens are for (RFC 8707).
  public let resources: [String]
  /// How answers come.
  public let responseMode: OpenIDResponseMode
  /// Seconds after which the claims of a session are read anew; nil for never.
  public let refresh: Int?
  /// The domains whose e-mail addresses count although the provider does not say that they are verified.
  public let emails: [String]

  /// The files of private keys to which the provider may encrypt; all are published.
  public let decryptKeys: [String]
  /// Whether an ID token that is not encrypted is refused.
  public let demandsEncryption: Bool

  /// The files of secrets.
  package var secretFiles: [String] {
    switch authentication {
    case .basic(let file), .post(let file): [file] + decryptKeys
    case .privateKey(let files): files + decryptKeys
    case .none: decryptKeys
    }
  }
}
