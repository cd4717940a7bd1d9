import Octets
import TokenErrors

extension PairReader {
  /// Decodes the pairs one behind the other into one buffer and notes where each is, up to the first that
  /// is wrong, which becomes ``failure``: `input.swt-pair`, `input.percent-escape`, `input.not-utf8` or
  /// `input.swt-character`.
  mutating func decode(_ token: Span<UInt8>) -> [UInt8] {
    // Decoding makes nothing longer; eight bytes more let it copy words.
    unsafe [UInt8](unsafeUninitializedCapacity: signedEnd + ByteLanes.count) { buffer, written in
      var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      do throws(TokenError) {
        while decodedCount < pairs.count {
          try Self.decode(&pairs[decodedCount], of: token, into: &output)
          decodedCount += 1
        }
      } catch {
        failure = error
      }
      written = unsafe output.finalize(for: buffer)
    }
  }

  private static func decode(
    _ pair: inout Pair, of token: Span<UInt8>, into output: inout OutputSpan<UInt8>
  ) throws(TokenError) {
    let received = pair.received
    guard let equals = token.firstIndex(of: ASCII.equals, in: received),
      equals > received.lowerBound
    else {
      throw TokenError(.malformedPair, node: pair.place)
    }
    pair.name = try text(received.lowerBound..<equals, of: token, into: &output)
    pair.value = try text(equals + 1..<received.upperBound, of: token, into: &output)
  }

  /// The octets as received are printable ASCII, so only escapes can stand for something else.
  private static func text(
    _ range: Range<Int>, of token: Span<UInt8>, into output: inout OutputSpan<UInt8>
  ) throws(TokenError) -> Range<Int> {
    let start = output.count
    let found = FormEncoding.decode(token, range, into: &output)
    if let failedAt = found.failedAt {
      throw TokenError(.malformedPercentEscape, node: "byte \(failedAt)")
    }
    let text = start..<output.count
    if found.beyondASCII, (try? UTF8Span(validating: output.span.extracting(text))) == nil {
      throw TokenError(.notUTF8, node: "byte \(range.lowerBound)")
    }
    guard !found.control else {
      throw TokenError(.swtCharacter, node: "byte \(range.lowerBound)")
    }
    return text
  }
}
