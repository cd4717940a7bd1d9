import Claims
public import Federation
import Octets
public import TokenBasics

extension ServiceNamespace {
  /// A SAML 2.0 response to a service provider, with the claims that the rules give (SAML Profiles 4.1.4).
  ///
  /// A name is ours, and another one at each service provider. Only a name that the rules make, and not the provider's own
  /// passed on, goes out as it is. A subject without a name that lasts gets a transient one.
  ///
  /// - Parameters:
  ///   - subject: Who signed in.
  ///   - party: The relying party that the token is for.
  ///   - nameFormat: The format of the name that the request wants; nil for any.
  ///   - delivery: The address and the request.
  ///   - id: The identifier of the assertion.
  ///   - now: The clock, read once by the caller.
  /// - Throws: as ``issue(_:from:to:as:delivery:at:)``; `issuing.name-format` for a format that is not issued, or not for
  ///   this subject.
  public func response(
    _ subject: SignedInSubject, to party: RelyingParty, nameFormat: String?,
    delivery: SAMLDelivery, id: String = TokenDraft.unpredictableID(), at now: Instant
  ) throws(TokenError) -> [UInt8] {
    let (token, way) = try draft(
      subject, to: party, nameFormat: nameFormat, delivery: delivery, id: id, at: now)
    return try response(token, way, to: party)
  }

  /// The response around an assertion.
  func response(
    _ draft: TokenDraft, _ delivery: SAMLDelivery, to party: RelyingParty
  ) throws(TokenError) -> [UInt8] {
    try samlIssuer(party, .saml20).response(
      draft, delivery: delivery, signing: party.signsResponses ? .both : nil)
  }

  /// What the assertion says: the claims, the name and the session.
  ///
  /// - Throws: as ``response(_:to:nameFormat:delivery:id:at:)``.
  func draft(
    _ subject: SignedInSubject, to party: RelyingParty, nameFormat: String?,
    delivery: SAMLDelivery, id: String, at now: Instant
  ) throws(TokenError) -> (TokenDraft, SAMLDelivery) {
    let ruled = try engine(of: party).evaluate(
      subject.claims, from: subject.source, issuer: issuer)
    var draft = draft(
      ruled, provider: subject.source.name ?? issuer, to: party, as: .saml20, at: now)
    draft.id = id
    var delivery = Self.stating(subject, delivery)
    delivery.nameFormat = nameFormat
    // Another one for each assertion, so that two service providers cannot put together what they know.
    delivery.sessionIndex = delivery.sessionIndex ?? id + "-session"
    switch nameFormat {
    case NameFormat.transient: draft.subject = TokenDraft.unpredictableID()
    case NameFormat.emailAddress:
      guard let email = draft.claims.single(.emailAddress), isVouched(email, subject, ruled) else {
        throw TokenError(
          .issuingNameFormat, node: "NameIDPolicy",
          expected: "rules that give one e-mail address for which the provider may vouch")
      }
      draft.subject = email
    case NameFormat.persistent:
      guard subject.name != nil else {
        throw TokenError(
          .issuingNameFormat, node: "NameIDPolicy", expected: "a provider whose names last",
          found: subject.source.name)
      }
      try namePersistently(&draft, &delivery, subject, party)
    case NameFormat.unspecified, nil:
      if let name = Self.nameMade(by: draft.claims, for: subject) {
        draft.subject = name
        delivery.nameFormat = NameFormat.unspecified
      } else if subject.name != nil {
        try namePersistently(&draft, &delivery, subject, party)
      } else {
        draft.subject = TokenDraft.unpredictableID()
        delivery.nameFormat = NameFormat.transient
      }
    default:
      throw TokenError(
        .issuingNameFormat, node: "NameIDPolicy", expected: NameFormat.all.joined(separator: ", "),
        found: TokenError.excerpt(nameFormat ?? ""))
    }
    // Readers take a name identifier claim for a second name.
    draft.claims = ClaimSet(draft.claims.filter { $0.type != .nameIdentifier })
    return (draft, delivery)
  }

  /// SAML Core 8.3.7.
  private func namePersistently(
    _ draft: inout TokenDraft, _ delivery: inout SAMLDelivery, _ subject: SignedInSubject,
    _ party: RelyingParty
  ) throws(TokenError) {
    draft.subject = try identifier(of: subject, for: party)
    delivery.nameFormat = delivery.nameFormat ?? NameFormat.persistent
    delivery.nameQualifier = issuer
    if !party.hasPublicIdentifiers { delivery.spNameQualifier = party.realm }
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
