import Octets
import TokenErrors

extension PairReader {
  /// Decodes the pairs one behind the other into one buffer and notes where each is, up to the first that
  /// is wrong, which becomes ``failure``: `input.swt-pair`, `input.percent-escape`, `input.not-utf8` or
  /// `input.swt-character`.
  mutating func decode(_ token: Span<UInt8>) -> [UInt8] {
    // Decoding makes nothing longer; eight bytes more let it copy words.
    var octets: [UInt8] = []
    octets.append(addingCapacity: signedEnd + ByteLanes.count) { output in
      do throws(TokenError) {
        while decodedCount < pairs.count {
          try Self.decode(&pairs[decodedCount], of: token, into: &output)
          decodedCount += 1
        }
      } catch {
        failure = error
      }
    }
    return octets
  }

  private static func decode(
    _ pair: inout Pair, of token: Span<UInt8>, into output: inout OutputSpan<UInt8>
  ) throws(TokenError) {
    let received = pair.received
    let nameStart = output.count
    let name = FormEncoding.decode(token, received, until: ASCII.equals, into: &output)
    // What has no name or no `=` is no pair, whatever else is wrong with it.
    let equals =
      name.isMalformed
      ? token.firstIndex(of: ASCII.equals, in: received) ?? received.upperBound : name.end
    guard received.lowerBound < equals, equals < received.upperBound else {
      throw TokenError(.malformedPair, node: pair.place)
    }
    pair.name = try text(name, from: received.lowerBound, output.span, nameStart)
    let valueStart = output.count
    let value = FormEncoding.decode(token, equals + 1..<received.upperBound, into: &output)
    pair.value = try text(value, from: equals + 1, output.span, valueStart)
  }

  /// Where the text stands that was decoded from `place` on. The octets as received are printable ASCII,
  /// so only escapes can stand for something else.
  private static func text(
    _ found: FormEncoding.Found, from place: Int, _ decoded: Span<UInt8>, _ start: Int
  ) throws(TokenError) -> Range<Int> {
    guard !found.isMalformed else {
      throw TokenError(.malformedPercentEscape, node: "byte \(found.end)")
    }
    let text = start..<decoded.count
    if found.beyondASCII, (try? UTF8Span(validating: decoded.extracting(text))) == nil {
      throw TokenError(.notUTF8, node: "byte \(place)")
    }
    guard !found.control else {
      throw TokenError(.swtCharacter, node: "byte \(place)")
    }
    return text
  }
}
