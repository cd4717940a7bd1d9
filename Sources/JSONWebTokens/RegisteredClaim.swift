import Octets
import StrictJSON

/// A claim that RFC 7519, 4.1 or OpenID Connect registers and that is read here.
enum RegisteredClaim: CaseIterable {
  case issuer
  case subject
  case audience
  case expires
  case notBefore
  case issuedAt
  case tokenID
  case nonce

  var name: StaticString {
    switch self {
    case .issuer: "iss"
    case .subject: "sub"
    case .audience: "aud"
    case .expires: "exp"
    case .notBefore: "nbf"
    case .issuedAt: "iat"
    case .tokenID: "jti"
    case .nonce: "nonce"
    }
  }

  /// Whether it is a fact about the token rather than a claim about the subject.
  var isFact: Bool {
    switch self {
    case .issuer, .audience, .expires, .notBefore, .tokenID: true
    case .subject, .issuedAt, .nonce: false
    }
  }

  /// The registered claim that a member of the payload is, if any.
  static func of(_ member: JSONDocument.Node, in payload: JSONDocument) -> RegisteredClaim? {
    for (mark, claim) in marks where mark == member.nameMark {
      return payload.isNamed(member, claim.name) ? claim : nil
    }
    return nil
  }

  // Each name has a mark of its own.
  private static let marks = allCases.map {
    (ByteHash.mark(Array($0.name.description.utf8).span), $0)
  }
}
