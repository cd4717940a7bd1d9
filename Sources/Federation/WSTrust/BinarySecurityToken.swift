import Octets
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
    if isJWT { return .jwt(try JSONWebToken(parsing: octets, limits: limits)) }
    return .swt(try SimpleWebToken(parsing: octets, limits: limits))
  }
}
