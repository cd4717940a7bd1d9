import Octets
import SecurityKeys
import TokenBasics

/// Replaces values by random ones of the same shape.
///
/// The whole value decides: equal values get equal replacements, so that an audience is still the expected
/// one, and a word inside of two different values gets two different ones. The letters come from an HMAC
/// under a key that is made for one capture and thrown away with it: a guess of an original cannot be
/// confirmed.
final class Replacer {
  /// Which texts of standards stay.
  enum Keeping {
    /// Identifiers and short names, where a standard's name is expected.
    case names
    /// Identifiers only: a claim whose value is `name` says something.
    case identifiers
    case nothing
  }

  private let key: SymmetricKey
  private var replacements: [[UInt8]: [UInt8]] = [:]
  /// Names that are kept are no replacements of others.
  private var taken: Set<[UInt8]>
  private let avoided: Set<[UInt8]>
  /// Names of standards, times and truth values that the token has and its capture keeps.
  var kept: Set<String> = []
  /// Every value that was replaced, and its words.
  private(set) var originals: Set<[UInt8]> = []
  /// How many values were replaced, by their place.
  private(set) var counts: [String: Int] = [:]

  /// - Throws: `key.hmac-length` for an empty seed.
  ///
  /// - Parameter avoided: What no value, and no word of one, is replaced by.
  init(seed: [UInt8], avoiding avoided: Set<[UInt8]>) throws(TokenError) {
    key = try SymmetricKey(bytes: seed)
    self.avoided = avoided
    taken = avoided.union(PublicText.names.map { Array($0.utf8) })
  }

  /// Records that a value was replaced.
  ///
  /// - Parameter original: What must not be in the capture.
  func count(_ place: String, original: [UInt8]? = nil) {
    counts[place, default: 0] += 1
    if let original { originals.insert(original) }
  }

  /// The value with its letters and digits replaced, octet for octet as long.
  ///
  /// - Parameter place: What the report counts it as; nil for what is not counted.
  func value(_ octets: [UInt8], _ place: String?, keeping: Keeping = .identifiers) -> [UInt8] {
    let core = PublicText.trimmed(octets)
    if PublicText.isPublic(core, keeping) {
      kept.insert(String(decoding: core, as: UTF8.self))
      return octets
    }
    // A reference is the identifier with a number sign.
    let isReference = core.first == UInt8(ascii: "#")
    let made = replacement(Array(isReference ? core.dropFirst() : core))
    let start = core.startIndex + (isReference ? 1 : 0)
    let result = octets[..<start] + made + octets[core.endIndex...]
    if !result.elementsEqual(octets), let place { count(place) }
    return Array(result)
  }

  /// Records the parts of a time that stay.
  func time(_ made: [UInt8]?) -> [UInt8]? {
    if let made { kept.insert(String(decoding: made, as: UTF8.self)) }
    return made
  }

  /// A name, whose parts around a colon are replaced alike wherever they occur.
  func name(_ octets: [UInt8]) -> [UInt8] {
    let parts = octets.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    return Array(
      parts.map { part in
        let isKept = PublicText.names.contains(String(decoding: part, as: UTF8.self))
        return isKept ? Array(part) : replacement(Array(part))
      }.joined(separator: [UInt8(ascii: ":")]))
  }

  private func replacement(_ original: [UInt8]) -> [UInt8] {
    if let known = replacements[original] { return known }
    var shaped = ShapedText(KeyedOctets(key, []))
    // Short values run out of others; then two share one.
    for attempt in 0..<64 {
      shaped = ShapedText(
        KeyedOctets(key, Array("\(attempt) ".utf8) + original), avoiding: avoided)
      shaped.replace(original)
      if shaped.output != original, !taken.contains(shaped.output) { break }
    }
    taken.insert(shaped.output)
    replacements[original] = shaped.output
    if shaped.output != original { originals.insert(original) }
    originals.formUnion(shaped.words)
    return shaped.output
  }
}

/// Octets that one key and one value give: always the same, and unpredictable without the key.
struct KeyedOctets {
  /// Made of the value, so that its length counts once and not for each block.
  private let key: SymmetricKey?
  private var block: [UInt8] = []
  private var place = 0
  private var number = 0

  init(_ key: SymmetricKey, _ identity: [UInt8]) {
    self.key = key.authenticate(identity.span, with: .sha256).flatMap {
      try? SymmetricKey(bytes: $0)
    }
  }

  /// Octets that nothing gives again.
  init() { key = nil }

  mutating func next() -> UInt8 {
    if place == block.count {
      number += 1
      block =
        key?.authenticate(Array("\(number)".utf8).span, with: .sha256) ?? SystemRandom.octets(256)
      place = 0
    }
    place += 1
    return block[place - 1]
  }
}
