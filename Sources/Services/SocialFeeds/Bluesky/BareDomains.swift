import Octets

/// Host names that stand in a text without a scheme, as people write them, and handles, which are such names behind `@`.
enum BareDomains {
  /// The host names, each with the path behind it: `example.org/talks`.
  static func find(in text: String) -> [Range<String.Index>] {
    words(of: text).compactMap { word in
      guard let host = host(at: word.startIndex, in: word) else { return nil }
      var rest = word[host.upperBound...]
      guard rest.isEmpty || "/?#".contains(rest[rest.startIndex]) else {
        return ".,:;!?'…)".contains(rest[rest.startIndex]) ? host : nil
      }
      while let last = rest.last, ".,:;!?'…)".contains(last) { rest = rest.dropLast() }
      return host.lowerBound..<rest.endIndex
    }
  }

  /// The handles, in lower case, each with its range from the `@` on.
  static func handles(in text: String) -> [(range: Range<String.Index>, handle: String)] {
    words(of: text).compactMap { word in
      guard word.first == "@", let host = host(at: word.index(after: word.startIndex), in: word)
      else { return nil }
      let handle = word[host].utf8.map(ASCII.lowercased)
      return (word.startIndex..<host.upperBound, String(decoding: handle, as: UTF8.self))
    }
  }

  /// What stands between white space, without parentheses that open before it.
  private static func words(of text: String) -> [Substring] {
    text.split(whereSeparator: \.isWhitespace).map { $0.drop { $0 == "(" } }
      .filter { !$0.isEmpty }
  }

  /// A host name of two labels and more that ends with a top-level domain.
  private static func host(at start: String.Index, in word: Substring) -> Range<String.Index>? {
    var name = word[start...].prefix { character in
      guard let octet = character.asciiValue else { return false }
      return ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == 0x2D || octet == 0x2E
    }
    while name.last == "." { name = name.dropLast() }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count >= 2, name.utf8.count <= 253, let top = labels.last,
      labels.allSatisfy({
        (1...63).contains($0.utf8.count) && $0.first != "-" && $0.last != "-"
      }), isTopLevel(top)
    else { return nil }
    return name.startIndex..<name.endIndex
  }

  /// The domains of countries have two letters; of the others, those that people use.
  private static func isTopLevel(_ label: Substring) -> Bool {
    let letters = label.utf8.map(ASCII.lowercased)
    guard letters.allSatisfy(ASCII.isLetter) else { return false }
    return letters.count == 2 || general.contains(String(decoding: letters, as: UTF8.self))
  }

  private static let general: Set<String> = [
    "academy", "app", "art", "berlin", "biz", "blog", "cloud", "club", "com", "community", "design",
    "dev", "digital", "edu", "education", "events", "foundation", "gov", "group", "info", "int",
    "jobs", "link", "live", "media", "mil", "mobi", "museum", "name", "net", "network", "news",
    "online",
    "org", "page", "pro", "press", "science", "shop", "site", "social", "software", "space",
    "store",
    "studio", "systems", "team", "tech", "today", "tools", "video", "website", "wiki", "world",
    "xyz",
    "zone",
  ]
}
