import COpenSSL

/// Whether a number can be the modulus of an RSA key at all (NIST SP 800-56B, 6.4.2.2): odd, without a
/// small factor, and neither a prime nor a power of one, whose private key anybody could work out.
///
/// `EVP_PKEY_public_check` asks the same. It takes several milliseconds, a quarter of a short run of the
/// command, because it draws random bases and takes a greatest common divisor in constant time. A
/// modulus is public, and the base 2 is enough: modulo a power of p, 2^(n−1) is 1 modulo p, so that
/// 2^(n−1) − 1 shares the factor p with n and has no inverse. That it has one proves n to be composite
/// and no power of a prime; that a genuine modulus is refused by chance is as likely as to guess it.
enum RSAModulus {
  static func isSound(ofKey key: OpaquePointer) -> Bool {
    var number: OpaquePointer?
    guard unsafe EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_N, &number) == 1,
      let modulus = unsafe number
    else { return false }
    defer { unsafe BN_free(modulus) }
    return unsafe BN_is_odd(modulus) == 1 && !hasSmallFactor(modulus) && isNoPowerOfPrime(modulus)
  }

  /// Whether a number from 3 to 751 divides it.
  private static func hasSmallFactor(_ modulus: OpaquePointer) -> Bool {
    stride(from: UInt(3), through: 751, by: 2).contains { unsafe BN_mod_word(modulus, $0) == 0 }
  }

  private static func isNoPowerOfPrime(_ modulus: OpaquePointer) -> Bool {
    guard let context = unsafe BN_CTX_new() else { return false }
    defer { unsafe BN_CTX_free(context) }
    guard let exponent = unsafe BN_dup(modulus) else { return false }
    defer { unsafe BN_free(exponent) }
    guard let power = unsafe BN_new() else { return false }
    defer { unsafe BN_free(power) }
    guard unsafe BN_sub_word(exponent, 1) == 1,
      unsafe BN_mod_exp_mont_word(power, 2, exponent, modulus, context, nil) == 1,
      unsafe BN_sub_word(power, 1) == 1,
      let inverse = unsafe BN_mod_inverse(nil, power, modulus, context)
    else { return false }
    unsafe BN_free(inverse)
    return true
  }
}
