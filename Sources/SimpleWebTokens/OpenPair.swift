import Claims
import Octets
import TokenErrors

/// The pair that is being read, up to its end.
struct OpenPair {
  /// Where it begins, and its first `=`.
  let start: Int
  private var equals: Int?
  private let decodedStart: Int
  private var decodedEquals = 0
  /// Whether the name as received is the one of the MAC.
  private(set) var isMAC = false
  /// The first escape that is none.
  private var brokenEscape: Int?
  /// Whether escapes stood for printable ASCII only. The octets as received are nothing else.
  private var isNamePlain = true
  private var isValuePlain = true

  init(at start: Int, _ decoder: borrowing PairDecoder) {
    self.start = start
    decodedStart = decoder.decodedPlace(start)
  }

  // A call, so that the walk need not keep all that is noted here in registers.
  @inline(never)
  mutating func noteEquals(
    at place: Int, _ token: Span<UInt8>, _ decoder: borrowing PairDecoder
  ) {
    guard equals == nil else { return }
    equals = place
    decodedEquals = decoder.decodedPlace(place)
    isMAC = Self.isMAC(token, start..<place)
  }

  static func isMAC(_ token: Span<UInt8>, _ name: Range<Int>) -> Bool {
    name.count == macName.utf8CodeUnitCount && token.extracting(name).hasPrefix(macName)
  }

  private static var macName: StaticString { "HMACSHA256" }

  @inline(__always)
  mutating func noteEscape(of octet: UInt8) {
    let isPrintable = octet &- 0x20 < 0x5F
    if !isPrintable { noteUnprintable() }
  }

  private mutating func noteUnprintable() {
    if equals == nil { isNamePlain = false } else { isValuePlain = false }
  }

  mutating func noteBrokenEscape(at place: Int) {
    if brokenEscape == nil { brokenEscape = place }
  }

  /// The pair, which ends before `end`.
  ///
  /// - Throws: `input.swt-pair`, `input.percent-escape`, `input.not-utf8`, `input.swt-character`.
  @inline(__always)
  func closed(
    _ token: Span<UInt8>, before end: Int, _ decoder: inout PairDecoder
  ) throws(TokenError) -> PairReader.Pair {
    // What has no name or no `=` is no pair, whatever else is wrong with it.
    guard let equals, start < equals else {
      throw TokenError(.malformedPair, node: "byte \(start)")
    }
    let name = decodedStart..<decodedEquals
    let value = decodedEquals + 1..<decoder.decodedPlace(end)
    if brokenEscape != nil || !isNamePlain || !isValuePlain {
      decoder.copy(token, upTo: end)
      try check(name, value, equals, decoder)
    }
    return PairReader.Pair(start: start, name: ClaimText(name), value: ClaimText(value))
  }

  /// Where the value of the MAC is decoded, which ends before `end`; nil where an escape is none.
  func mac(before end: Int, _ decoder: borrowing PairDecoder) -> Range<Int>? {
    brokenEscape == nil ? decodedEquals + 1..<decoder.decodedPlace(end) : nil
  }

  /// What comes first is told: the name, in it the escapes.
  private func check(
    _ name: Range<Int>, _ value: Range<Int>, _ equals: Int, _ decoder: borrowing PairDecoder
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
