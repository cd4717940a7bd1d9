import Octets

/// Finds the links of a text.
enum TextLinks {
  /// `http://` and `https://` links in order: to the next white space, without the punctuation of the
  /// sentence and without a closing parenthesis that has no opening one inside.
  static func find(in text: String) -> [Range<String.Index>] {
    var found: [Range<String.Index>] = []
    var index = text.startIndex
    while index < text.endIndex {
      guard isBoundary(before: index, in: text), let host = afterScheme(text[index...]) else {
        index = text.index(after: index)
        continue
      }
      var link = text[index...].prefix { !$0.isWhitespace && $0 != "<" && $0 != "\"" }
      while let last = link.last {
        let isOpen = last == ")" && link.count(where: { $0 == "(" }) >= link.count { $0 == ")" }
        guard ".,:;!?'…)".contains(last), !isOpen else { break }
        link = link.dropLast()
      }
      guard link.endIndex > host, text[host].isLetter || text[host].isNumber else {
        index = host
        continue
      }
      found.append(index..<link.endIndex)
      index = link.endIndex
    }
    return found
  }

  static func isBoundary(before index: String.Index, in text: String) -> Bool {
    guard index > text.startIndex else { return true }
    let before = text[text.index(before: index)]
    return !(before.isLetter || before.isNumber || "@#$_-./".contains(before))
      || !(before.isASCII || before.isWhitespace)
  }

  /// Where the host begins, after `http://` or `https://` in either case.
  static func afterScheme(_ text: Substring) -> String.Index? {
    for scheme in ["https://", "http://"] {
      let head = text.utf8.prefix(scheme.utf8.count)
      guard head.map(ASCII.lowercased) == Array(scheme.utf8), head.endIndex < text.endIndex else {
        continue
      }
      // The index of a character, not of a combining mark after the slash.
      guard let start = String.Index(head.endIndex, within: String(text.base)) else { return nil }
      return start
    }
    return nil
  }
}
