import Octets

/// Finds what X turns into a link: addresses with `http` or `https`, and bare domains under a
/// top-level domain that it knows.
enum XLinks {
  /// The end of the link that begins at `start`, if one does.
  static func end(ofLinkAt start: String.Index, in text: String) -> String.Index? {
    guard isBoundary(start, in: text) else { return nil }
    let rest = text[start...]
    let host = TextLinks.afterScheme(rest)
    guard host != nil || text[start].isHostCharacter else { return nil }
    let domain = text[(host ?? start)...].prefix { $0.isHostCharacter || $0 == "." }
    guard var end = endOfDomain(domain) else { return nil }
    if end < text.endIndex, text[end] == ":" {
      let port = text[text.index(after: end)...].prefix(while: \.isASCIIDigit)
      if !port.isEmpty { end = port.endIndex }
    }
    if end < text.endIndex, "/?".contains(text[end]) {
      var path = text[end...].prefix { $0.isLinkCharacter }
      while let last = path.last, ".,:;!?'\"()…".contains(last), !isClosing(last, path) {
        path = path.dropLast()
      }
      // A lone question mark is punctuation.
      if path.count > 1 || path.first == "/" { end = path.endIndex }
    }
    return end
  }

  /// The domain up to its last label that is a top-level domain; nil without one.
  private static func endOfDomain(_ text: Substring) -> String.Index? {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    var end: String.Index?
    for (number, label) in labels.enumerated() {
      guard !label.isEmpty, label.first != "-", label.last != "-" else { break }
      if number > 0, isTopLevel(label) { end = label.endIndex }
    }
    return end
  }

  /// Any two letters count as a country code; of the others, the common ones are listed.
  private static func isTopLevel(_ label: Substring) -> Bool {
    let octets = label.utf8.map(ASCII.lowercased)
    guard octets.allSatisfy(ASCII.isLetter) else { return false }
    return octets.count == 2 || generic.contains(String(decoding: octets, as: UTF8.self))
  }

  private static func isClosing(_ last: Character, _ path: Substring) -> Bool {
    last == ")" && path.count(where: { $0 == "(" }) >= path.count { $0 == ")" }
  }

  private static func isBoundary(_ start: String.Index, in text: String) -> Bool {
    guard start > text.startIndex else { return true }
    let before = text[text.index(before: start)]
    guard before.isASCII else { return true }
    return !(before.isHostCharacter || "@#$./=".contains(before))
  }

  private static let generic: Set<String> = [
    "aero", "agency", "ai", "app", "art", "asia", "bar", "berlin", "bio", "biz", "blog", "cafe",
    "cat", "chat", "city", "cloud", "club", "codes", "com", "community", "company", "coop",
    "design", "dev", "digital", "earth", "edu", "education", "email", "energy", "events", "expert",
    "family", "film", "finance", "fm", "foundation", "fun", "fyi", "games", "global", "gov",
    "group", "guide", "guru", "house", "inc", "info", "ink", "institute", "int", "jobs", "land",
    "law", "legal", "life", "link", "live", "llc", "london", "ltd", "media", "mil", "mobi", "moe",
    "museum", "name", "net", "network", "news", "nyc", "one", "online", "org", "page", "paris",
    "party", "photo", "photos", "pics", "pizza", "place", "plus", "press", "pro", "pub", "red",
    "report", "rest", "review", "reviews", "rocks", "run", "school", "science", "services", "shop",
    "show", "site", "social", "software", "solutions", "space", "store", "studio", "style",
    "support", "systems", "team", "tech", "technology", "tel", "tips", "today", "tokyo", "tools",
    "top", "tours", "town", "travel", "university", "vip", "vote", "watch", "website", "wiki",
    "win", "work", "works", "world", "wtf", "xxx", "xyz", "zone",
  ]
}

extension Character {
  fileprivate var isASCIIDigit: Bool { asciiValue.map(ASCII.isDigit) ?? false }

  fileprivate var isHostCharacter: Bool {
    guard let octet = asciiValue else { return false }
    return ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == UInt8(ascii: "-")
      || octet == UInt8(ascii: "_")
  }

  /// Whether a path or query may contain it: ASCII without spaces and angle brackets, and letters of the
  /// alphabets that X accepts.
  fileprivate var isLinkCharacter: Bool {
    guard let octet = asciiValue else {
      return isLetter && unicodeScalars.allSatisfy { $0.value < 0x530 }
    }
    return octet > 0x20 && octet < 0x7F && !"<>\"`{}|\\^".contains(self)
  }
}
