public import Claims
import Federation
import Octets

/// The names that tokens keep for themselves: a rule that gives one would speak for the service.
public enum ReservedClaims {
  /// Whether tokens of a format keep that type for themselves.
  public static func contains(_ type: ClaimType, in format: TokenFormat) -> Bool {
    if type == .identityProvider { return true }
    let name = type.name
    switch format {
    case .swt:
      return simple.contains { name.utf8.span.equalsIgnoringCase($0.utf8.span) }
    case .jwt:
      // Relying parties with this format are clients of OpenID Connect too.
      let short = ClaimNaming.shortName(of: type) ?? name
      // The short name of the name identifier, which another claim would stand beside.
      if name.hasSameBytes(as: "nameid") { return true }
      return web.containsBytes(of: short) || identity.containsBytes(of: short)
    default: return statements.contains(type)
    }
  }

  /// SWT 0.9.5.1; another reader may ignore case.
  private static let simple = ["Issuer", "Audience", "ExpiresOn", "HMACSHA256"]
  /// RFC 7519, 4.1.
  private static let web = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"]
  private static let identity = [
    "nonce", "auth_time", "acr", "azp", "at_hash", "c_hash", "s_hash", "sid", "email_verified",
  ]
  /// What the authentication statement of an assertion says.
  private static let statements: [ClaimType] = [.authenticationInstant, .authenticationMethod]
}
