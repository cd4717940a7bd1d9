public import Claims
import SecurityKeys
public import TokenBasics

/// Who signed in: what an identity provider, or the service about a service identity, says about a subject.
public struct SignedInSubject: Sendable, CustomStringConvertible, CustomReflectable {
  /// Who says it.
  public let source: RuleIssuer
  /// The claims that rules see.
  public let claims: ClaimSet
  /// The one verified name of the subject at the source; nil where there is none that lasts, as with a transient name.
  /// The identifiers that the service issues are made of it.
  public let name: String?
  /// The e-mail addresses that the source vouches for.
  public var emails: [String] = []
  /// When the source authenticated the subject; nil where it does not say. It is never the time of a request or a token.
  public var authenticated: Instant?
  /// How the source authenticated the subject, as a URI; nil where it does not say.
  public var context: String?
  /// The methods by which the source authenticated the subject (`amr`, RFC 8176); empty where it does not say.
  public var methods: [String] = []
  /// The issuers that signed the subject in before the source's word came here, as SAML names them; empty for a subject whom
  /// the service signed in itself.
  public var authorities: [String] = []
  /// Who acts for the subject; nil for no one else.
  public var actor: ActorChain?

  /// A subject.
  public init(_ claims: ClaimSet, from source: RuleIssuer, name: String?) {
    self.claims = claims
    self.source = source
    self.name = name
  }

  /// A subject whose name is the name identifier among the claims.
  ///
  /// - Throws: `issuing.subject` for several of them: nobody could tell which one is meant.
  public init(named claims: ClaimSet, from source: RuleIssuer) throws(TokenError) {
    let names = claims[.nameIdentifier]
    guard names.count < 2 else {
      throw TokenError(
        .issuingSubject, node: source.name, expected: "one name identifier",
        found: "\(names.count)")
    }
    self.init(claims, from: source, name: names.first.flatMap { $0.isEmpty ? nil : $0 })
  }

  /// The source and the number of claims; neither name nor value.
  public var description: String {
    "a subject of \(source.name ?? "the service"), \(claims.count) claims"
  }

  /// Has no children, so that a dump shows no claim.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension ServiceNamespace {
  /// The identifier of a subject for a relying party: a keyed digest of the identity provider, the verified name there
  /// and, unless the relying party has public identifiers, its realm (OpenID Connect Core 1.0, 8.1; SAML Core 8.3.7).
  ///
  /// - Throws: `issuing.subject` where the source gives no name that lasts, `issuing.no-identifier-key`.
  func identifier(
    of subject: SignedInSubject, for party: RelyingParty
  ) throws(TokenError) -> String {
    guard let name = subject.name else {
      throw TokenError(
        .issuingSubject, node: subject.source.name, expected: "one name that lasts",
        found: "none")
    }
    guard let key = keys.identifiers else { throw TokenError(.issuingNoIdentifierKey) }
    let parts =
      party.hasPublicIdentifiers
      ? ["public", subject.source.name ?? issuer, name]
      : ["pairwise", subject.source.name ?? issuer, name, party.ownRealm]
    guard let mac = key.authenticate(PrefixedTexts.octets(parts).span, with: .sha256) else {
      throw TokenError(.issuingNoIdentifierKey, found: "no digest")
    }
    return Base64.encode(mac, .url)
  }
}
