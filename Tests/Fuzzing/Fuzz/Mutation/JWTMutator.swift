import SecurityKeys
import TokenBasics
import XMLOracle

/// Changes a JSON Web Token part by part, and signs it again with a secret more often than not.
struct JWTMutator {
  /// The secret that the target trusts for HS256.
  let key: SymmetricKey

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var parts = octets.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map { Array($0) }
    switch random.below(10) {
    case 0: parts.insert(random.pick(parts), at: random.below(parts.count + 1))
    case 1: parts.remove(at: random.below(parts.count))
    case 2: parts.swapAt(random.below(parts.count), random.below(parts.count))
    case 3:
      let index = random.below(parts.count)
      parts[index] = ByteMutator.mutate(parts[index], &random)
    case 4:
      let index = random.below(parts.count)
      parts[index].append(UInt8(ascii: "="))
    default:
      let index = random.chance(30) ? 0 : 1
      guard parts.count > index, let json = try? Base64.decode(parts[index][...], .url) else {
        return ByteMutator.mutate(octets, &random)
      }
      var mutated = json
      for _ in 0...random.below(3) { mutated = JSONMutator.mutate(mutated, &random) }
      parts[index] = Array(Base64.encode(mutated, .url).utf8)
    }
    return random.chance(70) ? signed(parts) : Array(parts.joined(separator: [0x2E]))
  }

  /// The first two parts with a third that fits them under HS256.
  func signed(_ parts: [[UInt8]]) -> [UInt8] {
    guard parts.count >= 2 else { return Array(parts.joined(separator: [0x2E])) }
    let content = Array(parts[..<2].joined(separator: [0x2E]))
    guard let mac = key.authenticate(content.span, with: .sha256) else { return content }
    return content + [0x2E] + Array(Base64.encode(mac, .url).utf8)
  }
}
