import Octets
import SecurityKeys

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
