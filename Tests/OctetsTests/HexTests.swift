import Octets
import Testing

@Suite("Hexadecimal digits")
struct HexTests {
  @Test("Sixteen digits and six in the other case have a value, no other byte has one")
  func values() {
    for byte in UInt8.min...UInt8.max {
      let digit = Character(Unicode.Scalar(byte))
      let expected = byte < 0x80 ? digit.hexDigitValue : nil
      #expect(Hex.value(byte).map(Int.init) == expected)
      #expect(Hex.octet(byte, 0x66).map(Int.init) == expected.map { $0 << 4 | 15 })
      #expect(Hex.octet(0x30, byte).map(Int.init) == expected)
    }
  }
}
