import Federation
import JSONWebTokens
import Octets
import TokenBasics

extension FederatedPrincipal {
  /// The contexts in which the subject proved who it is, as the signed token says: `acr` of a JWT (OpenID Connect Core
  /// 1.0, 2), the classes of SAML's authentication statements.
  package var authenticationContexts: [String] {
    format == .jwt ? values("acr") : claims[.authenticationMethod]
  }

  /// When the subject proved who it is: `auth_time` of a JWT, the oldest instant of SAML's authentication statements; nil
  /// where the token does not say.
  package var authenticatedAt: Instant? {
    let instants: [Instant?]
    if format == .jwt {
      instants = values("auth_time").map { text in
        (try? JSONParser.parse(Array(text.utf8))).flatMap { NumericDate.instant($0) }
      }
    } else {
      instants = claims[.authenticationInstant].map { try? Instant(dateTime: $0) }
    }
    // One that cannot be read is no proof that it was then.
    guard !instants.contains(nil) else { return nil }
    return instants.compactMap(\.self).min()
  }

  /// The scopes of an access token (RFC 9068, 2.2.3; `scp` at Entra ID and Okta).
  package var tokenScopes: [String] {
    (values("scope") + values("scp")).flatMap { $0.split(separator: " ").map(String.init) }
  }

  /// The values of a member of a JWT, under whichever type it is reported; what an unsigned document adds has another
  /// source.
  private func values(_ name: String) -> [String] {
    claims.filter { claim in
      claim.originalName.hasSameBytes(as: name)
        && claim.properties[OpenIDSignIn.sourceProperty] == nil
    }.map(\.value)
  }
}
