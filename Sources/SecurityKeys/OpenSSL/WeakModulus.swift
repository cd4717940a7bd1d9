import COpenSSL

/// RSA moduli that can be factored because of how they were made.
enum WeakModulus {
  /// Whether the modulus has the mark of CVE-2017-15361 (ROCA): modulo each of these primes it is a
  /// power of 65537, which happens by chance once in 2^150 keys.
  static func isFromInfineonLibrary(_ key: OpaquePointer) -> Bool {
    var modulus: OpaquePointer?
    guard unsafe EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_N, &modulus) == 1 else {
      return false
    }
    defer { unsafe BN_free(modulus) }
    return primes.allSatisfy { prime in
      let remainder = unsafe BN_mod_word(modulus, prime)
      return isPower(remainder, of: 65_537, modulo: prime)
    }
  }

  /// The powers of anything but a multiple of a prime come round to 1.
  private static func isPower(_ number: UInt, of base: UInt, modulo prime: UInt) -> Bool {
    var power: UInt = 1
    repeat {
      if power == number { return true }
      power = power * (base % prime) % prime
    } while power != 1
    return false
  }

  private static let primes: [UInt] = [
    3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97,
    101,
    103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
  ]
}
