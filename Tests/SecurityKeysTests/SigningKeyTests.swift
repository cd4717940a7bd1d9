import SecurityKeys
import TestSupport
import Testing
import TokenBasics

@Suite("Signing keys")
struct SigningKeyTests {
  func key(_ name: String) throws -> PrivateKey {
    try PrivateKey(pemOrDER: TestVector.bytes("keys/\(name).key"))
  }

  func certificate(_ name: String) throws -> Certificate {
    let key = try VerificationKey(pemOrDER: TestVector.bytes("keys/\(name).crt"))
    guard case .certificate(let certificate) = key.material else {
      throw TokenError(.unreadableKey)
    }
    return certificate
  }

  @Test(
    "The key chooses the algorithm",
    arguments: [
      ("idp-rsa", SignatureAlgorithm.rsaSHA256), ("idp-ec256", .ecdsaSHA256),
      ("idp-ec384", .ecdsaSHA384), ("idp-ec521", .ecdsaSHA512),
    ])
  func defaults(name: String, algorithm: SignatureAlgorithm) throws {
    let signing = try SigningKey(key(name), certificate: certificate(name))
    #expect(signing.algorithm == algorithm)
    let message = Array("message".utf8)
    let value = algorithm.digest.value(of: message.span)
    let digest = try #require(value)
    let signature = try signing.sign(message)
    let isValid = signing.publicKey.isValid(signature.span, forDigest: digest, algorithm)
    #expect(isValid)
  }

  @Test("An algorithm of another type of key, or with SHA-1, is an error")
  func algorithms() throws {
    for algorithm in [SignatureAlgorithm.ecdsaSHA256, .hmacSHA256, .rsaSHA1, .rsaPSSSHA1] {
      #expect(throws: TokenError(.mintAlgorithm)) {
        try SigningKey(key("idp-rsa"), algorithm: algorithm)
      }
    }
    #expect(throws: TokenError(.mintAlgorithm)) {
      try SigningKey(key("idp-ec256"), algorithm: .rsaSHA256)
    }
  }

  @Test("Another key's certificate is an error")
  func otherCertificate() throws {
    #expect(throws: TokenError(.mintCertificate)) {
      try SigningKey(key("idp-rsa"), certificate: certificate("other-rsa"))
    }
  }

  @Test("A key that verifiers reject by default signs nothing")
  func weak() throws {
    #expect(throws: TokenError(.weakKey)) { try SigningKey(key("weak-rsa1024")) }
  }
}
