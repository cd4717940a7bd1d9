public import Claims
import Federation
public import TokenBasics
import XMLTree

/// A token that was issued, and the claims with the rules that gave them.
public struct IssuedToken: Sendable, CustomStringConvertible, CustomReflectable {
  /// The format.
  public let format: TokenFormat
  /// The realm for which it is.
  public let realm: String
  /// Its claims, and the rules that gave them.
  public let claims: [RuledClaim]
  /// When it was issued.
  public let issued: Instant
  /// When it ends.
  public let expires: Instant
  /// The token: a Simple Web Token, a JSON Web Token in compact form, or an assertion.
  public let octets: [UInt8]
  /// The claim types of which values were left out, since a Simple Web Token joins values with commas and these contain one.
  public let leftOut: [ClaimType]
  let id: String
  /// The assertion of SAML, which an envelope takes as it is.
  let assertion: XMLFragment?

  /// The URI by which envelopes name the format.
  public var type: String {
    switch format {
    case .swt: TokenTypeURI.swt
    case .jwt: TokenTypeURI.jwt
    case .saml11: TokenTypeURI.saml11
    default: TokenTypeURI.saml20
    }
  }

  /// A WS-Trust response of February 2005, the `wresult` of a sign-in.
  ///
  /// - Parameter context: What the request carried along, in `Context`.
  /// - Throws: `policy.mint-character` for a context that XML cannot carry.
  public func tokenResponse(context: String? = nil) throws(TokenError) -> [UInt8] {
    try WSTrustResponse.Draft(
      token: element(), type: type, created: issued, expires: expires, appliesTo: realm,
      context: context, keyType: WSTrustResponse.Draft.bearer
    ).octets()
  }

  /// The SOAP message that answers a request of WS-Trust.
  ///
  /// - Throws: `policy.mint-character`.
  public func message(answering request: SecurityTokenRequest) throws(TokenError) -> [UInt8] {
    let dialect = request.dialect
    let response = try WSTrustResponse.Draft(
      token: element(), type: type, created: issued, expires: expires, appliesTo: realm,
      context: request.context, version: dialect.trust)
    return try dialect.message(
      dialect.action("/RSTRC/IssueFinal"), relatesTo: request.messageID
    ) { writer throws(TokenError) in try response.write(into: &writer) }
  }

  /// The token as an element of an envelope.
  private func element() throws(TokenError) -> XMLFragment {
    if let assertion { return assertion }
    return try WSTrustResponse.Draft.binary(octets, type: type, id: id)
  }

  /// The JSON that a page passes to a program on the person's machine (`javascriptnotify`).
  ///
  /// As the service did it, the XML in it declares UTF-16, which it no longer is, and `>` is not escaped.
  ///
  /// - Throws: `policy.mint-character`.
  public func notifyMessage(context: String? = nil) throws(TokenError) -> [UInt8] {
    let xml = Array("<?xml version=\"1.0\" encoding=\"utf-16\"?>".utf8) + (try element().octets)
    let escaped = MarkupEscaping.escaped(xml, for: .message)
    var json = JSONWriter()
    json.object { json in
      json.name("appliesTo")
      json.string(realm)
      json.name("context")
      if let context { json.string(context) } else { json.null() }
      json.name("created")
      json.integer(Int(issued.seconds))
      json.name("expires")
      json.integer(Int(expires.seconds))
      json.name("securityToken")
      json.string(String(decoding: escaped, as: UTF8.self))
      json.name("tokenType")
      json.string(type)
    }
    return json.bytes
  }

  /// Format, realm and end; neither token nor claim.
  public var description: String { "\(format.name) for \(realm) until \(expires.rfc3339)" }

  /// Has no children, so that a dump shows no token.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
