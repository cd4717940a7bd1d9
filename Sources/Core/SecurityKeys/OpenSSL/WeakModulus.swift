import COpenSSL

/// Checks of an RSA modulus that take microseconds: NIST SP 800-56B, 6.4.2.2 without its test that the
/// modulus is composite, for which OpenSSL takes milliseconds (``PublicKey/isFullySound``).
struct WeakModulus {
  /// Whether one of ``primes``, or 2, divides the modulus.
  let hasSmallFactor: Bool
  /// Whether the modulus has the mark of CVE-2017-15361 (ROCA): modulo each of the first odd primes it is
  /// a power of 65537, which happens by chance once in 2^150 keys.
  let isFromInfineonLibrary: Bool

  /// Nil for a key without a modulus.
  init?(_ key: OpaquePointer) {
    var modulus: OpaquePointer?
    guard unsafe EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_N, &modulus) == 1 else {
      return nil
    }
    defer { unsafe BN_free(modulus) }
    var hasSmallFactor = unsafe BN_is_odd(modulus) == 0
    var isMarked = true
    for group in Self.groups {
      let remainder = unsafe BN_mod_word(modulus, group.product)
      for prime in group.primes {
        if remainder % prime == 0 { hasSmallFactor = true }
        if isMarked, prime <= Self.lastMarkedPrime {
          isMarked = Self.isPower(remainder % prime, of: 65_537, modulo: prime)
        }
      }
    }
    self.hasSmallFactor = hasSmallFactor
    isFromInfineonLibrary = isMarked
  }

  /// The powers of any number that is not a multiple of a prime return to 1.
  private static func isPower(_ number: UInt, of base: UInt, modulo prime: UInt) -> Bool {
    var power: UInt = 1
    repeat {
      if power == number { return true }
      power = power * (base % prime) % prime
    } while power != 1
    return false
  }

  private static let lastMarkedPrime: UInt = 167

  /// The odd primes below 752, of which as many go into one division as fit into a word.
  private static let groups: [(product: UInt, primes: [UInt])] = {
    var primes: [UInt] = []
    for number in stride(from: UInt(3), to: 752, by: 2)
    where primes.prefix(while: { $0 * $0 <= number }).allSatisfy({ number % $0 != 0 }) {
      primes.append(number)
    }
    var groups: [(product: UInt, primes: [UInt])] = []
    for prime in primes {
      if let last = groups.last, last.product < UInt.max / prime {
        groups[groups.count - 1] = (last.product * prime, last.primes + [prime])
      } else {
        groups.append((prime, [prime]))
      }
    }
    return groups
  }()
}
