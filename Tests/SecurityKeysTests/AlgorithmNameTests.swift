import SecurityKeys
import Testing

@Suite("Names of algorithms")
struct AlgorithmNameTests {
  @Test("An algorithm is known by its short name and by its URI", arguments: SignatureAlgorithm.all)
  func ownNames(algorithm: SignatureAlgorithm) {
    #expect(SignatureAlgorithm(named: algorithm.name) == algorithm)
    #expect(SignatureAlgorithm(named: algorithm.uri) == algorithm)
  }

  @Test(
    "An algorithm is known by its name in JOSE (RFC 7518, 3.1; RFC 8037, 3.1; RFC 9864, 2.2)",
    arguments: [
      ("HS256", "hmac-sha256"), ("HS384", "hmac-sha384"), ("HS512", "hmac-sha512"),
      ("RS256", "rsa-sha256"), ("RS384", "rsa-sha384"), ("RS512", "rsa-sha512"),
      ("PS256", "rsa-pss-sha256"), ("PS384", "rsa-pss-sha384"), ("PS512", "rsa-pss-sha512"),
      ("ES256", "ecdsa-sha256"), ("ES384", "ecdsa-sha384"), ("ES512", "ecdsa-sha512"),
      ("EdDSA", "ed25519"), ("Ed25519", "ed25519"),
      ("Ed448", "ed448"),
    ])
  func inJOSE(jose: String, name: String) {
    #expect(SignatureAlgorithm(named: jose)?.name == name)
  }

  @Test(
    "A name in another case, a look-alike and what is no signature algorithm are unknown",
    arguments: [
      "rs256", "RSA-SHA256", "RS1", "none", "", " RS256", "RS256 ", "sha256", "rsa-oaep", "ES256K",
      "E\u{17F}256", "http://www.w3.org/2001/04/XMLDSIG-more#rsa-sha256",
    ])
  func unknown(name: String) {
    #expect(SignatureAlgorithm(named: name) == nil)
  }

  @Test("An algorithm that needs no exception is distinguished from an unknown one")
  func needless() {
    for name in ["RS256", "rsa-sha256", "sha256", "http://www.w3.org/2001/04/xmlenc#sha256"] {
      #expect(LegacyException.isNeedless(name))
      #expect(LegacyException(name) == nil)
    }
    for name in ["rsa-sha1", "sha1", "RS1", "rot13"] {
      #expect(!LegacyException.isNeedless(name))
    }
    #expect(LegacyException("ecdsa-asn1") == .ecdsaASN1)
  }
}
