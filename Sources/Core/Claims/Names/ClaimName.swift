/// What a claim is about, whichever name an issuer gives it: the short name that people use, and the URIs, OIDs and JSON
/// members that mean it.
///
/// A short name stands for all of its types. Where values are wanted, the first type that a token has counts; where a value
/// keeps a person out, every type counts. What a token says keeps its exact type: the table changes no claim.
public struct ClaimName: Hashable, Sendable {
  /// The short name, and other spellings of it.
  public let names: [String]
  /// The types that mean it, in the order in which they count.
  public let types: [ClaimType]

  private init(_ names: String, _ types: [ClaimType]) {
    self.names = names.split(separator: ",").map(String.init)
    self.types = types
  }

  /// The claim that a short name means, or a JSON member or an attribute's plain name; nil for a URI, an OID and an unknown
  /// name, which mean the claim of that type alone. Letters, underscores and spaces make no difference: `given name` is
  /// `given_name`.
  public static func named(_ name: String) -> ClaimName? { index[folded(name)] }

  /// Whether a type means the claim.
  public func contains(_ type: ClaimType) -> Bool { types.contains(type) }

  /// The types that a name in a configuration means: those of ``named(_:)``, else the type of that name alone. A type that is
  /// spelled like the short name and is not in the table, such as `Role`, is one of them.
  public static func types(_ name: String) -> [ClaimType] {
    let type = ClaimType(name)
    guard let types = named(name)?.types else { return [type] }
    return types.contains(type) ? types : types + [type]
  }

  private static let index: [String: ClaimName] = {
    var index: [String: ClaimName] = [:]
    for entry in all {
      let plain = entry.types.map(\.name).filter { name in
        !name.utf8.contains { ":/".utf8.contains($0) }
      }
      for name in entry.names + plain where index[folded(name)] == nil {
        index[folded(name)] = entry
      }
    }
    return index
  }()

  private static func folded(_ name: String) -> String {
    String(decoding: name.utf8.filter { !" _-".utf8.contains($0) }, as: UTF8.self).lowercased()
  }
}

extension ClaimName {
  /// A display name.
  public static let displayName = Self(
    "name,display name",
    [
      "name", .name, "displayName", oid("2.16.840.1.113730.3.1.241"), mace("displayName"),
      adfs("CommonName"), "cn", oid("2.5.4.3"), mace("cn"),
    ])
  /// First name.
  public static let firstName = Self(
    "given name,first name",
    ["given_name", .givenName, "givenName", oid("2.5.4.42"), mace("givenName")])
  /// Last name.
  public static let lastName = Self(
    "family name,last name,surname",
    ["family_name", .surname, "familyName", "sn", "surname", oid("2.5.4.4"), mace("sn")])
  /// An e-mail address, which counts as its issuer says that it is verified.
  public static let email = Self(
    "email,mail,email address",
    [
      "email", .emailAddress, "mail", oid("0.9.2342.19200300.100.1.3"), mace("mail"),
      adfs("EmailAddress"), "emailaddress",
    ])
  /// Groups of which the person is a member.
  public static let groups = Self(
    "groups,group",
    [
      "groups", "group", microsoft("groups"), .init("http://schemas.microsoft.com/claims/groups"),
      adfs("Group"), .init(ClaimType.identityPrefix + "groups"), "memberOf",
      oid("1.3.6.1.4.1.5923.1.5.1.1"), "isMemberOf", mace("isMemberOf"),
      oid("1.2.840.113556.1.2.102"),
    ])
  /// Roles of the person at the application.
  public static let roles = Self(
    "roles,role",
    [
      "roles", "role", .role, .init(ClaimType.identityPrefix + "role"),
      .init(ClaimType.identityPrefix + "roles"),
    ])
  /// The name by which the person signs in.
  public static let userName = Self(
    "preferred username,username,user name,login",
    [
      "preferred_username", "username", "userName", "unique_name", microsoft("windowsaccountname"),
      "winaccountname",
    ])
  /// User principal name.
  public static let principalName = Self(
    "upn,user principal name",
    ["upn", .upn, adfs("UPN"), "userPrincipalName", oid("1.2.840.113556.1.4.656")])
  /// User identifier of a directory.
  public static let userID = Self(
    "uid,user id", ["uid", oid("0.9.2342.19200300.100.1.1"), mace("uid")])
  /// eduPersonPrincipalName.
  public static let eppn = Self(
    "eppn",
    [
      "eppn", "eduPersonPrincipalName", oid("1.3.6.1.4.1.5923.1.1.1.6"),
      mace("eduPersonPrincipalName"),
    ])
  /// eduPersonAffiliation.
  public static let affiliation = Self(
    "affiliation",
    [
      "affiliation", "eduPersonAffiliation", "eduperson_affiliation",
      oid("1.3.6.1.4.1.5923.1.1.1.1"), mace("eduPersonAffiliation"), "unscoped-affiliation",
    ])
  /// eduPersonScopedAffiliation.
  public static let scopedAffiliation = Self(
    "scoped affiliation",
    [
      "eduPersonScopedAffiliation", "eduperson_scoped_affiliation", "scoped_affiliation",
      oid("1.3.6.1.4.1.5923.1.1.1.9"), mace("eduPersonScopedAffiliation"),
    ])
  /// eduPersonEntitlement.
  public static let entitlement = Self(
    "entitlement,entitlements",
    [
      "entitlements", "entitlement", "eduPersonEntitlement", "eduperson_entitlement",
      oid("1.3.6.1.4.1.5923.1.1.1.7"), mace("eduPersonEntitlement"),
    ])
  /// A telephone number.
  public static let phone = Self(
    "phone,phone number,telephone",
    [
      "phone_number", "telephoneNumber", "phone", oid("2.5.4.20"), mace("telephoneNumber"),
      .init(ClaimType.identityPrefix + "homephone"), .init(ClaimType.identityPrefix + "otherphone"),
      .init(ClaimType.identityPrefix + "mobilephone"),
    ])
  /// The language of the person.
  public static let locale = Self(
    "locale,language",
    [
      "locale", "preferredLanguage", "preferred_language", oid("2.16.840.1.113730.3.1.39"),
      mace("preferredLanguage"),
    ])
  /// The address of a picture of the person.
  public static let picture = Self(
    "picture,photo,avatar",
    ["picture", "photo", "jpegPhoto", oid("0.9.2342.19200300.100.1.60"), mace("jpegPhoto")])

  /// The whole table.
  public static let all: [Self] = [
    displayName, firstName, lastName, email, groups, roles, userName, principalName, userID, eppn,
    affiliation,
    scopedAffiliation,
    entitlement, phone, locale, picture,
  ]

  private static func oid(_ number: String) -> ClaimType { ClaimType("urn:oid:" + number) }
  private static func mace(_ name: String) -> ClaimType {
    ClaimType("urn:mace:dir:attribute-def:" + name)
  }
  private static func adfs(_ name: String) -> ClaimType {
    ClaimType("http://schemas.xmlsoap.org/claims/" + name)
  }
  private static func microsoft(_ name: String) -> ClaimType {
    ClaimType(ClaimType.windowsPrefix + name)
  }
}

extension ClaimSet {
  /// The values of the first type of a claim, in the order of the table, of which there are any.
  public subscript(name: ClaimName) -> [String] {
    name.types.lazy.map { self[$0] }.first { !$0.isEmpty } ?? []
  }
}
