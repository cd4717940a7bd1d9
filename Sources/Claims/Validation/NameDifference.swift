import Octets

/// How two names that are not the same differ, where a person easily overlooks it. Names are
/// compared byte for byte; this only chooses the words.
package enum NameDifference {
  case whiteSpace
  case slash
  case letterCase
  case scheme

  /// Nil for the same name and for quite another one.
  package init?(_ found: String, _ expected: String) {
    guard !found.hasSameBytes(as: expected) else { return nil }
    let (found, expected) = (found.utf8[...], expected.utf8[...])
    if Self.trimmed(found).elementsEqual(Self.trimmed(expected)) {
      self = .whiteSpace
    } else if Self.unslashed(found).elementsEqual(Self.unslashed(expected)) {
      self = .slash
    } else if found.lazy.map(ASCII.lowercased).elementsEqual(
      expected.lazy.map(ASCII.lowercased))
    {
      self = .letterCase
    } else if Self.unschemed(found).elementsEqual(Self.unschemed(expected)) {
      self = .scheme
    } else {
      return nil
    }
  }

  /// The hint for the first of the names found that hardly differs from an expected one.
  package static func hint(_ found: [String], _ expected: [String]) -> String? {
    for name in found {
      for other in expected {
        if let difference = Self(name, other) { return difference.hint }
      }
    }
    return nil
  }

  package var hint: String {
    let how =
      switch self {
      case .whiteSpace:
        "white space around the name, such as a line end (\\n), which is part of it (SAML Core "
          + "1.3.1)"
      case .slash: "a slash at the end"
      case .letterCase: "upper and lower case"
      case .scheme: "https and http"
      }
    return "the two differ in \(how): names are compared byte for byte; have the sender corrected, "
      + "or "
      + "configure the name as it is sent"
  }

  private static func trimmed(_ name: Substring.UTF8View) -> Substring.UTF8View {
    var name = name.drop { ASCII.isWhiteSpace($0) }
    while let last = name.last, ASCII.isWhiteSpace(last) { name.removeLast() }
    return name
  }

  private static func unslashed(_ name: Substring.UTF8View) -> Substring.UTF8View {
    name.last == UInt8(ascii: "/") ? name.dropLast() : name
  }

  private static func unschemed(_ name: Substring.UTF8View) -> Substring.UTF8View {
    for scheme in ["https://", "http://"] where name.starts(with: scheme.utf8) {
      return name.dropFirst(scheme.utf8.count)
    }
    return name
  }
}
