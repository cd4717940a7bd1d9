import Octets
import SecurityKeys

/// Octets that one key and one value give: always the same, and unpredictable without the key.
struct RandomOctets {
  private let key: SymmetricKey
  private let identity: [UInt8]
  private var block: [UInt8] = []
  private var place = 0
  private var number = 0

  init(_ key: SymmetricKey, _ identity: [UInt8]) {
    self.key = key
    self.identity = identity
  }

  mutating func next() -> UInt8 {
    if place == block.count {
      number += 1
      let message = Array("\(number) ".utf8) + identity
      block = key.authenticate(message.span, with: .sha256) ?? SystemRandom.octets(32)
      place = 0
    }
    place += 1
    return block[place - 1]
  }
}
