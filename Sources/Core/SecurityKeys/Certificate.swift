import COpenSSL
public import TokenBasics

/// An X.509 certificate (RFC 5280), read for its key and its dates.
///
/// A configured key is trusted, not a chain: issuers, extensions and revocation are ignored.
public struct Certificate: Sendable {
  /// The key that the certificate certifies.
  public private(set) var publicKey: PublicKey
  /// The start of its validity.
  public let notBefore: Instant
  /// The end of its validity.
  public let notAfter: Instant
  /// The encoding from which it was read.
  package let der: [UInt8]

  /// The certificate of a DER encoding, without bytes after it.
  ///
  /// - Throws: `key.unreadable`, `key.unsupported`, `key.weak`.
  public init(der: [UInt8]) throws(TokenError) {
    guard let pointer = unsafe Self.decode(der) else {
      ErrorQueue.clear()
      throw TokenError(.unreadableKey, expected: "a DER certificate")
    }
    defer { unsafe X509_free(pointer) }
    publicKey = try unsafe PublicKey(
      PublicKey.Storage(takingOwnershipOf: X509_get_pubkey(pointer)))
    guard let notBefore = unsafe Self.instant(X509_get0_notBefore(pointer)),
      let notAfter = unsafe Self.instant(X509_get0_notAfter(pointer))
    else { throw TokenError(.unreadableKey, expected: "a certificate with sound dates") }
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.der = der
  }

  /// The same, with a public key of its own.
  func uncontendedCopy() -> Self {
    var copy = self
    copy.publicKey = publicKey.uncontendedCopy()
    return copy
  }

  /// The certificate that all the octets are, which the caller frees; nil for anything else.
  static func decode(_ der: [UInt8]) -> OpaquePointer? {
    unsafe DER.decode(
      der, with: { unsafe d2i_X509(nil, $0, $1) }, freeing: { unsafe X509_free($0) })
  }

  private static func instant(_ time: UnsafePointer<ASN1_TIME>?) -> Instant? {
    var days: Int32 = 0
    var seconds: Int32 = 0
    guard let epoch = unsafe ASN1_TIME_new() else { return nil }
    defer { unsafe ASN1_TIME_free(epoch) }
    // As text: conversion to a number would read the file of the local time zone.
    guard let time = unsafe time,
      unsafe ASN1_TIME_set_string(epoch, "19700101000000Z") == 1,
      unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1
    else { return nil }
    return Instant(secondsSinceEpoch: Int64(days) * 86_400 + Int64(seconds))
  }
}
