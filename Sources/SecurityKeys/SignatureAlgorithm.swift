import Octets

/// A signature algorithm: its name in policies and reports, its XML Signature URI, and what it needs.
///
/// An open set: later releases add values.
public struct SignatureAlgorithm: Hashable, Sendable, CustomStringConvertible {
  /// What kind of key it takes.
  public enum Family: Hashable, Sendable {
    case rsaPKCS1
    case rsaPSS
    case ecdsa
    case hmac
    /// Ed25519 (RFC 8032), which digests by itself.
    case ed25519
  }

  /// The name that policies and reports use, such as `rsa-sha256`.
  public let name: String
  /// The `Algorithm` URI of `ds:SignatureMethod` (RFC 9231).
  public let uri: String
  /// What kind of key it takes.
  public let family: Family
  /// The digest inside it.
  public let digest: DigestAlgorithm

  /// Whether it may be used only where it is allowed by name.
  public var isLegacy: Bool { digest.isLegacy }

  public var description: String { name }

  public static let rsaSHA1 = Self(
    "rsa-sha1", "http://www.w3.org/2000/09/xmldsig#rsa-sha1", .rsaPKCS1, .sha1)
  public static let rsaSHA256 = Self(
    "rsa-sha256", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256", .rsaPKCS1, .sha256)
  public static let rsaSHA384 = Self(
    "rsa-sha384", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha384", .rsaPKCS1, .sha384)
  public static let rsaSHA512 = Self(
    "rsa-sha512", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512", .rsaPKCS1, .sha512)
  public static let rsaPSSSHA1 = Self(
    "rsa-pss-sha1", "http://www.w3.org/2007/05/xmldsig-more#sha1-rsa-MGF1", .rsaPSS, .sha1)
  public static let rsaPSSSHA256 = Self(
    "rsa-pss-sha256", "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1", .rsaPSS, .sha256)
  public static let rsaPSSSHA384 = Self(
    "rsa-pss-sha384", "http://www.w3.org/2007/05/xmldsig-more#sha384-rsa-MGF1", .rsaPSS, .sha384)
  public static let rsaPSSSHA512 = Self(
    "rsa-pss-sha512", "http://www.w3.org/2007/05/xmldsig-more#sha512-rsa-MGF1", .rsaPSS, .sha512)
  public static let ecdsaSHA1 = Self(
    "ecdsa-sha1", "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha1", .ecdsa, .sha1)
  public static let ecdsaSHA256 = Self(
    "ecdsa-sha256", "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256", .ecdsa, .sha256)
  public static let ecdsaSHA384 = Self(
    "ecdsa-sha384", "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384", .ecdsa, .sha384)
  public static let ecdsaSHA512 = Self(
    "ecdsa-sha512", "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512", .ecdsa, .sha512)
  public static let ed25519 = Self(
    "ed25519", "http://www.w3.org/2021/04/xmldsig-more#eddsa-ed25519", .ed25519, .sha512)
  public static let hmacSHA1 = Self(
    "hmac-sha1", "http://www.w3.org/2000/09/xmldsig#hmac-sha1", .hmac, .sha1)
  public static let hmacSHA256 = Self(
    "hmac-sha256", "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256", .hmac, .sha256)
  public static let hmacSHA384 = Self(
    "hmac-sha384", "http://www.w3.org/2001/04/xmldsig-more#hmac-sha384", .hmac, .sha384)
  public static let hmacSHA512 = Self(
    "hmac-sha512", "http://www.w3.org/2001/04/xmldsig-more#hmac-sha512", .hmac, .sha512)

  /// Every algorithm of this release.
  public static let all: [Self] = [
    .rsaSHA256, .rsaSHA384, .rsaSHA512, .rsaPSSSHA256, .rsaPSSSHA384, .rsaPSSSHA512,
    .ecdsaSHA256, .ecdsaSHA384, .ecdsaSHA512, .ed25519, .hmacSHA256, .hmacSHA384, .hmacSHA512,
    .rsaSHA1, .rsaPSSSHA1, .ecdsaSHA1, .hmacSHA1,
  ]

  /// The algorithm with exactly this URI, byte for byte.
  package static func named(uri: String) -> Self? { named(uri: Array(uri.utf8)[...]) }

  /// As ``named(uri:)-(String)``, of UTF-8.
  package static func named(uri: ArraySlice<UInt8>) -> Self? {
    all.first { uri.hasBytes(of: $0.uri) }
  }

  // Each name stands for one algorithm.
  public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  private init(_ name: String, _ uri: String, _ family: Family, _ digest: DigestAlgorithm) {
    self.name = name
    self.uri = uri
    self.family = family
    self.digest = digest
  }
}
