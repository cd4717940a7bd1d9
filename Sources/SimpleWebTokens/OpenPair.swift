import Claims
import Octets
import TokenErrors

/// The pair that is being read, up to its end. Copied nowhere.
struct OpenPair: ~Copyable {
  /// Where it begins, and its first `=`; before that comes, -1.
  let start: Int
  private var equals = -1
  private let decodedStart: Int
  private var decodedEquals = -1
  /// Whether the name as received is the one of the MAC.
  private(set) var isMAC = false
  /// Whether escapes are escapes, and of printable ASCII. The octets as received are nothing else.
  private var isPlain = true
  private var isNamePlain = true
  private var isValuePlain = true
  /// The first escape that is none.
  private var brokenEscape: Int?

  init(at start: Int, decoded: Int) {
    self.start = start
    decodedStart = decoded
  }

  @inline(__always)
  mutating func noteEquals(at place: Int, _ token: Span<UInt8>, decoded: Int) {
    guard equals < 0 else { return }
    equals = place
    decodedEquals = decoded
    isMAC = Self.isMAC(token, start..<place)
  }

  @inline(__always)
  static func isMAC(_ token: Span<UInt8>, _ name: Range<Int>) -> Bool {
    token.extracting(name).hasBytes(of: macName)
  }

  private static var macName: StaticString { "HMACSHA256" }

  /// Notes an escape of an octet that is no printable ASCII.
  mutating func noteUnprintable() {
    isPlain = false
    if equals < 0 { isNamePlain = false } else { isValuePlain = false }
  }

  mutating func noteBrokenEscape(at place: Int) {
    isPlain = false
    if brokenEscape == nil { brokenEscape = place }
  }

  /// The pair, which is decoded before `end`.
  ///
  /// - Throws: `input.swt-pair`, `input.percent-escape`, `input.not-utf8`, `input.swt-character`.
  @inline(__always)
  func closed(
    before end: Int, _ decoder: borrowing PairDecoder
  ) throws(TokenError) -> PairReader.Pair {
    // What has no name or no `=` is no pair, whatever else is wrong with it.
    guard start < equals else { throw TokenError(.malformedPair, node: "byte \(start)") }
    let name = decodedStart..<decodedEquals
    let value = decodedEquals + 1..<end
    if !isPlain { try check(name, value, decoder) }
    return PairReader.Pair(start: start, name: ClaimText(name), value: ClaimText(value))
  }

  /// Where the value of the MAC stands, which is before `end`; nil where an escape is none.
  func mac(before end: Int, decoded: Int) -> MACValue.Place? {
    guard brokenEscape == nil else { return nil }
    return MACValue.Place(received: equals + 1..<end, decoded: decodedEquals + 1..<decoded)
  }

  /// What comes first is told: the name, in it the escapes.
  private func check(
    _ name: Range<Int>, _ value: Range<Int>, _ decoder: borrowing PairDecoder
  ) throws(TokenError) {
    let broken = brokenEscape.map { TokenError(.malformedPercentEscape, node: "byte \($0)") }
    if let broken, let brokenEscape, brokenEscape < equals { throw broken }
    if !isNamePlain {
      try decoder.withDecoded(name) { name throws(TokenError) in try Self.check(name, start) }
    }
    if let broken { throw broken }
    if !isValuePlain {
      try decoder.withDecoded(value) { value throws(TokenError) in
        try Self.check(value, equals + 1)
      }
    }
  }

  private static func check(_ text: Span<UInt8>, _ place: Int) throws(TokenError) {
    guard (try? UTF8Span(validating: text)) != nil else {
      throw TokenError(.notUTF8, node: "byte \(place)")
    }
    for index in text.indices where text[index] < 0x20 || text[index] == 0x7F {
      throw TokenError(.swtCharacter, node: "byte \(place)")
    }
  }
}
