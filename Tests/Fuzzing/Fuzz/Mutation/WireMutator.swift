import TokenBasics
import XMLOracle

/// Changes a token's wire form, and the XML inside it.
enum WireMutator {
  static func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    if octets.first == UInt8(ascii: "<") {
      let mutated = random.chance(85) ? XMLMutator.mutate(octets, &random) : octets
      return random.chance(12) ? packed(mutated, &random) : mutated
    }
    if octets.first == UInt8(ascii: "{") { return JSONMutator.mutate(octets, &random) }
    guard let inner = try? Base64.decode(octets.span, whiteSpace: .skipped) else {
      return ByteMutator.mutate(octets, &random)
    }
    if inner.first == UInt8(ascii: "<") {
      let mutated = random.chance(85) ? XMLMutator.mutate(inner, &random) : inner
      return random.chance(15) ? mutated : packed(mutated, &random)
    }
    return Array(Base64.encode(ByteMutator.mutate(inner, &random)).utf8)
  }

  private static func packed(_ xml: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    switch random.below(5) {
    case 0: return Array(Base64.encode(xml, .url).utf8)
    case 1: return Array(FormEncoding.encode(Base64.encode(xml)).utf8)
    case 2: return Array(Base64.encode(stored(xml)).utf8)
    case 3:
      var text = Array(Base64.encode(xml).utf8)
      text.insert(contentsOf: Array("\r\n".utf8), at: random.below(text.count + 1))
      return text
    default: return Array(Base64.encode(xml).utf8)
    }
  }

  /// A DEFLATE stream of stored blocks (RFC 1951, 3.2.4).
  private static func stored(_ octets: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = []
    var rest = octets[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(65_535)
      let count = UInt16(block.count)
      stream.append(rest.isEmpty ? 1 : 0)
      for value in [count, ~count] {
        stream.append(UInt8(truncatingIfNeeded: value))
        stream.append(UInt8(truncatingIfNeeded: value >> 8))
      }
      stream += block
    } while !rest.isEmpty
    return stream
  }
}
