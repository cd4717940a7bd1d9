public import Federation
import Octets

/// Who asks, as rules and headers see it.
public struct GateSubject: Sendable {
  /// The subject that rules and the application see, as ``GatePeople/subject(_:at:)`` makes it; empty for none.
  public let subject: String
  /// Its claims.
  public let claims: ClaimSet
  /// The provider at which it signed in, or the issuer of its token, by its identifier in the file.
  public let provider: String
  /// The name of the issuer.
  public let issuer: String
  /// Further names of claims at the provider.
  package var sources = ClaimSources()
  /// The types that its session kept of too many claims; nil where it kept all.
  package var keptTypes: [ClaimType]?
  /// How the subject proved who it is.
  public var authentication = GateAuthentication()
  /// Whether ``subject`` is a text that the header carries unchanged.
  let isEscaped: Bool
  /// Whether an e-mail address counts that nobody calls verified; only for headers.
  let keepsUnconfirmed: Bool

  /// A subject with these claims.
  ///
  /// - Parameters:
  ///   - subject: The subject at its provider.
  ///   - claims: What the provider says of it.
  ///   - provider: The identifier of the provider in the gate's file.
  ///   - issuer: The name of the provider's issuer.
  ///   - people: Whether the providers name one set of people.
  ///   - keepsUnconfirmed: Whether headers carry an e-mail address that the provider does not call verified: where
  ///     there is one provider.
  public init(
    subject: String, claims: ClaimSet, provider: String = "", issuer: String = "",
    people: GatePeople = .shared, keepsUnconfirmed: Bool = true
  ) {
    self.subject = subject.isEmpty ? "" : people.subject(subject, at: provider)
    self.claims = claims
    self.provider = provider
    self.issuer = issuer
    isEscaped = people == .byProvider
    self.keepsUnconfirmed = keepsUnconfirmed
  }

  /// Whether the issuer left its groups out: that its claims have none does not say that it is in none.
  var lacksGroups: Bool { claims.lacksGroups }

  /// Whether its session may have dropped a claim that the file names by these types: a file that named it when the
  /// person signed in would have kept it.
  func mayHaveDropped(_ claims: [ClaimType]) -> Bool {
    guard let keptTypes else { return false }
    return sources.types(for: claims).contains { type in
      !GateClaim.reserved.contains(type) && !keptTypes.contains(type)
    }
  }

  /// The claims that a header or a member of the signed identity shows, for a page.
  func claims(
    shownAs types: [ClaimType], of counted: CountedProviders, only: [String]? = nil
  ) -> [Claim] {
    guard counted.contains(provider),
      let type = sources.types(for: types).first(where: { !values($0, .header).isEmpty }),
      !GateClaim.reserved.contains(type)
    else { return [] }
    let shown = values(type, .header).filter { only?.containsBytes(of: $0) ?? true }
    let own = claims.filter { $0.type == type && shown.containsBytes(of: $0.value) }
    return own.isEmpty ? shown.map { Claim(type, $0, issuer: issuer) } : own
  }

  /// What a claim is looked up for.
  enum Use {
    /// It lets in.
    case toAllow
    /// It keeps out, for which a doubtful value is enough.
    case toRefuse
    /// The application reads it.
    case header
  }

  /// The values of a claim that the file names by these types: what keeps out looks at all of them, and at the first that
  /// there is otherwise.
  func values(of claims: [ClaimType], _ use: Use) -> [String] {
    let types = sources.types(for: claims)
    guard use == .toRefuse else {
      // A dropped claim is unknown: what comes after it does not count in its place.
      guard !mayHaveDropped(claims) else { return [] }
      return types.lazy.map { values($0, use) }.first { !$0.isEmpty } ?? []
    }
    return types.flatMap { values($0, use) }
  }

  /// The values of a claim. Subject, provider and issuer are those of the session, never a claim of that name.
  func values(_ type: ClaimType, _ use: Use) -> [String] {
    switch type {
    case GateClaim.subject: return subject.isEmpty ? [] : [subject]
    case GateClaim.provider: return provider.isEmpty ? [] : [provider]
    case GateClaim.issuer: return issuer.isEmpty ? [] : [issuer]
    default: break
    }
    guard GateClaim.isEmail(type), use == .toAllow || use == .header && !keepsUnconfirmed else {
      return claims.values(namedBy: type)
    }
    return claims.filter { $0.type == type && !CountedEmail.isUnconfirmed($0) }.map(\.value)
  }
}
