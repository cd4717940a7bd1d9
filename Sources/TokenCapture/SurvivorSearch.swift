import Octets
import SecurityKeys

/// Looks for originals in a capture: unchanged, percent-encoded, in base64 and in hexadecimal digits.
///
/// Of a value that is encoded, only the digits of base64 count that no octet beside it changes; fewer than
/// five of them occur by chance, which leaves out a value of four octets at one of its three offsets.
struct SurvivorSearch {
  private struct Original {
    let octets: [UInt8]
    /// Whether it counts only where no letter or digit is beside it.
    let asWord: Bool
  }

  private let originals: [Original]

  /// Values of fewer than four octets occur everywhere. A word that the capture keeps because a standard has
  /// it, such as `name`, cannot be told from the standard's.
  init(_ session: CaptureSession) {
    let words = PublicText.uris.union(PublicText.names).union(session.replacer.kept)
    let ours = LegacyException.all.map(\.name) + Self.ours
    let known = Array((words.sorted() + ours).joined(separator: " ").utf8)
    originals = session.replacer.originals.compactMap { octets in
      guard octets.count >= 4 else { return nil }
      let asWord = octets.count < 6 || octets.allSatisfy(PublicText.isTimeCharacter)
      guard !octets.allSatisfy({ !Self.isWord($0) && $0 < 0x80 }),
        !Self.contains(known, octets, asWord: asWord)
      else { return nil }
      return Original(octets: octets, asWord: asWord)
    }
  }

  /// Words of the files that a capture writes.
  private static let ours = [
    "capture.example", "decrypt.key", "trust.json", "allow-any-audience", "in-response-to", "recipient",
    "allow-algorithm", "certificate-dates", "enforce", "decrypt-key", "issuers", "keys", "formats",
    "algorithms", "certificateDates", "skew", "swt", "saml11", "saml20", "rstr", "hmac-file", "jwks",
    "hmac", "audience", "format", "trust",
  ]

  /// A text that has an original, and the original's length; nil where there is none.
  func survivor(in texts: [[UInt8]]) -> (place: String, length: Int)? {
    for (place, text) in texts.enumerated() {
      let fours = FourOctets(text)
      for original in originals {
        let isFound =
          fours.mayContain(original.octets)
          && Self.contains(text, original.octets, asWord: original.asWord)
        let isEncoded = {
          Self.encodings(of: original.octets).contains {
            fours.mayContain($0) && Self.contains(text, $0, asWord: false)
          }
        }
        if isFound || isEncoded() { return ("text \(place)", original.octets.count) }
      }
    }
    return nil
  }

  private static func encodings(of original: [UInt8]) -> [[UInt8]] {
    let hex = Hex.encode(original)
    var forms = [Array(hex.utf8), Array(hex.uppercased().utf8)]
    let escaped = Array(FormEncoding.encode(String(decoding: original, as: UTF8.self)).utf8)
    if escaped != original { forms.append(escaped) }
    for shift in 0..<3 {
      let shifted = [UInt8](repeating: 0, count: shift) + original
      let start = [0, 2, 3][shift]
      let end = shifted.count % 3 == 0 ? 0 : 1
      for variant in [Base64.encode(shifted), Base64.encode(shifted, .url)] {
        let digits = variant.utf8.filter { $0 != ASCII.equals }.dropFirst(start).dropLast(end)
        if digits.count >= 5 { forms.append(Array(digits)) }
      }
    }
    return forms
  }

  private static func contains(_ text: [UInt8], _ wanted: [UInt8], asWord: Bool) -> Bool {
    guard let first = wanted.first, wanted.count <= text.count else { return false }
    var place = 0
    while let found = text.firstIndex(of: first, from: place), found + wanted.count <= text.count {
      let end = found + wanted.count
      let isWhole =
        !(found > 0 && isWord(text[found - 1])) && !(end < text.count && isWord(text[end]))
      if text[found..<end].elementsEqual(wanted), !asWord || isWhole { return true }
      place = found + 1
    }
    return false
  }

  private static func isWord(_ byte: UInt8) -> Bool { ASCII.isLetter(byte) || ASCII.isDigit(byte) }

  /// Which four octets follow one another in a text: most forms are ruled out by it.
  private struct FourOctets {
    private var fours: Set<UInt32> = []

    init(_ text: [UInt8]) {
      var four: UInt32 = 0
      for (place, byte) in text.enumerated() {
        four = four << 8 | UInt32(byte)
        if place >= 3 { fours.insert(four) }
      }
    }

    func mayContain(_ form: [UInt8]) -> Bool {
      fours.contains(form.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
    }
  }
}
