/// How a content key is encrypted to an RSA key (XML Encryption 1.1, 5.5).
package enum KeyTransport: Hashable, Sendable {
  /// RSAES-OAEP (RFC 8017, 7.1) with its three parameters.
  case oaep(digest: DigestAlgorithm, mask: DigestAlgorithm, label: [UInt8])
  /// RSAES-PKCS1-v1_5; only where it is allowed by name.
  case pkcs1

  /// What must be allowed by name before it may be used.
  package var exception: LegacyException? { self == .pkcs1 ? .rsaPKCS1Encryption : nil }
}
