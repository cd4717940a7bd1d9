import Foundation
import SecurityKeys
import TestSupport
import Testing

private let wycheproofFolder = TestVector.packageRoot.appending(
  path: "../shared/corpora/wycheproof/testvectors_v1")

/// Project Wycheproof's vectors, from beside the repository; without them nothing is tested.
@Suite(
  "Wycheproof", .enabled(if: FileManager.default.fileExists(atPath: wycheproofFolder.path())))
struct WycheproofTests {
  struct File: Decodable {
    let testGroups: [Group]
  }
  struct Group: Decodable {
    let ivSize: Int?
    let tagSize: Int?
    let privateKeyPkcs8: String?
    let tests: [Vector]
  }
  struct Vector: Decodable {
    let tcId: Int
    let comment: String
    let flags: [String]
    let key: String?
    let iv: String?
    let aad: String?
    let msg: String
    let ct: String
    let tag: String?
    let label: String?
    let result: String
  }

  func groups(_ name: String) throws -> [Group] {
    let data = try Data(contentsOf: wycheproofFolder.appending(path: name + "_test.json"))
    return try JSONDecoder().decode(File.self, from: data).testGroups
  }

  func bytes(_ hex: String?) -> [UInt8] {
    let digits = (hex ?? "").compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  @Test("AES-GCM opens valid input and nothing else")
  func gcm() throws {
    var count = 0
    for group in try groups("aes_gcm") {
      for vector in group.tests where vector.aad?.isEmpty ?? true {
        let key = bytes(vector.key)
        let cipher = [ContentCipher.aes128GCM, .aes192GCM, .aes256GCM].first {
          $0.keyLength == key.count
        }
        guard let cipher else { continue }
        let octets = bytes(vector.iv) + bytes(vector.ct) + bytes(vector.tag)
        // XML Encryption has one length of each; another one shifts the parts.
        let isRight = vector.result == "valid" && group.ivSize == 96 && group.tagSize == 128
        #expect(cipher.decrypt(octets, key: key) == (isRight ? bytes(vector.msg) : nil))
        count += 1
      }
    }
    #expect(count > 100)
  }

  @Test("AES key wrap opens valid input and nothing else")
  func wrap() throws {
    var count = 0
    for vector in try groups("aes_wrap").flatMap(\.tests) {
      let key = bytes(vector.key)
      guard let wrap = KeyWrap.allCases.first(where: { $0.keyLength == key.count }) else {
        continue
      }
      let found = wrap.unwrap(bytes(vector.ct), with: key)
      if vector.result == "valid" {
        // No key is longer than 64 bytes.
        #expect(found == bytes(vector.msg) || bytes(vector.msg).count > 64)
      } else if vector.result == "invalid" {
        #expect(found == nil, "\(vector.tcId) \(vector.comment)")
      }
      count += 1
    }
    #expect(count > 100)
  }

  @Test("AES-CBC opens valid input; of the padding only the last byte counts")
  func cbc() throws {
    var count = 0
    for vector in try groups("aes_cbc_pkcs5").flatMap(\.tests) {
      let key = bytes(vector.key)
      let cipher = [ContentCipher.aes128CBC, .aes192CBC, .aes256CBC].first {
        $0.keyLength == key.count
      }
      guard let cipher else { continue }
      let found = cipher.decrypt(bytes(vector.iv) + bytes(vector.ct), key: key)
      if vector.result == "valid" { #expect(found == bytes(vector.msg)) }
      count += 1
    }
    #expect(count > 100)
  }

  @Test("RSA-OAEP opens valid input and nothing else")
  func oaep() throws {
    var count = 0
    for group in try groups("rsa_oaep_2048_sha1_mgf1sha1") {
      let key = try PrivateKey(pemOrDER: bytes(group.privateKeyPkcs8))
      for vector in group.tests {
        let found = key.decrypt(
          bytes(vector.ct), .oaep(digest: .sha1, mask: .sha1, label: bytes(vector.label)),
          length: 16)
        #expect(found == (vector.result == "invalid" ? nil : bytes(vector.msg)))
        count += 1
      }
    }
    #expect(count > 20)
  }
}
