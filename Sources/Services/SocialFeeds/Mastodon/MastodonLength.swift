import Octets

/// Counts like Mastodon's server: graphemes, a link as a fixed number, of `@name@host` the name alone.
enum MastodonLength {
  static func count(_ text: String, link: Int) -> Int {
    let links = TextLinks.find(in: text)
    var count = 0
    var index = text.startIndex
    var next = links.makeIterator()
    var upcoming = next.next()
    while index < text.endIndex {
      if let hit = upcoming, hit.lowerBound == index {
        count += link
        index = hit.upperBound
        upcoming = next.next()
        continue
      }
      if let host = mentionHost(at: index, in: text) {
        index = host.upperBound
        continue
      }
      count += 1
      index = text.index(after: index)
    }
    return count
  }

  /// The `@host` of a mention, when it begins here.
  private static func mentionHost(
    at index: String.Index, in text: String
  ) -> Range<String.Index>? {
    guard text[index] == "@" else { return nil }
    let name = text[..<index].reversed().prefix { $0.isMentionName }
    guard !name.isEmpty else { return nil }
    let start = text.index(index, offsetBy: -name.count)
    guard start > text.startIndex else { return nil }
    let at = text.index(before: start)
    guard text[at] == "@", at == text.startIndex || !text[text.index(before: at)].isMentionName
    else { return nil }
    let host = text[text.index(after: index)...].prefix {
      $0.isMentionName || $0 == "." || $0 == "-"
    }
    // A full stop at the end belongs to the sentence.
    let end = host.last == "." ? text.index(before: host.endIndex) : host.endIndex
    guard !host.isEmpty, host.first != ".", end > host.startIndex else { return nil }
    return index..<end
  }
}

extension Character {
  fileprivate var isMentionName: Bool {
    guard let octet = asciiValue else { return false }
    return ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == UInt8(ascii: "_")
  }
}
