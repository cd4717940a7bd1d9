import SecurityKeys
import TestSupport
import Testing
import TokenBasics

@Suite("Decryption")
struct DecryptionTests {
  func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.filter { $0 != " " }.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  func privateKey(_ name: String) throws -> PrivateKey {
    try PrivateKey(pemOrDER: TestVector.bytes("keys/\(name).key"))
  }

  @Test("AES key wrap gives the examples of RFC 3394")
  func keyWrap() {
    let data = "00112233445566778899AABBCCDDEEFF"
    let examples: [(KeyWrap, String, String, String)] = [
      (
        .aes128, "000102030405060708090A0B0C0D0E0F",
        "1FA68B0A8112B447 AEF34BD8FB5A7B82 9D3E862371D2CFE5", data
      ),
      (
        .aes192, "000102030405060708090A0B0C0D0E0F1011121314151617",
        "96778B25AE6CA435 F92B5B97C050AED2 468AB8A17AD84E5D", data
      ),
      (
        .aes256, "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F",
        "64E8C3F9CE0F5BA2 63E9777905818A2A 93C8191E7D6E8AE7", data
      ),
      (
        .aes256, "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F",
        "28C9F404C4B810F4 CBCCB35CFB87F826 3F5786E2D80ED326 CBC7F0E71A99F43B FB988B9B7A02DD21",
        data + "000102030405060708090A0B0C0D0E0F"
      ),
    ]
    for (wrap, key, wrapped, plain) in examples {
      #expect(wrap.unwrap(bytes(wrapped), with: bytes(key)) == bytes(plain))
      var changed = bytes(wrapped)
      changed[7] ^= 1
      #expect(wrap.unwrap(changed, with: bytes(key)) == nil)
      #expect(wrap.unwrap(Array(bytes(wrapped).dropLast()), with: bytes(key)) == nil)
      #expect(wrap.unwrap(bytes(wrapped), with: Array(bytes(key).dropLast(8))) == nil)
    }
  }

  @Test("ECDH and ConcatKDF agree with another library")
  func agreement() throws {
    let key = try privateKey("rp-ec256")
    #expect(throws: TokenError(.unsupportedKey)) {
      try PublicKey(curve: "urn:oid:1.2.840.10045.3.1.7", point: [0])
    }
    let peer = try PublicKey(
      curve: "urn:oid:1.2.840.10045.3.1.7",
      point: bytes(
        "048b1c83e63cbbb4c7905fbd3cd29f25eaec86dfae9646210f39aceb406ec38e"
          + "7d28e4b2f1c4ef94f033d1ef9dc3b00747da63aeeb56a7d6742660e222efce25a1"))
    let derivation = ConcatKDF(digest: .sha256, otherInfo: Array("other info".utf8))
    #expect(
      key.agree(with: peer, derivation, length: 16) == bytes("dbe2cc708043fd96b1fad9c176559b57"))
    #expect(try privateKey("rp-ec384").agree(with: peer, derivation, length: 16) == nil)
    #expect(try privateKey("rp-rsa").agree(with: peer, derivation, length: 16) == nil)
  }

  @Test("RSA 1.5 never reveals that its padding is wrong")
  func implicitRejection() throws {
    let key = try privateKey("rp-rsa")
    let noise = [UInt8](repeating: 1, count: 256)
    let first = try #require(key.decrypt(noise, .pkcs1, length: 16))
    let second = try #require(key.decrypt(noise, .pkcs1, length: 16))
    #expect(first.count == 16)
    #expect(first != second)
    #expect(key.decrypt(noise, .oaep(digest: .sha1, mask: .sha1, label: []), length: 16) == nil)
    #expect(key.decrypt(Array(noise.dropLast()), .pkcs1, length: 16) == nil)
  }

  @Test(
    "Every cipher rejects input that is too short, and keys of another length",
    arguments: ContentCipher.allCases)
  func shapes(cipher: ContentCipher) {
    let key = [UInt8](repeating: 7, count: cipher.keyLength)
    for count in 0..<40
    where !(count >= 32 || (cipher == .tripleDES && count >= 16)) || cipher.isAuthenticated {
      #expect(cipher.decrypt([UInt8](repeating: 1, count: count), key: key) == nil)
    }
    let octets = [UInt8](repeating: 1, count: 64)
    #expect(cipher.decrypt(octets, key: Array(key.dropLast())) == nil)
    #expect(cipher.decrypt(octets, key: key + [0]) == nil)
    #expect(cipher.decrypt(octets, key: []) == nil)
  }
}
