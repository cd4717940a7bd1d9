import Octets
import TokenErrors

/// Pairs, decoded one behind the other into one buffer.
struct DecodedPairs {
  /// Where a pair stands among the decoded octets, and where it stood in the token.
  struct Pair {
    let name: Range<Int>
    let value: Range<Int>
    let place: Int
  }

  private(set) var octets: [UInt8] = []
  private(set) var pairs: [Pair] = []
  /// What was wrong with the pair behind the last one here.
  private(set) var failure: TokenError?

  /// Decodes the pairs of a token, up to the first that is wrong: `input.swt-pair`,
  /// `input.percent-escape`, `input.not-utf8` or `input.swt-character`.
  init(_ token: ArraySlice<UInt8>, _ ranges: [Range<Int>]) {
    var pairs: [Pair] = []
    pairs.reserveCapacity(ranges.count)
    var failure: TokenError?
    octets = unsafe [UInt8](unsafeUninitializedCapacity: token.count) { buffer, count in
      var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      do throws(TokenError) {
        for range in ranges { pairs.append(try Self.decode(range, of: token, into: &output)) }
      } catch {
        failure = error
      }
      count = unsafe output.finalize(for: buffer)
    }
    self.pairs = pairs
    self.failure = failure
  }

  private static func decode(
    _ range: Range<Int>, of token: ArraySlice<UInt8>, into output: inout OutputSpan<UInt8>
  ) throws(TokenError) -> Pair {
    let place = range.lowerBound - token.startIndex
    guard let equals = token[range].firstIndex(of: ASCII.equals, from: range.lowerBound),
      equals > range.lowerBound
    else {
      throw TokenError(.malformedPair, node: "byte \(place)")
    }
    return Pair(
      name: try text(range.lowerBound..<equals, of: token, into: &output),
      value: try text(equals + 1..<range.upperBound, of: token, into: &output), place: place)
  }

  /// The octets as received are printable ASCII, so only escapes can stand for something else.
  private static func text(
    _ range: Range<Int>, of token: ArraySlice<UInt8>, into output: inout OutputSpan<UInt8>
  ) throws(TokenError) -> Range<Int> {
    let start = output.count
    let found = try FormEncoding.decode(
      token[range], countingFrom: token.startIndex, into: &output)
    let text = start..<output.count
    if found.beyondASCII, (try? UTF8Span(validating: output.span.extracting(text))) == nil {
      throw TokenError(.notUTF8, node: "byte \(range.lowerBound - token.startIndex)")
    }
    guard !found.control else {
      throw TokenError(.swtCharacter, node: "byte \(range.lowerBound - token.startIndex)")
    }
    return text
  }
}
