public import Claims
public import HTTPExchange
public import SecurityKeys

/// The configuration of a namespace: relying parties, identity providers, signing keys.
public struct AccessControlNamespace: Sendable {
  /// A relying party.
  public struct RelyingParty: Sendable {
    public var realm: String
    public var format: TokenFormat
    /// Return URLs for tokens, compared exactly; a loopback address may have any port (RFC 8252, 7.3).
    public var returnURLs: [String]
    /// The return URL for errors; nil to show them on a page.
    public var postsErrors = false
    public var lifetime = 600
    /// Whether a JSON Web Token contains the nonce of its request, unlike the service itself.
    public var writesNonce = false

    public init(realm: String, format: TokenFormat, returnURLs: [String] = []) {
      self.realm = realm
      self.format = format
      self.returnURLs = returnURLs
    }
  }

  /// An identity provider, and the one person who has an account there.
  public struct Provider: Sendable {
    /// The text of the button.
    public var name: String
    /// The value of the identity provider claim.
    public var id: String
    public var emailSuffixes: [String] = []
    /// The application's permissions, in the address.
    public var scope: String?
    /// The person's identifier there; nil if the rules give no claims.
    public var subject: String?
    public var claims: [Claim]

    public init(name: String, id: String, subject: String?, claims: [Claim] = []) {
      self.name = name
      self.id = id
      self.subject = subject
      self.claims = claims
    }
  }

  /// A program's account, which is also a client of the OAuth endpoint.
  public struct ServiceIdentity: Sendable {
    public var name: String
    public var password: String
    /// The key for its own assertions.
    public var key: SymmetricKey
    public var redirectURIs: [String] = []
    public var claims: [Claim]

    public init(name: String, password: String, key: SymmetricKey, claims: [Claim]) {
      self.name = name
      self.password = password
      self.key = key
      self.claims = claims
    }
  }

  /// `https://…/`, also the issuer.
  public var base: HTTPURL
  public var relyingParties: [RelyingParty]
  public var providers: [Provider]
  public var identities: [ServiceIdentity]
  /// For Simple Web Tokens; nil gives `ACS50003`.
  public var symmetricKey: SymmetricKey?
  /// For SAML and JSON Web Tokens; nil gives `ACS50004`.
  public var signingKey: SigningKey?
  /// The keys for SAML assertions at the WRAP endpoint.
  public var partners: [TrustedIssuer] = []

  public init(
    base: HTTPURL, relyingParties: [RelyingParty], providers: [Provider] = [],
    identities: [ServiceIdentity] = [], symmetricKey: SymmetricKey?, signingKey: SigningKey?
  ) {
    self.base = base
    self.relyingParties = relyingParties
    self.providers = providers
    self.identities = identities
    self.symmetricKey = symmetricKey
    self.signingKey = signingKey
  }

  public var issuer: String { base.origin.description + "/" }
}
