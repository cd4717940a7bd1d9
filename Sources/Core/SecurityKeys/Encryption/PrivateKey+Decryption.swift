import COpenSSL
import Octets

extension PrivateKey {
  /// The content key inside `octets`, or nil.
  ///
  /// PKCS #1 v1.5 never returns nil for octets of the right length: where they contain no key of
  /// `length` bytes, it returns a random one, with which the content cipher fails, so that the
  /// padding's validity does not leak (RFC 8017, 7.2.2; Bleichenbacher 1998).
  package func decrypt(_ octets: [UInt8], _ transport: KeyTransport, length: Int) -> [UInt8]? {
    guard case .rsa(let bits, _) = publicKey.kind, octets.count == (bits + 7) / 8 else {
      return nil
    }
    defer { ErrorQueue.clear() }
    guard transport == .pkcs1 else { return storage.decrypt(octets, transport) }
    let random = SystemRandom.octets(length)
    let key = storage.decrypt(octets, transport)
    guard let key, key.count == length else { return random }
    return key
  }

  /// The key that this key and the sender's derive (NIST SP 800-56A: ECDH, then ConcatKDF), or nil
  /// when they are not on one curve.
  package func agree(with peer: PublicKey, _ derivation: ConcatKDF, length: Int) -> [UInt8]? {
    guard publicKey.kind.agrees, peer.kind == publicKey.kind else { return nil }
    defer { ErrorQueue.clear() }
    guard let secret = storage.sharedSecret(with: peer) else { return nil }
    return derivation.derive(length, from: secret)
  }
}

extension PublicKey.Kind {
  /// Whether two keys of the kind agree on a secret.
  package var agrees: Bool {
    switch self {
    case .ec, .x25519: true
    case .rsa, .ed25519, .ed448: false
    }
  }
}

extension PrivateKey.Storage {
  fileprivate func decrypt(_ octets: [UInt8], _ transport: KeyTransport) -> [UInt8]? {
    guard let context = unsafe EVP_PKEY_CTX_new(pointer, nil) else { return nil }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var length = 0
    guard unsafe EVP_PKEY_decrypt_init(context) == 1, unsafe transport.prepare(context),
      unsafe EVP_PKEY_decrypt(context, nil, &length, octets, octets.count) == 1, length > 0
    else { return nil }
    var output = [UInt8](repeating: 0, count: length)
    guard unsafe EVP_PKEY_decrypt(context, &output, &length, octets, octets.count) == 1 else {
      return nil
    }
    return Array(output.prefix(length))
  }

  fileprivate func sharedSecret(with peer: PublicKey) -> [UInt8]? {
    guard let context = unsafe EVP_PKEY_CTX_new(pointer, nil) else { return nil }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var length = 0
    guard unsafe EVP_PKEY_derive_init(context) == 1,
      unsafe peer.isPeer(of: context),
      unsafe EVP_PKEY_derive(context, nil, &length) == 1, length > 0
    else { return nil }
    var secret = [UInt8](repeating: 0, count: length)
    guard unsafe EVP_PKEY_derive(context, &secret, &length) == 1 else { return nil }
    return Array(secret.prefix(length))
  }
}
