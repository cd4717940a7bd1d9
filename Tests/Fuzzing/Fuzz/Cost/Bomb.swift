import TokenBasics

/// A DEFLATE stream (RFC 1951) of one literal and many copies of 258 bytes, 13 bits each.
enum Bomb {
  static func base64(copies: Int) -> String {
    var bits = Bits()
    bits.append(1, count: 1)
    bits.append(1, count: 2)
    // The fixed code, 3.2.6: the literal space, then length 285 at distance code 0.
    bits.appendCode(0x50, count: 8)
    for _ in 0..<copies {
      bits.appendCode(0xC5, count: 8)
      bits.appendCode(0, count: 5)
    }
    bits.appendCode(0, count: 7)
    return Base64.encode(bits.bytes + [0])
  }

  private struct Bits {
    var bytes: [UInt8] = []
    var used = 8

    mutating func append(_ bit: Int) {
      if used == 8 {
        bytes.append(0)
        used = 0
      }
      bytes[bytes.count - 1] |= UInt8(bit) << UInt8(used)
      used += 1
    }

    mutating func append(_ value: Int, count: Int) {
      for index in 0..<count { append(value >> index & 1) }
    }

    mutating func appendCode(_ value: Int, count: Int) {
      for index in (0..<count).reversed() { append(value >> index & 1) }
    }
  }
}
