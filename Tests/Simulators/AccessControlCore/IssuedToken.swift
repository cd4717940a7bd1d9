import Claims
import Federation
import Instants
import JSONWebTokens
import Octets
import SAML
import SimpleWebTokens
import SimulatedService
import TokenErrors

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
    case .swt: "http://schemas.xmlsoap.org/ws/2009/11/swt-token-profile-1.0"
    case .jwt: "urn:ietf:params:oauth:token-type:jwt"
    case .saml11: "urn:oasis:names:tc:SAML:1.0:assertion"
    default: "urn:oasis:names:tc:SAML:2.0:assertion"
    }
  }

  /// The `wresult` of a sign-in.
  func tokenResponse(context: String?) -> String {
    if let response { return String(decoding: response, as: UTF8.self) }
    let trust = "http://schemas.xmlsoap.org/ws/2005/02/trust"
    let created = draft.issuedAt.rfc3339
    let attribute = context.map { " Context=\"\(Self.escaped($0))\"" } ?? ""
    return """
      <t:RequestSecurityTokenResponse\(attribute) xmlns:t="\(trust)"><t:Lifetime>\
      <wsu:Created xmlns:wsu="\(Self.utility)">\(created)</wsu:Created>\
      <wsu:Expires xmlns:wsu="\(Self.utility)">\(draft.expires.rfc3339)</wsu:Expires></t:Lifetime>\
      <wsp:AppliesTo xmlns:wsp="http://schemas.xmlsoap.org/ws/2004/09/policy">\
      <EndpointReference xmlns="http://www.w3.org/2005/08/addressing"><Address>\
      \(Self.escaped(draft.audiences[0]))</Address></EndpointReference></wsp:AppliesTo>\
      <t:RequestedSecurityToken>\(binaryToken)</t:RequestedSecurityToken>\
      <t:TokenType>\(typeURI)</t:TokenType>\
      <t:RequestType>\(trust)/Issue</t:RequestType>\
      <t:KeyType>http://schemas.xmlsoap.org/ws/2005/05/identity/NoProofKey</t:KeyType>\
      </t:RequestSecurityTokenResponse>
      """
  }

  /// The JSON that the notify page passes on. In the token's XML `>` is not escaped.
  func notifyMessage(context: String?) -> String {
    let xml =
      "<?xml version=\"1.0\" encoding=\"utf-16\"?>"
      + (response == nil ? binaryToken : String(decoding: octets, as: UTF8.self))
    let escaped = xml.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing("\"", with: "&quot;")
    var json = JSONWriter()
    json.object { json in
      json.name("appliesTo")
      json.string(draft.audiences[0])
      json.name("context")
      if let context { json.string(context) } else { json.null() }
      json.name("created")
      json.integer(Int(draft.issuedAt.seconds))
      json.name("expires")
      json.integer(Int(draft.expires.seconds))
      json.name("securityToken")
      json.string(escaped)
      json.name("tokenType")
      json.string(typeURI)
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private var binaryToken: String {
    let security =
      "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
    let encoding =
      "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary"
    return """
      <wsse:BinarySecurityToken wsu:Id="uuid:11111111-2222-3333-4444-555555555555-1" \
      ValueType="\(typeURI)" EncodingType="\(encoding)" xmlns:wsu="\(Self.utility)" \
      xmlns:wsse="\(security)">\(Base64.encode(octets))</wsse:BinarySecurityToken>
      """
  }

  private static let utility =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"

  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
