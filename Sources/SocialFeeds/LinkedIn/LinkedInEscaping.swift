/// LinkedIn's "little text format", in which some characters are syntax: unescaped, they truncate the
/// text.
enum LinkedInEscaping {
  static func escape(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if special.contains(scalar) { escaped.append("\\") }
      escaped.append(scalar)
    }
    return String(escaped)
  }

  private static let special = Set("\\|{}@[]()<>#*_~".unicodeScalars)
}
