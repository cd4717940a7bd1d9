import Octets

/// Looks for originals in a capture: unchanged, percent-encoded, in base64 and in hexadecimal digits.
struct SurvivorSearch {
  private let originals: [[UInt8]]

  /// Values of fewer than four octets occur everywhere, and short numbers in times. A word of a standard,
  /// such as `name`, cannot be told from the standard's.
  init(_ session: CaptureSession) {
    let words = PublicText.uris.union(PublicText.names).union(session.replacer.kept)
    let ours = [
      "capture.example", "decrypt.key", "trust.json", "allow-any-audience", "in-response-to", "recipient",
      "allow-algorithm", "certificate-dates", "enforce",
    ]
    let known = Array((words.sorted() + ours).joined(separator: " ").utf8)
    originals = session.replacer.originals.filter {
      $0.count >= 4 && !($0.count < 6 && $0.allSatisfy(PublicText.isTimeCharacter))
        && !$0.allSatisfy(ASCII.isWhiteSpace) && !Self.contains(known, $0)
    }
  }

  /// A text that has an original, and the original's length; nil where there is none.
  func survivor(in texts: [[UInt8]]) -> (place: String, length: Int)? {
    for (place, text) in texts.enumerated() {
      let words = WordIndex(text)
      for original in originals {
        for form in Self.forms(of: original) where words.mayContain(form) {
          if Self.contains(text, form, asWord: original.count < 6) { return ("text \(place)", original.count) }
        }
      }
    }
    return nil
  }

  private static func forms(of original: [UInt8]) -> [[UInt8]] {
    var forms = [original]
    guard original.count >= 6 else { return forms }
    let hex = Hex.encode(original)
    forms += [Array(hex.utf8), Array(hex.uppercased().utf8)]
    let escaped = FormEncoding.encode(String(decoding: original, as: UTF8.self))
    forms.append(Array(escaped.utf8))
    for shift in 0..<3 {
      // Only the digits that do not depend on the octets around.
      let digits = Base64.encode([UInt8](repeating: 0, count: shift) + original).utf8
        .filter { $0 != ASCII.equals }
      let start = [0, 2, 3][shift]
      let end = (shift + original.count) % 3 == 0 ? 0 : 1
      let core = digits.dropFirst(start).dropLast(end)
      if core.count >= 6 { forms.append(Array(core)) }
    }
    return forms
  }

  /// - Parameter asWord: Whether it counts only where no letter or digit is beside it.
  private static func contains(
    _ text: [UInt8], _ wanted: [UInt8], asWord: Bool = false
  ) -> Bool {
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
  private struct WordIndex {
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
