public import Federation
import Octets

/// Who signed in: the subject of a verified token, with its claims.
public struct FederatedPrincipal: Sendable, CustomStringConvertible {
  /// The issuer of the token.
  public var issuer: String { parts.value.issuer }
  /// The subject, unique at ``issuer`` alone (RP-20): never an identifier by itself.
  public var subject: String { parts.value.subject }
  /// The claims of the token, as the trust shows them.
  public var claims: ClaimSet { parts.value.claims }
  /// The format of the token.
  public var format: TokenFormat { parts.value.format }
  /// What ends the session at the issuer.
  public var issuerSession: IssuerSession { parts.value.issuerSession }
  /// What was accepted with a warning.
  public var warnings: [String] { parts.value.warnings }
  /// The types of claims that the service named at the sign-in, where claims of other types were dropped because there were
  /// too many; nil where none was dropped.
  package var keptTypes: [ClaimType]? { parts.value.keptTypes }

  /// One reference: each middleware of a service copies the context that holds a principal.
  private let parts: Shared<Parts>

  package init(
    issuer: String, subject: String, claims: ClaimSet, format: TokenFormat,
    issuerSession: IssuerSession, warnings: [String], keptTypes: [ClaimType]? = nil
  ) {
    parts = Shared(
      Parts(
        issuer: issuer, subject: subject, claims: claims, format: format,
        issuerSession: issuerSession, warnings: warnings, keptTypes: keptTypes))
  }

  /// Issuer and number of claims; neither subject nor value.
  public var description: String { "a subject of \(issuer), \(claims.count) claims" }

  private struct Parts: Sendable {
    let issuer: String
    let subject: String
    let claims: ClaimSet
    let format: TokenFormat
    let issuerSession: IssuerSession
    let warnings: [String]
    let keptTypes: [ClaimType]?
  }
}

/// The session at the issuer that a token belongs to: what a logout message names, and when it ends.
public struct IssuerSession: Hashable, Sendable {
  /// SAML's `SessionIndex` or OpenID's `sid`.
  public var index: String?
  /// The SAML subject's name with its format and qualifiers, as a logout request has to repeat it.
  public var name: SubjectName?
  /// When the issuer wants the session ended (`SessionNotOnOrAfter`); nil for no end.
  public var end: Instant?

  /// A session with these parts.
  public init(index: String? = nil, name: SubjectName? = nil, end: Instant? = nil) {
    self.index = index
    self.name = name
    self.end = end
  }
}

extension IssuerSession {
  /// The session that a verified assertion names.
  init(_ verified: Verified<SAMLToken>) {
    let name = verified.claims.first { $0.type == .nameIdentifier }
    func property(_ local: String) -> String? {
      name?.properties[Claim.propertyPrefix + local]
    }
    self.init(
      index: verified.facts.sessionIndex,
      name: verified.facts.subject.map {
        SubjectName(
          $0, format: property("format"), nameQualifier: property("namequalifier"),
          spNameQualifier: property("spnamequalifier"))
      }, end: verified.facts.sessionEnd)
  }
}
