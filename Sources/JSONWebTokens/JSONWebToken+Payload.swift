package import Claims
package import Instants
package import StrictJSON

extension Verified where Token == JSONWebToken {
  /// The verified payload as JSON, for rules about the types of members that no claim shows.
  package var payload: JSONValue? { try? JSONParser.parse(token.signed.payload) }

  /// The `kid` that the verified header names.
  package var keyID: String? { token.keyID }
}

extension JSONWebToken {
  /// The `kid` that the header names, not verified.
  package var keyID: String? { signed.header.keyID }

  /// When the token was issued, not verified.
  package var issuedAt: Instant? { facts.issuedAt }
}
