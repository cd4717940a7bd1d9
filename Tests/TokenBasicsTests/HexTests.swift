import Octets
import Testing
import TokenBasics

@Suite("Hexadecimal digits")
struct HexTests {
  @Test("Sixteen digits and six in the other case have a value, no other byte has one")
  func values() {
    for byte in UInt8.min...UInt8.max {
      let digit = Character(Unicode.Scalar(byte))
      let expected = byte < 0x80 ? digit.hexDigitValue : nil
      #expect(Hex.value(byte).map(Int.init) == expected)
      // An escape takes the same digits, first or last.
      #expect(escape(byte, 0x66) == expected.map { $0 << 4 | 15 })
      #expect(escape(0x30, byte) == expected)
    }
  }

  private func escape(_ high: UInt8, _ low: UInt8) -> Int? {
    guard let decoded = try? FormEncoding.decode([0x25, high, low][...]) else { return nil }
    #expect(decoded.count == 1)
    return decoded.first.map(Int.init)
  }
}
