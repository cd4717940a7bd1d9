import Octets
import SecurityKeys
import TokenBasics

/// Looks for originals in a capture: unchanged, percent-encoded, in base64 and in hexadecimal digits.
struct SurvivorSearch {
  private struct Original {
    let octets: [UInt8]
    /// Whether it counts only where no letter or digit is beside it.
    let asWord: Bool
    /// Whether its encodings count: not those of a part of a word that is kept.
    let hasEncodings: Bool
  }

  private let originals: [Original]

  /// Values of fewer than four octets, or of one character, occur everywhere. A word that the capture keeps because a standard has
  /// it, such as `name`, cannot be told from the standard's.
  init(_ session: CaptureSession) {
    let words = PublicText.uris.union(PublicText.names).union(MarkupText.names)
      .union(session.replacer.kept).union(PublicText.schemes)
    let ours = LegacyException.all.map(\.name) + Self.ours
    let known = SearchedText((words.sorted() + ours).map { Array($0.utf8) })
    originals = session.replacer.originals.compactMap { original in
      // The punctuation around a value stays.
      let octets = Self.trimmed(original)
      guard octets.count >= 4, Self.hasCharacters(octets) else { return nil }
      let asWord = octets.count < 6 || octets.allSatisfy(PublicText.isTimeCharacter)
      guard !octets.allSatisfy({ $0 < 0x80 && !ASCII.isLetter($0) && !ASCII.isDigit($0) }),
        !known.contains(octets, asWord: asWord)
      else { return nil }
      let isPart = known.contains(octets, asWord: false)
      return Original(octets: octets, asWord: asWord, hasEncodings: !isPart)
    }
  }

  /// Whether there are two characters of UTF-8 or more.
  private static func hasCharacters(_ octets: [UInt8]) -> Bool {
    octets.dropFirst().contains { $0 & 0xC0 != 0x80 }
  }

  private static func trimmed(_ octets: [UInt8]) -> [UInt8] {
    let isEdge = { (byte: UInt8) in byte < 0x80 && !ASCII.isLetter(byte) && !ASCII.isDigit(byte) }
    guard let start = octets.firstIndex(where: { !isEdge($0) }),
      let end = octets.lastIndex(where: { !isEdge($0) })
    else { return [] }
    return Array(octets[start...end])
  }

  /// Words of the files that a capture writes.
  private static let ours = [
    "capture.example", "decrypt.key", "trust.json", "allow-any-audience", "in-response-to",
    "recipient",
    "allow-algorithm", "certificate-dates", "enforce", "decrypt-key", "issuers", "keys", "formats",
    "algorithms", "certificateDates", "skew", "swt", "saml11", "saml20", "rstr", "hmac-file",
    "jwks",
    "hmac", "audience", "format", "trust",
  ]

  /// The length of an original that is in one of the texts; nil where there is none.
  func survivor(in texts: [[UInt8]]) -> Int? {
    let plain = SearchedText(texts)
    let decoded = SearchedText(texts.flatMap(DecodedSurfaces.of))
    return originals.first { original in
      plain.contains(original.octets, asWord: original.asWord)
        || original.hasEncodings && decoded.contains(original.octets, asWord: original.asWord)
    }?.octets.count
  }
}

/// Texts in which originals are looked for, all at once.
///
/// Places that begin with the same four octets are chained, so that a search takes as long as there are such
/// places.
struct SearchedText {
  private var text: [UInt8] = []
  private var heads: [Int32]
  private var next: [Int32]
  private static let bits = 16

  /// - Parameter texts: Nothing is found across two of them.
  init(_ texts: [[UInt8]]) {
    text = Array(texts.joined(separator: [0, 0]))
    heads = Array(repeating: -1, count: 1 << Self.bits)
    next = Array(repeating: -1, count: text.count)
    var four: UInt32 = 0
    for (place, byte) in text.enumerated() {
      four = four << 8 | UInt32(byte)
      guard place >= 3, let start = Int32(exactly: place - 3) else { continue }
      let bucket = Self.bucket(four)
      next[place - 3] = heads[bucket]
      heads[bucket] = start
    }
  }

  private static func bucket(_ four: UInt32) -> Int { Int((four &* 0x9E37_79B1) >> (32 - 16)) }

  /// - Parameter asWord: Whether it counts only where no letter or digit is beside it.
  func contains(_ wanted: some Collection<UInt8>, asWord: Bool) -> Bool {
    let wanted = Array(wanted)
    guard wanted.count >= 4 else { return false }
    var found = Int(heads[Self.bucket(wanted.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })])
    while found >= 0 {
      let end = found + wanted.count
      if end <= text.count, text[found..<end].elementsEqual(wanted), !asWord || isWord(found..<end)
      {
        return true
      }
      found = Int(next[found])
    }
    return false
  }

  private func isWord(_ range: Range<Int>) -> Bool {
    let before = range.lowerBound > 0 && Self.isPart(text[range.lowerBound - 1])
    return !before && !(range.upperBound < text.count && Self.isPart(text[range.upperBound]))
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte >= 0x80
  }
}

/// What a text has behind percent-encoding, hexadecimal digits and base64.
///
/// Decoding the text once takes as long as the text is; encoding each original in every way would take that
/// for each.
enum DecodedSurfaces {
  static func of(_ text: [UInt8]) -> [[UInt8]] {
    var surfaces: [[UInt8]] = []
    if text.contains(ASCII.percent) { surfaces.append(ReversibleText(percent: text[...]).decoded) }
    var place = 0
    while place < text.count {
      let end = text[place...].firstIndex { digit($0) == nil } ?? text.count
      if end - place >= 6 { surfaces += base64(text[place..<end]) }
      place = end + 1
    }
    place = 0
    while place < text.count {
      let end = text[place...].firstIndex { Hex.value($0) == nil } ?? text.count
      if end - place >= 8 { surfaces += hexadecimal(text[place..<end]) }
      place = end + 1
    }
    return surfaces
  }

  /// The octets of a run of digits, which may begin with any of four.
  private static func base64(_ run: ArraySlice<UInt8>) -> [[UInt8]] {
    (0..<4).map { skipped in
      var octets: [UInt8] = []
      octets.reserveCapacity(run.count)
      var (bits, count) = (UInt32(0), 0)
      for byte in run.dropFirst(skipped) {
        bits = bits << 6 | UInt32(digit(byte) ?? 0)
        count += 6
        guard count >= 8 else { continue }
        count -= 8
        octets.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
      return octets
    }
  }

  private static func hexadecimal(_ run: ArraySlice<UInt8>) -> [[UInt8]] {
    (0..<2).map { skipped in
      let digits = run.dropFirst(skipped).compactMap(Hex.value)
      return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
  }

  /// The value of a digit of base64 in either alphabet.
  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x41...0x5A: byte - 0x41
    case 0x61...0x7A: byte - 0x61 + 26
    case 0x30...0x39: byte - 0x30 + 52
    case ASCII.plus, UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
