public import Federation
public import HTTPExchange
import Octets

/// What a relying party registered with a provider, and what it asks for (OpenID Connect Core 1.0, 3.1.2.1).
public struct OpenIDClient: Sendable {
  /// The client's identifier (`client_id`).
  public var clientID: String
  /// How it authenticates at the token endpoint.
  public var authentication: ClientAuthentication
  /// The registered address to which the browser returns (`redirect_uri`). It comes from configuration,
  /// never from a request's host.
  public var redirectURI: HTTPURL
  /// Addresses that an earlier version of the service sent in place of ``redirectURI``: a sign-in that began with one is finished.
  package var formerRedirectURIs: [HTTPURL] = []
  /// The requested scopes; `openid` must be among them. Claims about a person come with further ones, such as
  /// `profile` and `email` (OpenID Connect Core 1.0, 5.4).
  public var scopes = ["openid"]
  /// The algorithms that may sign ID tokens and logout tokens, as registered (`id_token_signed_response_alg`). Nil for those
  /// that the provider's configuration lists, as far as they verify with a public key and without an exception; never what
  /// a token names.
  public var signingAlgorithms: [SignatureAlgorithm]?
  /// How the answer arrives; any other way is refused.
  public var responseMode = OpenIDResponseMode.query
  /// The most seconds since the person last typed a password or the like (`max_age`); nil for any.
  public var maxAge: Int?
  /// What the provider asks the person (`prompt`), such as `login`; nil for its own choice.
  public var prompt: String?
  /// The authentication contexts of which one is demanded (`acr_values`); empty for any. Unlike the
  /// standard's voluntary claim, an answer with another context is refused.
  public var contexts: [String] = []
  /// The resources for which access tokens are asked (`resource`, RFC 8707, 2): absolute URIs without a fragment.
  public var resources: [String] = []
  /// When claims are also read from the UserInfo endpoint.
  public var userInfo = UserInfoUse.never
  /// Seconds after which the claims of a session are read anew with the refresh token; nil for never. `offline_access` is
  /// then asked for where the provider has it (OpenID Connect Core 1.0, 11).
  public var refreshInterval: Int64?
  /// Keys of ours that are published beside the one that authenticates, so that the provider knows them before they sign.
  public var announcedKeys: [SigningKey] = []
  /// Private keys of ours to which the provider may encrypt ID tokens, logout tokens and UserInfo. Their public halves are
  /// published; empty for none.
  public var decryptionKeys: [DecryptionKey] = []
  /// Whether an ID token that comes unencrypted is refused.
  public var demandsEncryption = false
  /// The domains whose e-mail addresses count although the provider does not say that they are verified; an
  /// address that it calls unverified never does.
  public var emailDomains: [String] = []
  /// The audiences that an ID token may name beside ``clientID`` (OpenID Connect Core 1.0, 3.1.3.7, 3); nil for any.
  public var otherAudiences: [String]?
  /// How the names of claims are reported.
  public var naming = ClaimNaming.asWritten

  /// A registration; everything else has its default.
  public init(clientID: String, authentication: ClientAuthentication, redirectURI: HTTPURL) {
    self.clientID = clientID
    self.authentication = authentication
    self.redirectURI = redirectURI
  }

  /// - Throws: `signin.configuration`.
  func check() throws(TokenError) {
    func wrong(_ node: String, _ expected: String) -> TokenError {
      TokenError(.signInConfiguration, node: node, expected: expected)
    }
    guard Self.isPlain(clientID) else { throw wrong("clientID", "visible ASCII") }
    guard scopes.contains("openid") else { throw wrong("scopes", "openid") }
    guard scopes.allSatisfy(Self.isToken) else { throw wrong("scopes", "names without spaces") }
    guard contexts.allSatisfy(Self.isToken) else { throw wrong("contexts", "names without spaces") }
    guard signingAlgorithms.map({ !$0.isEmpty && $0.allSatisfy(Self.isPublic) }) ?? true else {
      throw wrong("signingAlgorithms", "algorithms with a public key")
    }
    guard resources.allSatisfy(Self.isResource) else {
      throw wrong("resources", "absolute URIs without a fragment")
    }
    guard refreshInterval.map({ (1...315_360_000).contains($0) }) ?? true else {
      throw wrong("refreshInterval", "1 second to ten years")
    }
    guard !demandsEncryption || !decryptionKeys.isEmpty else {
      throw wrong("decryptionKeys", "a key, since encryption is demanded")
    }
    guard maxAge.map({ (0...315_360_000).contains($0) }) ?? true else {
      throw wrong("maxAge", "0 seconds to ten years")
    }
    switch authentication {
    case .basic(let secret), .post(let secret):
      guard !secret.revealed.isEmpty else { throw wrong("authentication", "a secret") }
    // Every algorithm that a signing key takes has a name in JOSE.
    case .privateKey, .none: break
    }
  }

  /// Whether an algorithm verifies with a public key and no exception.
  package static func isPublic(_ algorithm: SignatureAlgorithm) -> Bool {
    algorithm.family != .hmac && !algorithm.isLegacy
  }

  /// RFC 8707, 2: an absolute URI (RFC 3986, 4.3).
  package static func isResource(_ text: String) -> Bool {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let scheme = text.utf8[..<colon]
    return scheme.first.map(ASCII.isLetter) ?? false
      && scheme.allSatisfy {
        ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0)
      }
      && text.utf8[colon...].count > 1
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }
  }

  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }

  /// RFC 6749, 3.3.
  package static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"\\".utf8.contains($0) }
  }
}
