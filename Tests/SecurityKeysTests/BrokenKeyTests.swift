import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// Keys of `TestVectors/attacks/keys` and `keys/bad-*`, which must not be trusted by mistake.
@Suite("Invalid keys")
struct BrokenKeyTests {
  static func read(_ path: String) throws -> VerificationKey {
    try VerificationKey(pemOrDER: TestVector.bytes(path))
  }

  @Test(
    "KEY-13 An RSA key with a bad exponent or modulus is refused where it is configured",
    arguments: [
      "exponent-1", "exponent-2", "exponent-even", "exponent-0", "exponent-long", "even-modulus",
      "small-factor",
    ])
  func rsa(name: String) throws {
    #expect(!TestVector.bytes("attacks/keys/\(name).der").isEmpty)
    #expect { try Self.read("attacks/keys/\(name).der") } throws: { error in
      let code = (error as? TokenError)?.code
      return code == .weakKey || code == .unreadableKey
    }
    // The twin: two primes, neither small, and the usual exponent.
    _ = try Self.read("keys/idp-rsa.crt")
  }

  @Test("KEY-13 A modulus with a small factor is told from a bad exponent")
  func words() {
    func found(_ name: String) -> String? {
      do {
        _ = try Self.read("attacks/keys/\(name).der")
        return nil
      } catch {
        return (error as? TokenError)?.found
      }
    }
    #expect(found("small-factor") == "a modulus with a small factor")
    #expect(found("exponent-1") == "e = 1")
  }

  @Test(
    "KEY-13 A modulus that is a prime or a power of one is found by the full check",
    arguments: ["prime-modulus", "mersenne-modulus", "square-modulus"])
  func unsound(name: String) throws {
    #expect(try !Self.read("attacks/keys/\(name).der").isFullySound)
    #expect(try Self.read("keys/idp-rsa.crt").isFullySound)
    #expect(try Self.read("keys/idp-ec256.crt").isFullySound)
  }

  @Test("KEY-13 RSA of 512 bits cannot be allowed")
  func small() {
    #expect(throws: TokenError(.weakKey)) { try Self.read("keys/bad-rsa512.pub") }
  }

  @Test(
    "KEY-14 Explicit parameters, other curves and points off the curve are refused",
    arguments: [
      "keys/bad-explicit.pub", "keys/bad-secp256k1.pub", "keys/bad-secp112r1.pub",
      "keys/bad-prime192v1.pub", "attacks/keys/off-curve.der", "attacks/keys/origin.der",
      "attacks/keys/infinity.der",
    ])
  func ec(path: String) throws {
    #expect(!TestVector.bytes(path).isEmpty)
    #expect { try Self.read(path) } throws: { error in
      let code = (error as? TokenError)?.code
      return code == .weakKey || code == .unreadableKey || code == .unsupportedKey
    }
    // The twin: the same curve by its name, a point that is on it.
    _ = try Self.read("keys/idp-ec256.crt")
  }

  @Test(
    "KEY-15 A thumbprint is no key",
    arguments: [
      "9F:86:D0:81:88:4C:7D:65:9A:2F:EA:A0:C5:5A:D0:15:A3:BF:4F:1B", "sha256:9f86d081884c7d65",
      "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
    ])
  func thumbprint(text: String) {
    #expect(throws: TokenError(.unreadableKey)) {
      try VerificationKey(pemOrDER: Array(text.utf8))
    }
  }
}
