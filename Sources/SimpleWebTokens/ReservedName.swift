import Octets

/// The names that a Simple Web Token keeps for itself. Case-sensitive.
enum ReservedName: String, CaseIterable {
  case issuer = "Issuer"
  case audience = "Audience"
  case expiresOn = "ExpiresOn"
  case mac = "HMACSHA256"

  /// What a name is to the format.
  enum Kind {
    case reserved(ReservedName)
    /// A reserved name in other letters, which another reader might take for it.
    case lookAlike
    case free
  }

  static func kind(of name: ArraySlice<UInt8>) -> Kind {
    // The lengths of the four.
    guard (6...10).contains(name.count) else { return .free }
    for reserved in allCases where reserved.rawValue.utf8.count == name.count {
      if name.hasBytes(of: reserved.rawValue) { return .reserved(reserved) }
      let isLookAlike = zip(name, reserved.rawValue.utf8).allSatisfy {
        ASCII.lowercased($0) == ASCII.lowercased($1)
      }
      if isLookAlike { return .lookAlike }
    }
    return .free
  }

  /// Whether a claim may have the name.
  static func isFree(_ name: String) -> Bool {
    if case .free = kind(of: Array(name.utf8)[...]) { true } else { false }
  }
}
