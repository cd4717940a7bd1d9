public import Federation

/// The short names of claims in the gate's file.
public enum GateClaim {
  /// The subject, which is no claim of its own.
  public static let subject: ClaimType = "subject"

  private static let names: [String: ClaimType] = [
    "name": .name, "email": .emailAddress, "role": .role, "upn": .upn,
    "group": "http://schemas.xmlsoap.org/claims/Group",
  ]

  /// The claim that a name in the file means: a short name for SAML and ACS, or the type itself. JWT's own
  /// names, such as `email` and `groups`, are types themselves and are meant too.
  static func types(_ name: String) -> [ClaimType] {
    [ClaimType(name)] + (names[name].map { [$0] } ?? [])
  }
}
