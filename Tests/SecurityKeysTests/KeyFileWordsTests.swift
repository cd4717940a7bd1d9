import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// What a file is that was named as a key by mistake.
@Suite("Files that are no key")
struct KeyFileWordsTests {
  private func refusal(_ bytes: [UInt8]) -> TokenError? {
    do throws(TokenError) {
      _ = try VerificationKey(pemOrDER: bytes)
      return nil
    } catch {
      return error
    }
  }

  private func refusal(_ text: String) -> TokenError? { refusal(Array(text.utf8)) }

  @Test("A certificate as one line of base64 is told its missing lines, and they make it readable")
  func oneLine() throws {
    let pem = String(decoding: TestVector.bytes("keys/idp-rsa.crt"), as: UTF8.self)
    let body = pem.split(separator: "\n").dropFirst().dropLast().joined()
    let error = try #require(refusal(body))
    #expect(error.code == .unreadableKey)
    #expect(error.hint.contains("-----BEGIN CERTIFICATE-----"))
    #expect(error.hint.contains("-----END CERTIFICATE-----"))
    let lines = "-----BEGIN CERTIFICATE-----\n\(body)\n-----END CERTIFICATE-----"
    #expect(self.refusal(lines) == nil)
    let key = String(decoding: TestVector.bytes("keys/idp-rsa.pub"), as: UTF8.self)
    let keyBody = key.split(separator: "\n").dropFirst().dropLast().joined()
    #expect(self.refusal(keyBody)?.hint.contains("-----BEGIN PUBLIC KEY-----") == true)
  }

  @Test("A byte order mark before PEM is no part of it")
  func byteOrderMark() throws {
    let plain = TestVector.bytes("keys/idp-rsa.crt")
    #expect(
      try VerificationKey(pemOrDER: [0xEF, 0xBB, 0xBF] + plain).fingerprint
        == VerificationKey(pemOrDER: plain).fingerprint)
  }

  @Test("The words name what the file is and where it belongs")
  func kinds() {
    let cases: [(String, String)] = [
      (#"{"keys":[{"kty":"RSA"}]}"#, "jwks:"), (#"{"kty":"RSA"}"#, "jwks:"),
      (#"{"jwks_uri":"https://idp.example/keys"}"#, "jwks_uri"),
      ("<md:EntityDescriptor xmlns:md=\"urn:x\"/>", "trusted metadata"),
      ("<!DOCTYPE html><html></html>", "sign-in"),
      ("-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----", "request"),
      ("-----BEGIN RSA PUBLIC KEY-----\nAAAA\n-----END RSA PUBLIC KEY-----", "openssl rsa"),
      ("-----BEGIN PKCS7-----\nAAAA\n-----END PKCS7-----", "openssl pkcs7"),
      ("ssh-rsa AAAAB3NzaC1yc2E", "ssh-keygen"),
      (" -----BEGIN CERTIFICATE-----\nAAAA", "begin the line"),
      (#"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"#, "line end"),
      ("eyJhbGciOiJSUzI1NiJ9.e30.AAAA", "token"),
    ]
    for (text, word) in cases {
      let error = refusal(text)
      #expect(error?.code == .unreadableKey)
      #expect(error?.hint.contains(word) == true, "\(text): \(error?.hint ?? "")")
      #expect(error?.found != nil)
    }
    #expect(refusal([0x1F, 0x8B, 8, 0])?.hint.contains("gunzip") == true)
    #expect(refusal([0xFF, 0xFE, 0x2D, 0])?.hint.contains("iconv") == true)
  }

  @Test("A private key where a public one is meant is called private, and shows nothing of itself")
  func privateKey() throws {
    let pem = TestVector.bytes("keys/idp-rsa.key")
    let error = try #require(refusal(pem))
    #expect(error.code == .unreadableKey && error.hint.contains("private key"))
    let text = String(decoding: pem, as: UTF8.self)
    for line in text.split(separator: "\n").dropFirst().dropLast() {
      #expect(!"\(error) \(error.hint)".contains(line))
    }
  }

  @Test("Where a private key is meant, the words are about private keys")
  func publicForPrivate() {
    for name in ["idp-rsa.crt", "idp-rsa.pub", "idp-rsa.der", "hmac-64.key"] {
      do throws(TokenError) {
        _ = try PrivateKey(pemOrDER: TestVector.bytes("keys/" + name))
        Issue.record("\(name) was read")
      } catch {
        #expect(error.code == .unreadableKey)
        #expect(!error.hint.contains("certificate or public key"))
        #expect(error.hint.contains("private key") || error.hint.contains("PKCS #8"))
      }
    }
  }
}
