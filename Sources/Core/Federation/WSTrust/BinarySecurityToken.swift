import Octets
import TokenBasics
import XMLTree

/// A `wsse:BinarySecurityToken` with a Simple Web Token or a JSON Web Token.
enum BinarySecurityToken {
  /// The envelope proves nothing: the token inside is read and later verified like any other.
  ///
  /// - Throws: `response.token-type`, `input.base64`, and what the token throws.
  static func read(_ element: Element, _ limits: Limits) throws(TokenError) -> AnyToken {
    let type = element.attribute(WSSName.valueType) ?? ""
    let encoding = element.attribute(WSSName.encodingType) ?? ""
    let isJWT = type.hasSameBytes(as: TokenTypeURI.jwt)
    guard isJWT || type.hasSameBytes(as: TokenTypeURI.swt) else {
      throw TokenError(
        .tokenType, node: "\(element.path)/@ValueType", expected: TokenTypeURI.swt,
        found: TokenError.excerpt(type))
    }
    guard encoding.hasSameBytes(as: WSSName.base64Binary) else {
      throw TokenError(
        .tokenType, node: "\(element.path)/@EncodingType", expected: WSSName.base64Binary,
        found: TokenError.excerpt(encoding))
    }
    let octets = try Base64.decode(element.textBytes(), whiteSpace: .skipped)
    guard WireForm.recognise(octets[...]) == (isJWT ? .compactJWS : .pairs) else {
      throw TokenError(
        .tokenType, node: element.path, expected: isJWT ? "a JSON Web Token" : "a Simple Web Token",
        found: "something else")
    }
    if isJWT { return try AnyToken(compact: octets, limits: limits) }
    return .swt(try SimpleWebToken(parsing: octets, limits: limits))
  }
}

/// The URIs with which envelopes declare the type of their token.
package enum TokenTypeURI {
  package static let swt = "http://schemas.xmlsoap.org/ws/2009/11/swt-token-profile-1.0"
  package static let jwt = "urn:ietf:params:oauth:token-type:jwt"

  package static let saml11 = "urn:oasis:names:tc:SAML:1.0:assertion"
  package static let saml20 = "urn:oasis:names:tc:SAML:2.0:assertion"

  /// The format that `uri` names; nil for an unsupported one.
  package static func format(_ uri: String) -> TokenFormat? {
    known.first { $0.0.hasSameBytes(as: uri) }?.1
  }

  private static let known: [(String, TokenFormat)] = [
    (swt, .swt), (jwt, .jwt),
    (saml11, .saml11),
    ("http://docs.oasis-open.org/wss/oasis-wss-saml-token-profile-1.1#SAMLV1.1", .saml11),
    ("http://schemas.microsoft.com/ws/2006/05/identitymodel/tokens/Saml", .saml11),
    (saml20, .saml20),
    ("http://docs.oasis-open.org/wss/oasis-wss-saml-token-profile-1.1#SAMLV2.0", .saml20),
  ]
}
