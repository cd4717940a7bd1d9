import Octets

/// How readers spell the name of a header field.
///
/// CGI, WSGI and others fold names: they take every other character than a letter or a digit for the same one, and pay no regard to case.
/// So a name that is kept from an application has to be kept from it in every spelling (GATE-2).
package enum HeaderSpelling {
  /// The characters of a field name (RFC 9110, 5.6.2) that some reader takes for `-`, which is the first of them.
  package static let separators = "-_.!#$%&'*+^`|~"

  /// The same octets for all names that one reader takes for one: lower case, every separator as `-`.
  static func folded(_ name: String) -> [UInt8] {
    name.utf8.map(folded)
  }

  private static func folded(_ octet: UInt8) -> UInt8 {
    ASCII.isLetter(octet) || ASCII.isDigit(octet) ? ASCII.lowercased(octet) : UInt8(ascii: "-")
  }

  /// Whether some reader takes two names for one.
  package static func areAlike(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count
      && zip(left.utf8, right.utf8).allSatisfy { folded($0) == folded($1) }
  }

  /// A name with another separator in place of each.
  package static func spelled(_ name: String, with separator: Character) -> String {
    String(name.map { separators.contains($0) ? separator : $0 })
  }

  /// A regular expression, for any case, that finds every spelling of a name and nothing else. It has no group and no backslash,
  /// so that every proxy reads it alike: anchors are left to the proxy's own file.
  package static func pattern(_ name: String) -> String {
    String(name.flatMap { separators.contains($0) ? Array(anySeparator) : [$0] })
  }

  /// A class of every separator: `^` is not first, and `-` is last.
  private static let anySeparator = "[_.!#$%&'*+^`|~-]"
}
