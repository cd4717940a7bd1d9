import Octets

/// The options of this command for what hints and warnings of the library name. The library speaks of its own parameters, such as
/// the accepted audiences, which other programs set in other ways.
enum HintOptions {
  /// What they say, and the option that sets it.
  static let phrases: [(phrase: StaticString, option: StaticString)] = [
    ("the accepted audiences", "--audience"), ("accept any audience", "--allow-any-audience"),
    ("expect it as the recipient", "--recipient"), ("the instant of its time", "--at"),
    ("the allowed skew", "--skew"), ("the trusted keys", "--key"),
    ("the trusted metadata", "--metadata"), ("naming the metadata", "--metadata"),
    ("that of a trust file", "--trust"), ("the trust files", "--trust"),
    ("the allowed algorithms", "--allow-algorithm"), ("the decryption keys", "--decrypt-key"),
    ("the ID attributes", "--id-attribute"), ("accept partial signatures", "--allow-partial"),
    ("pin the format", "--format"), ("line by line", "--lines"), ("demand one", "--key-binding"),
  ]

  /// They by their first octets, which few words have.
  private static let byBeginning = phrases.reduce(
    into: [[(phrase: StaticString, option: StaticString)]](repeating: [], count: 256)
  ) { table, pair in
    let first = pair.phrase.withUTF8Buffer { unsafe $0.first ?? 0 }
    table[Int(first)].append(pair)
  }

  /// The text with each option behind what it sets, once. Each refused token's record has such a text, so its octets are
  /// looked through in place, word by word.
  static func added(to hint: String) -> String {
    let octets = hint.utf8.span
    var added: [(end: Int, option: StaticString)] = []
    for index in octets.indices where index == 0 || octets[index - 1] == ASCII.space {
      let rest = octets.extracting(index...)
      guard
        let (phrase, option) = byBeginning[Int(rest[0])].first(where: { rest.hasPrefix($0.phrase) }
        ),
        !octets.hasPart(option), !added.contains(where: { $0.option.hasSameBytes(as: option) })
      else { continue }
      added.append((index + phrase.utf8CodeUnitCount, option))
    }
    guard !added.isEmpty else { return hint }
    var text = Array(hint.utf8)
    for (end, option) in added.reversed() { text.insert(contentsOf: " (\(option))".utf8, at: end) }
    return String(decoding: text, as: UTF8.self)
  }
}
