import Octets

/// The beginning of a text, without a byte order mark and the white space around it.
struct TextSample {
  /// All octets, without the mark and the white space.
  let octets: ArraySlice<UInt8>
  /// The first of them, in which words are looked for.
  private let sample: ArraySlice<UInt8>
  /// The same with ASCII letters in lower case.
  private let lowerSample: ArraySlice<UInt8>
  /// Which bytes occur in either of them: most words are told to be missing by that.
  private let present: [Bool]
  /// The same as text.
  let text: String
  /// The same with ASCII letters in lower case.
  let lower: String
  /// Whether white space stands before the first character on its line.
  let isIndented: Bool
  /// In how many other texts it was found.
  let depth: Int

  init(_ whole: some Collection<UInt8>, depth: Int = 0) {
    self.depth = depth
    let all = Array(whole)
    let octets = Self.trimmed(all[...])
    isIndented =
      octets.startIndex > 0
      && (all[octets.startIndex - 1] == ASCII.space
        || all[octets.startIndex - 1] == ASCII.tab)
    self.octets = octets
    sample = octets.prefix(Self.length)
    lowerSample = sample.map { ASCII.lowercased($0) }[...]
    var present = [Bool](repeating: false, count: 256)
    for byte in sample { present[Int(byte)] = true }
    for byte in UInt8(ascii: "A")...UInt8(ascii: "Z") where present[Int(byte)] {
      present[Int(ASCII.lowercased(byte))] = true
    }
    self.present = present
    text = String(decoding: sample, as: UTF8.self)
    lower = String(decoding: lowerSample, as: UTF8.self)
    pieces = Pieces(text)
  }

  /// Without a byte order mark and the white space around it.
  static func trimmed(_ all: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var octets = all.starts(with: [0xEF, 0xBB, 0xBF]) ? all.dropFirst(3) : all
    octets = octets.drop { ASCII.isWhiteSpace($0) }
    while let last = octets.last, ASCII.isWhiteSpace(last) { octets.removeLast() }
    return octets
  }

  /// Bytes in which words are looked for.
  static let length = 65_536

  var isEmpty: Bool { octets.isEmpty }
  var first: UInt8? { octets.first }

  func begins(_ word: String) -> Bool { octets.starts(with: word.utf8) }
  /// Without case; `word` is in lower case.
  func beginsLowercased(_ word: String) -> Bool { lower.utf8.starts(with: word.utf8) }
  func has(_ part: String) -> Bool { mayHave(part) && sample.firstRange(ofBytes: part) != nil }
  /// Without case; `part` is in lower case.
  func hasLowercased(_ part: String) -> Bool {
    mayHave(part) && lowerSample.firstRange(ofBytes: part) != nil
  }
  private func mayHave(_ part: String) -> Bool { part.utf8.allSatisfy { present[Int($0)] } }

  /// The lines of the sample without white space around them, blank ones left out.
  var lines: [Substring] { pieces.lines }
  /// The words between white space.
  var words: [Substring] { pieces.words }
  private let pieces: Pieces

  /// The lines and words of a text, made once: the recognisers ask for them again and again.
  private final class Pieces {
    private let text: String

    init(_ text: String) { self.text = text }

    lazy var lines: [Substring] = text.utf8.split {
      $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn
    }.compactMap { line in
      var line = line.drop(while: ASCII.isWhiteSpace)
      while let last = line.last, ASCII.isWhiteSpace(last) { line.removeLast() }
      return line.isEmpty ? nil : Substring(line)
    }

    lazy var words: [Substring] = text.utf8.split(whereSeparator: ASCII.isWhiteSpace)
      .map { Substring($0) }
  }

  /// Whether all octets are digits of either alphabet of Base 64, padding or white space.
  var isBase64: Bool {
    octets.allSatisfy { TextSample.isDigit($0) || $0 == ASCII.equals || ASCII.isWhiteSpace($0) }
  }

  /// The octets that the text is base64 of, in either alphabet and any layout; nil where it is none.
  var decoded: [UInt8]? { TextSample.decoded(octets) }

  static func decoded(_ octets: ArraySlice<UInt8>) -> [UInt8]? {
    let digits = octets.filter { !ASCII.isWhiteSpace($0) && $0 != ASCII.equals }
    guard digits.count >= 2, digits.allSatisfy(isDigit) else { return nil }
    let urls = digits.map { (byte: UInt8) -> UInt8 in
      switch byte {
      case ASCII.plus: UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: byte
      }
    }
    return try? Base64.decode(urls.span, .url)
  }

  /// Whether a byte is a digit of either alphabet of Base 64.
  static func isDigit(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.plus || byte == UInt8(ascii: "/")
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }
}
