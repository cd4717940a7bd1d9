import Octets

/// The names that a Simple Web Token keeps for itself. Case-sensitive.
enum ReservedName: String, CaseIterable {
  case issuer = "Issuer"
  case audience = "Audience"
  case expiresOn = "ExpiresOn"
  case mac = "HMACSHA256"

  /// The reserved name of exactly these bytes.
  init?(_ name: String) {
    guard let known = Self.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) else {
      return nil
    }
    self = known
  }

  /// Whether `name` is a reserved name in other letters, which another reader might take for it.
  static func isLookAlike(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    return allCases.contains { reserved in
      bytes.count == reserved.rawValue.utf8.count
        && zip(bytes, reserved.rawValue.utf8).allSatisfy {
          ASCII.lowercased($0) == ASCII.lowercased($1)
        } && !bytes.elementsEqual(reserved.rawValue.utf8)
    }
  }
}
