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

  /// The claims that a name in the file means, in the order in which they count: those of a short name (``ClaimName``), or
  /// the type itself.
  static func types(_ name: String) -> [ClaimType] { ClaimName.types(name) }

  /// Whether a name in the file comes from the session, so that no provider is named for it.
  static func isReserved(_ name: String) -> Bool { reserved.contains(ClaimType(name)) }

  /// Whether a claim is the name by which a person signs in.
  static func isLoginName(_ type: ClaimType) -> Bool { loginNames.contains { $0.contains(type) } }

  private static let loginNames: [ClaimName] = [.userName, .principalName, .userID, .eppn]

  /// Whether a claim is an e-mail address.
  static func isEmail(_ type: ClaimType) -> Bool { ClaimName.email.contains(type) }

  /// Whether a claim names groups: those of JWT and of SAML that Entra may leave out, and what `group` means.
  static func isGroups(_ type: ClaimType) -> Bool { ClaimName.groups.contains(type) }
}
