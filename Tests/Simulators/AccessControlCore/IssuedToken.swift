import Claims
import Federation
import JSONWebTokens
import SAML
import SimpleWebTokens
import SimulatedService
import TokenBasics

/// A token that was just minted, and its possible envelopes.
struct IssuedToken {
  let format: TokenFormat
  /// The token itself: an SWT, a JWT, an assertion.
  let octets: [UInt8]
  let draft: TokenDraft
  /// The `wresult` of a SAML token, whose assertion must keep its octets.
  private let response: [UInt8]?

  init(
    _ draft: TokenDraft, _ format: TokenFormat, _ namespace: AccessControlNamespace
  ) throws {
    self.format = format
    self.draft = draft
    switch format {
    case .swt:
      guard let key = namespace.symmetricKey else { throw ServiceFault.noSymmetricKey }
      octets = try SimpleWebToken.mint(draft, key: key)
      response = nil
    case .jwt:
      guard let key = namespace.signingKey else { throw ServiceFault.noCertificate }
      var short = draft
      short.claims = ClaimSet(
        draft.claims.map { claim in
          Claim(ClaimType(ClaimNaming.shortName(of: claim.type) ?? claim.type.name), claim.value)
        })
      octets = try JSONWebToken.mint(short, key: key)
      response = nil
    default:
      guard let key = namespace.signingKey else { throw ServiceFault.noCertificate }
      let issuer = SAMLIssuer(format == .saml11 ? .v1 : .v2, key: key)
      octets = try issuer.assertion(draft)
      response = try issuer.tokenResponse(draft)
    }
  }

  /// The token's type in envelopes.
  var typeURI: String {
    switch format {
    case .swt: TokenEnvelope.swtType
    case .jwt: TokenEnvelope.jwtType
    case .saml11: "urn:oasis:names:tc:SAML:1.0:assertion"
    default: "urn:oasis:names:tc:SAML:2.0:assertion"
    }
  }

  private var lifetime: Range<Instant> { draft.issuedAt..<draft.expires }

  /// The `wresult` of a sign-in.
  func tokenResponse(context: String?) -> String {
    if let response { return String(decoding: response, as: UTF8.self) }
    return TokenEnvelope.response(
      TokenEnvelope.binaryToken(octets, type: typeURI), type: typeURI, context: context,
      lifetime: lifetime, appliesTo: draft.audiences[0])
  }

  /// The JSON that the notify page passes on.
  func notifyMessage(context: String?) -> String {
    TokenEnvelope.notifyMessage(
      response == nil
        ? TokenEnvelope.binaryToken(octets, type: typeURI)
        : String(decoding: octets, as: UTF8.self),
      type: typeURI, context: context, realm: draft.audiences[0], lifetime: lifetime)
  }
}
