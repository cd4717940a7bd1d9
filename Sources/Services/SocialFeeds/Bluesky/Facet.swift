/// A link, a tag or a mention in a text, by its UTF-8 bytes: Bluesky itself recognises none of them.
struct Facet: Hashable {
  enum Feature: Hashable {
    case link(String)
    case tag(String)
    /// The account's decentralized identifier.
    case mention(String)
  }

  let bytes: Range<Int>
  let feature: Feature

  /// The links, hashtags and mentions of a text, in order.
  ///
  /// - Parameter accounts: The identifiers of the accounts whose handles are mentioned; a handle without one is text.
  static func facets(of text: String, accounts: [String: String] = [:]) -> [Facet] {
    let links = TextLinks.find(in: text)
    var facets = links.map { Facet(bytes: bytes($0, text), feature: .link(String(text[$0]))) }
    for domain in BareDomains.find(in: text) where !links.contains(where: domain.overlaps) {
      facets.append(
        Facet(bytes: bytes(domain, text), feature: .link("https://" + text[domain])))
    }
    for (range, handle) in BareDomains.handles(in: text)
    where !links.contains(where: range.overlaps) {
      guard let account = accounts[handle] else { continue }
      facets.append(Facet(bytes: bytes(range, text), feature: .mention(account)))
    }
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
