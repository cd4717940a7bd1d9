/// The options of this command for what hints and warnings of the library name. The library speaks of its own parameters, such as
/// the accepted audiences, which other programs set in other ways.
enum HintOptions {
  /// What they say, and the option that sets it.
  static let phrases = [
    ("the accepted audiences", "--audience"), ("accept any audience", "--allow-any-audience"),
    ("expect it as the recipient", "--recipient"), ("the instant of its time", "--at"),
    ("the allowed skew", "--skew"), ("the trusted keys", "--key"),
    ("the trusted metadata", "--metadata"), ("naming the metadata", "--metadata"),
    ("that of a trust file", "--trust"), ("the trust files", "--trust"),
    ("the allowed algorithms", "--allow-algorithm"), ("the decryption keys", "--decrypt-key"),
    ("the ID attributes", "--id-attribute"), ("accept partial signatures", "--allow-partial"),
    ("pin the format", "--format"), ("line by line", "--lines"), ("demand one", "--key-binding"),
  ]

  /// The text with each option behind what it sets, once.
  static func added(to hint: String) -> String {
    var text = hint
    for (phrase, option) in phrases {
      guard let range = text.firstRange(of: phrase), !text.contains(option) else { continue }
      text.insert(contentsOf: " (\(option))", at: range.upperBound)
    }
    return text
  }
}
