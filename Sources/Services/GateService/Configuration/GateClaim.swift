public import Federation

/// The short names of claims in the gate's file.
public enum GateClaim {
  /// The subject, which is no claim of its own.
  public static let subject: ClaimType = "subject"
  /// The identifier of the provider, which is no claim of its own.
  public static let provider: ClaimType = "provider"
  /// The name of the issuer, which is no claim of its own.
  public static let issuer: ClaimType = "issuer"

  /// Names that come from the session and never from a claim.
  package static let reserved = [subject, provider, issuer]

  private static let names: [String: ClaimType] = [
    "name": .name, "email": .emailAddress, "role": .role, "upn": .upn,
    "group": "http://schemas.xmlsoap.org/claims/Group",
  ]

  /// The claim that a name in the file means: a short name for SAML and ACS, or the type itself. JWT's own
  /// names, such as `email` and `groups`, are types themselves and are meant too.
  static func types(_ name: String) -> [ClaimType] {
    [ClaimType(name)] + (names[name].map { [$0] } ?? [])
  }

  /// Whether a name in the file comes from the session, so that no provider is named for it.
  static func isReserved(_ name: String) -> Bool { reserved.contains(ClaimType(name)) }

  /// Whether a claim is the name by which a person signs in.
  static func isLoginName(_ type: ClaimType) -> Bool { loginNames.contains(type) }

  private static let loginNames: Set<ClaimType> = [
    "preferred_username", "upn", .upn, "unique_name", "username", "uid",
    "urn:oid:0.9.2342.19200300.100.1.1", "eppn", "eduPersonPrincipalName",
    "urn:oid:1.3.6.1.4.1.5923.1.1.1.6",
  ]

  /// Whether a claim is an e-mail address.
  static func isEmail(_ type: ClaimType) -> Bool { type == "email" || type == .emailAddress }

  /// Whether a claim names groups: those of JWT and of SAML that Entra may leave out, and what `group` means.
  static func isGroups(_ type: ClaimType) -> Bool { groups.contains(type) }

  private static let groups: [ClaimType] =
    ["groups", "http://schemas.microsoft.com/ws/2008/06/identity/claims/groups"] + types("group")
}
