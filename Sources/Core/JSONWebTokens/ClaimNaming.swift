public import Claims

/// How the claim names of a JWT are reported.
public enum ClaimNaming: Hashable, Sendable {
  /// As the token writes them.
  case asWritten
  /// The short names of Microsoft's issuers, replaced by their claim URIs. Two short names can have
  /// one URI (`sub` and `nameid`, `role` and `roles`): then it has both values.
  case claimURIs

  /// The claim URI of a name, unless names stay as written.
  package func uri(for name: String) -> String? {
    self == .claimURIs ? Self.uris[ClaimType(name)]?.name : nil
  }

  /// The short name that issuers use for a claim URI, if there is one.
  public static func shortName(of type: ClaimType) -> String? { preferred[type] }

  /// The claim URI of a short name, if there is one.
  public static func uri(of shortName: String) -> String? { uris[ClaimType(shortName)]?.name }

  private static let uris: [ClaimType: ClaimType] = Dictionary(
    table.map { (ClaimType($0.0), ClaimType($0.1)) }, uniquingKeysWith: { first, _ in first })

  /// The later of two names wins, so the table lists the preferred one last.
  private static let preferred: [ClaimType: String] = Dictionary(
    table.map { (ClaimType($0.1), $0.0) }, uniquingKeysWith: { _, last in last })

  private static let table: [(String, String)] = {
    let identity = ClaimType.identityPrefix
    let windows = ClaimType.windowsPrefix
    let adfs = "http://schemas.xmlsoap.org/claims/"
    let directory = "http://schemas.microsoft.com/identity/claims/"
    let request = "http://schemas.microsoft.com/2012/01/requestcontext/claims/"
    return [
      ("sub", identity + "nameidentifier"), ("nameid", identity + "nameidentifier"),
      ("unique_name", identity + "name"), ("email", identity + "emailaddress"),
      ("given_name", identity + "givenname"), ("family_name", identity + "surname"),
      ("gender", identity + "gender"), ("birthdate", identity + "dateofbirth"),
      ("website", identity + "webpage"), ("upn", identity + "upn"),
      ("ppid", identity + "privatepersonalidentifier"), ("roles", windows + "role"),
      ("role", windows + "role"), ("group", adfs + "Group"), ("groupsid", windows + "groupsid"),
      ("primarysid", windows + "primarysid"), ("primarygroupsid", windows + "primarygroupsid"),
      ("denyonlysid", identity + "denyonlysid"),
      ("winaccountname", windows + "windowsaccountname"),
      ("authmethod", windows + "authenticationmethod"),
      ("actort", "http://schemas.xmlsoap.org/ws/2009/09/identity/claims/actor"),
      ("oid", directory + "objectidentifier"), ("tid", directory + "tenantid"),
      ("scp", directory + "scope"), ("idp", directory + "identityprovider"),
      ("acr", "http://schemas.microsoft.com/claims/authnclassreference"),
      ("amr", "http://schemas.microsoft.com/claims/authnmethodsreferences"),
      ("commonname", adfs + "CommonName"), ("adfs1email", adfs + "EmailAddress"),
      ("adfs1upn", adfs + "UPN"), ("clientip", request + "x-ms-client-ip"),
      ("forwardedclientip", request + "x-ms-forwarded-client-ip"),
      ("clientapplication", request + "x-ms-client-application"),
      ("clientuseragent", request + "x-ms-client-user-agent"),
      ("endpointpath", request + "x-ms-endpoint-absolute-path"),
      ("proxy", request + "x-ms-proxy"), ("relyingpartytrustid", request + "relyingpartytrustid"),
      ("identityprovider", ClaimType.identityProvider.name),
    ]
  }()
}
