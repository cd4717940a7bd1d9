import Octets

/// Short names of claim types, so that a file reads well: `emailaddress` for the URI that ends so.
enum ClaimShorthand {
  static func type(_ name: String) -> ClaimType {
    if identity.contains(where: { $0.hasSameBytes(as: name) }) {
      return ClaimType(ClaimType.identityPrefix + name)
    }
    if windows.contains(where: { $0.hasSameBytes(as: name) }) {
      return ClaimType(ClaimType.windowsPrefix + name)
    }
    return ClaimType(name)
  }

  /// The short name of a type, or its whole one.
  static func name(of type: ClaimType) -> String {
    for (prefix, names) in [
      (ClaimType.identityPrefix, identity), (ClaimType.windowsPrefix, windows),
    ] where type.name.hasPrefix(prefix) {
      let name = String(type.name.dropFirst(prefix.count))
      if names.contains(where: { $0.hasSameBytes(as: name) }) { return name }
    }
    return type.name
  }

  private static let identity = [
    "nameidentifier", "name", "emailaddress", "givenname", "surname", "upn", "dateofbirth",
    "gender",
    "country", "locality", "streetaddress", "postalcode", "mobilephone", "webpage",
    "privatepersonalidentifier",
  ]
  private static let windows = [
    "role", "expiration", "groupsid", "primarysid", "windowsaccountname", "authenticationmethod",
    "authenticationinstant", "userdata",
  ]
}
