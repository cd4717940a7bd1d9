import Federation

/// Names that differ in bytes and look alike to a person.
enum NearMiss {
  static func lines(_ error: TokenError) -> [String] {
    guard let expected = error.expected.map(plain), let found = error.found.map(plain),
      [.audienceMismatch, .recipientMismatch, .destinationMismatch, .issuerUntrusted].contains(
        error.code), expected != found
    else { return [] }
    if trimmed(expected) == trimmed(found) {
      return ["  suspect  the two differ in a / at the end alone"]
    }
    if expected.lowercased() == found.lowercased() {
      return ["  suspect  the two differ in upper and lower case alone"]
    }
    return []
  }

  private static func plain(_ text: String) -> String {
    text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
      ? String(text.dropFirst().dropLast()) : text
  }

  private static func trimmed(_ text: String) -> Substring {
    text.hasSuffix("/") ? text.dropLast() : text[...]
  }
}
