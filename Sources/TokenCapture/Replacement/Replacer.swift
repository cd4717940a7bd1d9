import Octets
import SecurityKeys
import TokenErrors

/// Replaces words by random ones of the same shape, the same word always by the same one.
///
/// The letters come from an HMAC under a key that is made for one capture and thrown away with it, so
/// that no guess of an original can be confirmed.
final class Replacer {
  private let key: SymmetricKey
  private var replacements: [[UInt8]: [UInt8]] = [:]
  /// Names that are kept are no replacements of others.
  private var taken: Set<[UInt8]>
  /// Names of standards that the token has and its capture keeps.
  var kept: Set<String> = []
  /// Every word and value that was replaced.
  private(set) var originals: Set<[UInt8]> = []
  /// How many values were replaced, by their place.
  private(set) var counts: [String: Int] = [:]

  /// - Throws: `key.hmac-length` for an empty seed.
  ///
  /// - Parameter avoiding: What no word is replaced by.
  init(seed: [UInt8], avoiding: Set<[UInt8]>) throws(TokenError) {
    key = try SymmetricKey(bytes: seed)
    taken = avoiding.union(PublicText.names.map { Array($0.utf8) })
  }

  /// Records that a value was replaced.
  ///
  /// - Parameter original: What must not be in the capture.
  func count(_ place: String, original: [UInt8]? = nil) {
    counts[place, default: 0] += 1
    if let original { originals.insert(original) }
  }

  /// The replacement of one word: letters by letters of the same case, digits by digits, each character
  /// by one of as many octets.
  func word(_ word: ArraySlice<UInt8>) -> [UInt8] { replacement(Array(word), host: false) }

  /// The replacement of a host name, which ends in `.example` where there is room.
  func host(_ name: ArraySlice<UInt8>) -> [UInt8] { replacement(Array(name), host: true) }

  private func replacement(_ original: [UInt8], host: Bool) -> [UInt8] {
    let identity = [host ? 1 : 0] + original
    if let known = replacements[identity] { return known }
    var made = original
    // Short words run out of others; then two share one.
    for attempt in 0..<64 {
      made = Self.shaped(original, stream(identity, attempt), host: host)
      if made != original, !taken.contains(made) { break }
    }
    taken.insert(made)
    replacements[identity] = made
    originals.insert(original)
    return made
  }

  /// As many unpredictable octets as the value has, and some.
  private func stream(_ identity: [UInt8], _ attempt: Int) -> [UInt8] {
    var stream: [UInt8] = []
    var block = 0
    while stream.count < identity.count + 2 {
      let message = Array("\(attempt) \(block) ".utf8) + identity
      guard let more = key.authenticate(message.span, with: .sha256) else {
        return SystemRandom.octets(identity.count + 2)
      }
      stream += more
      block += 1
    }
    return stream
  }

  private static func shaped(_ original: [UInt8], _ stream: [UInt8], host: Bool) -> [UInt8] {
    var result: [UInt8] = []
    for (scalar, random) in zip(scalars(original), stream) {
      result += Array(String(Character(CharacterShape.another(scalar, random))).utf8)
    }
    if result.count < original.count { result += original[result.count...] }
    let suffix = Array(".example".utf8)
    guard host, original.count > suffix.count + 1, original.contains(UInt8(ascii: ".")),
      !original.allSatisfy({ ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }),
      original.allSatisfy({ $0 < 0x80 })
    else { return result }
    result = Array(result.prefix(original.count - suffix.count))
    for place in result.indices
    where !ASCII.isLetter(result[place]) && !ASCII.isDigit(result[place])
      && (place == 0 || place == result.count - 1)
    {
      result[place] = UInt8(ascii: "a") + stream[place] % 26
    }
    return result + suffix
  }

  private static func scalars(_ octets: [UInt8]) -> String.UnicodeScalarView {
    String(decoding: octets, as: UTF8.self).unicodeScalars
  }
}
