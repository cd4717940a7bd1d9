import COpenSSL

/// The parameters of a curve on which keys are accepted, made once.
///
/// A key that is a point on it is a copy of the parameters with the point put in, in 3 µs; OpenSSL's decoder of a
/// SubjectPublicKeyInfo takes 88. Never changed once made, hence Sendable.
@safe struct NamedCurve: @unchecked Sendable {
  private let parameters: OpaquePointer?

  private init(_ identifier: Int32) {
    defer { ErrorQueue.clear() }
    var parameters: OpaquePointer?
    if let context = unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) {
      let isMade =
        unsafe EVP_PKEY_paramgen_init(context) == 1
        && EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, identifier) == 1
        && EVP_PKEY_paramgen(context, &parameters) == 1
      unsafe EVP_PKEY_CTX_free(context)
      if !isMade { unsafe parameters = nil }
    }
    unsafe self.parameters = parameters
  }

  /// The curve with coordinates of this many bytes: P-256, P-384 or P-521.
  init?(coordinateBytes: Int) {
    switch coordinateBytes {
    case 32: self = .p256
    case 48: self = .p384
    case 66: self = .p521
    default: return nil
    }
  }

  private static let p256 = NamedCurve(NID_X9_62_prime256v1)
  private static let p384 = NamedCurve(NID_secp384r1)
  private static let p521 = NamedCurve(NID_secp521r1)

  /// The key that is this uncompressed point, of which the caller is the owner; nil for a point beside the curve.
  func key(_ point: [UInt8]) -> OpaquePointer? {
    guard let parameters = unsafe parameters, let key = unsafe EVP_PKEY_dup(parameters) else {
      return nil
    }
    guard unsafe EVP_PKEY_set1_encoded_public_key(key, point, point.count) == 1 else {
      unsafe EVP_PKEY_free(key)
      return nil
    }
    return unsafe key
  }
}
