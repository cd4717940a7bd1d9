public import Federation
import Octets

extension ServiceNamespace {
  /// A SAML 2.0 response to a service provider, with the claims that the rules give (SAML Profiles 4.1.4).
  ///
  /// - Parameters:
  ///   - claims: The verified claims of the subject.
  ///   - source: Who stated them.
  ///   - party: The relying party that the token is for.
  ///   - nameFormat: The format of the name that the request wants; nil for unspecified.
  ///   - delivery: The address and the request.
  ///   - now: The clock, read once by the caller.
  /// - Throws: as ``issue(_:from:to:as:delivery:at:)``; `issuing.sign-in-request` for a format of names that is not
  ///   issued.
  public func response(
    _ claims: ClaimSet, from source: RuleIssuer, to party: RelyingParty, nameFormat: String?,
    delivery: SAMLDelivery, at now: Instant
  ) throws(TokenError) -> [UInt8] {
    let ruled = try engine(of: party).evaluate(claims, from: source, issuer: issuer)
    var draft = draft(ruled, provider: source.name ?? issuer, to: party, at: now)
    var delivery = delivery
    delivery.nameFormat = nameFormat ?? NameFormat.unspecified
    switch delivery.nameFormat {
    case NameFormat.transient: draft.subject = TokenDraft.unpredictableID()
    case NameFormat.emailAddress:
      guard let email = draft.claims.single(.emailAddress) else {
        throw TokenError(
          .issuingRequest, node: "NameIDPolicy", expected: "rules that give one e-mail address")
      }
      draft.subject = email
    case NameFormat.persistent, NameFormat.unspecified: Self.nameSubject(&draft)
    default:
      throw TokenError(
        .issuingRequest, node: "NameIDPolicy", expected: NameFormat.all.joined(separator: ", "),
        found: TokenError.excerpt(nameFormat ?? ""))
    }
    // A name of another format is the subject; readers take a name identifier claim for a second one.
    if draft.subject != nil {
      draft.claims = ClaimSet(draft.claims.filter { $0.type != .nameIdentifier })
    }
    return try samlIssuer(party, .saml20).response(draft, delivery: delivery)
  }
}

/// The formats of names in SAML (SAML Core 8.3).
public enum NameFormat {
  /// `unspecified`.
  public static let unspecified = "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified"
  /// `emailAddress`.
  public static let emailAddress = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
  /// `persistent`.
  public static let persistent = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
  /// `transient`.
  public static let transient = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
  /// Those that are issued.
  public static let all = [persistent, transient, emailAddress, unspecified]
}
