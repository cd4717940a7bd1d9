import Octets
import SecurityKeys
import Testing

@Suite("Sealing")
struct SealingTests {
  static func octets(_ hex: String) -> [UInt8] {
    let digits = hex.utf8.compactMap(Hex.value)
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  @Test(
    "Octets sealed by another program are opened",
    arguments: [
      ("0000000000000000000000006dd3dbaad042f7ad1294287ef734a59196305dc702abd7", "content"),
      ("00000000000000000000000004bb45c81725e64ef7e8ea4c5c77ea14", ""),
    ])
  func opens(hex: String, content: String) throws {
    let key = try #require(SealingKey(Array(0..<32)))
    #expect(key.open(Self.octets(hex), context: Array("context".utf8)) == Array(content.utf8))
    #expect(key.open(Self.octets(hex), context: Array("contexu".utf8)) == nil)
    var changed = Self.octets(hex)
    for index in changed.indices {
      changed[index] ^= 1
      #expect(key.open(changed, context: Array("context".utf8)) == nil)
      changed[index] ^= 1
    }
    #expect(key.open(Array(changed.dropLast()), context: Array("context".utf8)) == nil)
  }

  @Test("Sealed octets open only with the same key, and differ each time")
  func seals() throws {
    let key = try #require(SealingKey(Array(0..<32)))
    let other = try #require(SealingKey(Array(1..<33)))
    for count in [0, 1, 16, 100_000] {
      let octets = [UInt8](repeating: 7, count: count)
      let sealed = try #require(key.seal(octets, context: []))
      #expect(key.open(sealed, context: []) == octets)
      #expect(other.open(sealed, context: []) == nil)
      #expect(key.seal(octets, context: []) != sealed)
    }
    #expect(key.checkValue != other.checkValue)
    #expect(key.checkValue.count == 8)
    #expect(SealingKey([1, 2, 3]) == nil)
  }

  @Test("A passphrase gives the key that another program derives")
  func derives() throws {
    let scrypt = try #require(Scrypt(cost: 16_384, salt: Array(0..<16)))
    #expect(
      scrypt.derive(32, from: "correct horse")
        == Self.octets("25b376840366f4d3b0e21e414476676e3cd0e89af4430356a234ce0b65a021b5"))
    for cost in [512, 1 << 21, 3000, 0, -1] { #expect(Scrypt(cost: cost) == nil) }
    #expect(Scrypt(salt: [1]) == nil)
  }
}
