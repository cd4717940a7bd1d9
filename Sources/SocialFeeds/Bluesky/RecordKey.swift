import Instants
import Octets

extension PostAttempt {
  /// A timestamp identifier (TID): 53 bits of microseconds and ten random bits, as 13 digits that sort by
  /// time. It depends on the attempt alone.
  var recordKey: String {
    let time =
      UInt64(clamping: startedAt.seconds) &* 1_000_000
      &+ UInt64(clamping: startedAt.nanoseconds / 1_000)
    let chance = key.utf8.prefix(3).reduce(UInt64(0)) { $0 << 4 | UInt64(Hex.value($1) ?? 0) }
    var bits = (time & (1 << 53 - 1)) << 10 | chance & 0x3FF
    let digits = Array("234567abcdefghijklmnopqrstuvwxyz".utf8)
    var text: [UInt8] = []
    for _ in 0..<13 {
      text.append(digits[Int(bits & 31)])
      bits >>= 5
    }
    return String(decoding: text.reversed(), as: UTF8.self)
  }
}
