import Octets
import SecurityKeys

/// Octets that one key and one value give: always the same, and unpredictable without the key.
struct KeyedOctets {
  /// Made of the value, so that its length counts once and not for each block.
  private let key: SymmetricKey?
  private var block: [UInt8] = []
  private var place = 0
  private var number = 0

  init(_ key: SymmetricKey, _ identity: [UInt8]) {
    self.key = key.authenticate(identity.span, with: .sha256).flatMap {
      try? SymmetricKey(bytes: $0)
    }
  }

  /// Octets that nothing gives again.
  init() { key = nil }

  mutating func next() -> UInt8 {
    if place == block.count {
      number += 1
      block =
        key?.authenticate(Array("\(number)".utf8).span, with: .sha256) ?? SystemRandom.octets(256)
      place = 0
    }
    place += 1
    return block[place - 1]
  }
}
