/// A link or a tag in a text, by its UTF-8 bytes: Bluesky itself recognises neither.
struct Facet: Hashable {
  enum Feature: Hashable {
    case link(String)
    case tag(String)
  }

  let bytes: Range<Int>
  let feature: Feature

  /// The links and hashtags of a text, in order.
  static func facets(of text: String) -> [Facet] {
    let links = TextLinks.find(in: text)
    var facets = links.map { Facet(bytes: bytes($0, text), feature: .link(String(text[$0]))) }
    var index = text.startIndex
    while let hash = text[index...].firstIndex(where: { $0 == "#" || $0 == "＃" }) {
      index = text.index(after: hash)
      guard !links.contains(where: { $0.contains(hash) }), startsWord(hash, text) else { continue }
      let tag = text[index...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      guard tag.contains(where: { !$0.isNumber }), tag.count <= 64 else { continue }
      facets.append(
        Facet(bytes: bytes(hash..<tag.endIndex, text), feature: .tag(String(tag))))
      index = tag.endIndex
    }
    return facets.sorted { $0.bytes.lowerBound < $1.bytes.lowerBound }
  }

  private static func startsWord(_ index: String.Index, _ text: String) -> Bool {
    index == text.startIndex || text[text.index(before: index)].isWhitespace
  }

  private static func bytes(_ range: Range<String.Index>, _ text: String) -> Range<Int> {
    let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
    return start..<start + text[range].utf8.count
  }
}
