import XMLOracle

/// Small changes to bytes, regardless of their meaning.
enum ByteMutator {
  static func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var octets = octets
    guard !octets.isEmpty else { return [UInt8(random.below(256))] }
    let index = random.below(octets.count)
    switch random.below(6) {
    case 0: octets[index] ^= 1 << UInt8(random.below(8))
    case 1: octets[index] = UInt8(random.below(256))
    case 2: octets.remove(at: index)
    case 3: octets.insert(UInt8(random.below(256)), at: index)
    case 4:
      let end = min(octets.count, index + 1 + random.below(32))
      octets.insert(contentsOf: octets[index..<end], at: random.below(octets.count + 1))
    default:
      octets.removeSubrange(index..<min(octets.count, index + 1 + random.below(16)))
    }
    return octets
  }
}
