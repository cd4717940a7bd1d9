import Octets

/// The reserved names of a Simple Web Token. Case-sensitive.
enum ReservedName: CaseIterable {
  case issuer
  case audience
  case expiresOn
  case mac

  /// The role of a name in the format.
  enum Kind: Equatable {
    case reserved(ReservedName)
    /// A reserved name in other case, which another reader might accept.
    case lookAlike
    case free
  }

  /// The name of the MAC, which is the longest.
  static var macName: StaticString { "HMACSHA256" }

  /// Bytes of the longest name.
  static var longest: Int { macName.utf8CodeUnitCount }

  static func kind(of name: Span<UInt8>) -> Kind {
    // The four have different lengths.
    let reserved: ReservedName
    switch name.count {
    case 6: reserved = .issuer
    case 8: reserved = .audience
    case 9: reserved = .expiresOn
    case 10: reserved = .mac
    default: return .free
    }
    if name.hasPrefix(reserved.spelling) { return .reserved(reserved) }
    return name.equalsIgnoringCase(reserved.spelling) ? .lookAlike : .free
  }

  /// The name as it is written.
  var spelling: StaticString {
    switch self {
    case .issuer: "Issuer"
    case .audience: "Audience"
    case .expiresOn: "ExpiresOn"
    case .mac: Self.macName
    }
  }

}
