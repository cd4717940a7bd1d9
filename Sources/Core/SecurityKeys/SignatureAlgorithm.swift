import Octets

/// A signature algorithm: its name in policies and reports, its XML Signature URI, key and digest.
///
/// An open set: later releases add values.
public struct SignatureAlgorithm: Hashable, Sendable, CustomStringConvertible {
  /// The scheme, which decides the kind of key.
  public enum Family: Hashable, Sendable {
    /// RSASSA-PKCS1-v1_5 (RFC 8017, 8.2).
    case rsaPKCS1
    /// RSASSA-PSS with MGF1 (RFC 8017, 8.1).
    case rsaPSS
    /// ECDSA (FIPS 186-5, 6).
    case ecdsa
    /// HMAC with a shared secret (RFC 2104).
    case hmac
    /// Ed25519 (RFC 8032), which digests by itself.
    case ed25519
    /// Ed448 (RFC 8032), which digests by itself.
    case ed448
    /// ML-DSA-44 (FIPS 204), which digests by itself.
    case mlDSA44
    /// ML-DSA-65 (FIPS 204), which digests by itself.
    case mlDSA65
    /// ML-DSA-87 (FIPS 204), which digests by itself.
    case mlDSA87
  }

  // Static, so that copying retains nothing.
  private let spelledName: StaticString
  private let spelledURI: StaticString
  /// The scheme, which decides the kind of key.
  public let family: Family
  /// The digest that it signs; for Ed25519 the one inside the algorithm. Ed448 and ML-DSA have none that others use.
  public let digest: DigestAlgorithm

  /// The name that policies and reports use, such as `rsa-sha256`.
  public var name: String { spelledName.description }
  /// The `Algorithm` URI of `ds:SignatureMethod` (RFC 9231). ML-DSA has none yet and the URN of its identifier stands for it.
  public var uri: String { spelledURI.description }

  /// Whether it may be used only where it is allowed by name.
  public var isLegacy: Bool { digest.isLegacy }

  /// The same text as ``name``.
  public var description: String { name }

  /// RSASSA-PKCS1-v1_5 with SHA-1, legacy.
  public static let rsaSHA1 = Self(
    "rsa-sha1", "http://www.w3.org/2000/09/xmldsig#rsa-sha1", .rsaPKCS1, .sha1)
  /// RSASSA-PKCS1-v1_5 with SHA-256, `RS256` in JOSE.
  public static let rsaSHA256 = Self(
    "rsa-sha256", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256", .rsaPKCS1, .sha256)
  /// RSASSA-PKCS1-v1_5 with SHA-384, `RS384` in JOSE.
  public static let rsaSHA384 = Self(
    "rsa-sha384", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha384", .rsaPKCS1, .sha384)
  /// RSASSA-PKCS1-v1_5 with SHA-512, `RS512` in JOSE.
  public static let rsaSHA512 = Self(
    "rsa-sha512", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512", .rsaPKCS1, .sha512)
  /// RSASSA-PSS with SHA-1, legacy.
  public static let rsaPSSSHA1 = Self(
    "rsa-pss-sha1", "http://www.w3.org/2007/05/xmldsig-more#sha1-rsa-MGF1", .rsaPSS, .sha1)
  /// RSASSA-PSS with SHA-256, `PS256` in JOSE.
  public static let rsaPSSSHA256 = Self(
    "rsa-pss-sha256", "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1", .rsaPSS, .sha256)
  /// RSASSA-PSS with SHA-384, `PS384` in JOSE.
  public static let rsaPSSSHA384 = Self(
    "rsa-pss-sha384", "http://www.w3.org/2007/05/xmldsig-more#sha384-rsa-MGF1", .rsaPSS, .sha384)
  /// RSASSA-PSS with SHA-512, `PS512` in JOSE.
  public static let rsaPSSSHA512 = Self(
    "rsa-pss-sha512", "http://www.w3.org/2007/05/xmldsig-more#sha512-rsa-MGF1", .rsaPSS, .sha512)
  /// ECDSA with SHA-1, legacy.
  public static let ecdsaSHA1 = Self(
    "ecdsa-sha1", "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha1", .ecdsa, .sha1)
  /// ECDSA with SHA-256, `ES256` in JOSE.
  public static let ecdsaSHA256 = Self(
    "ecdsa-sha256", "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256", .ecdsa, .sha256)
  /// ECDSA with SHA-384, `ES384` in JOSE.
  public static let ecdsaSHA384 = Self(
    "ecdsa-sha384", "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384", .ecdsa, .sha384)
  /// ECDSA with SHA-512, `ES512` in JOSE.
  public static let ecdsaSHA512 = Self(
    "ecdsa-sha512", "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512", .ecdsa, .sha512)
  /// Ed25519, `EdDSA` or `Ed25519` in JOSE.
  public static let ed25519 = Self(
    "ed25519", "http://www.w3.org/2021/04/xmldsig-more#eddsa-ed25519", .ed25519, .sha512)
  /// Ed448, `Ed448` in JOSE (RFC 9864, 2.2).
  public static let ed448 = Self(
    "ed448", "http://www.w3.org/2021/04/xmldsig-more#eddsa-ed448", .ed448, .sha512)
  /// ML-DSA-44, in JOSE alone (RFC 9964); no build of this release can use it.
  public static let mlDSA44 = Self(
    "ml-dsa-44", "urn:oid:2.16.840.1.101.3.4.3.17", .mlDSA44, .sha512)
  /// ML-DSA-65, in JOSE alone (RFC 9964); needs trait PostQuantum.
  public static let mlDSA65 = Self(
    "ml-dsa-65", "urn:oid:2.16.840.1.101.3.4.3.18", .mlDSA65, .sha512)
  /// ML-DSA-87, in JOSE alone (RFC 9964); needs trait PostQuantum.
  public static let mlDSA87 = Self(
    "ml-dsa-87", "urn:oid:2.16.840.1.101.3.4.3.19", .mlDSA87, .sha512)
  /// HMAC with SHA-1, legacy.
  public static let hmacSHA1 = Self(
    "hmac-sha1", "http://www.w3.org/2000/09/xmldsig#hmac-sha1", .hmac, .sha1)
  /// HMAC with SHA-256, `HS256` in JOSE.
  public static let hmacSHA256 = Self(
    "hmac-sha256", "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256", .hmac, .sha256)
  /// HMAC with SHA-384, `HS384` in JOSE.
  public static let hmacSHA384 = Self(
    "hmac-sha384", "http://www.w3.org/2001/04/xmldsig-more#hmac-sha384", .hmac, .sha384)
  /// HMAC with SHA-512, `HS512` in JOSE.
  public static let hmacSHA512 = Self(
    "hmac-sha512", "http://www.w3.org/2001/04/xmldsig-more#hmac-sha512", .hmac, .sha512)

  /// Every algorithm of this release.
  public static let all: [Self] = [
    .rsaSHA256, .rsaSHA384, .rsaSHA512, .rsaPSSSHA256, .rsaPSSSHA384, .rsaPSSSHA512,
    .ecdsaSHA256, .ecdsaSHA384, .ecdsaSHA512, .ed25519, .ed448, .mlDSA44, .mlDSA65, .mlDSA87,
    .hmacSHA256, .hmacSHA384, .hmacSHA512,
    .rsaSHA1, .rsaPSSSHA1, .ecdsaSHA1, .hmacSHA1,
  ]

  /// The algorithm with exactly this URI, byte for byte.
  package static func named(uri: Span<UInt8>) -> Self? {
    for algorithm in all where uri.hasBytes(of: algorithm.spelledURI) {
      return algorithm
    }
    return nil
  }

  /// The algorithm that a name denotes: its short name, its XML Signature URI, or its name in JOSE such
  /// as `RS256` (RFC 7518, 3.1; RFC 8037, 3.1; RFC 9864, 2.2). All three are case-sensitive.
  public init?(named name: String) {
    let octets = name.utf8.span
    let known = Self.all.first { name.hasSameBytes(as: $0.name) }
    guard let found = known ?? Self.named(uri: octets) ?? Self.inJOSE(octets) else { return nil }
    self = found
  }

  /// The accepted names, for an error's `expected`.
  package static let namesExpected =
    all.filter { !$0.isLegacy }.map(\.name).joined(separator: ", ")
    + ", their names in JOSE (RS256), or their URIs"

  /// The names in JOSE by which tokens name algorithms. Of two for one the first is written.
  package static let namesInJOSE: [(name: StaticString, algorithm: Self)] = [
    ("HS256", .hmacSHA256), ("HS384", .hmacSHA384), ("HS512", .hmacSHA512),
    ("RS256", .rsaSHA256), ("RS384", .rsaSHA384), ("RS512", .rsaSHA512),
    ("PS256", .rsaPSSSHA256), ("PS384", .rsaPSSSHA384), ("PS512", .rsaPSSSHA512),
    ("ES256", .ecdsaSHA256), ("ES384", .ecdsaSHA384), ("ES512", .ecdsaSHA512),
    ("EdDSA", .ed25519), ("Ed25519", .ed25519), ("Ed448", .ed448), ("ML-DSA-44", .mlDSA44),
    ("ML-DSA-65", .mlDSA65), ("ML-DSA-87", .mlDSA87),
  ]

  /// The name in JOSE of an algorithm that this build can verify, for an error's `expected`.
  package static let namesInJOSEExpected =
    namesInJOSE.filter(\.algorithm.isAvailable).map(\.name.description).joined(separator: ", ")

  /// The algorithm with exactly this name in JOSE. `none` is not among them.
  package static func inJOSE(_ name: Span<UInt8>) -> Self? {
    for (known, algorithm) in namesInJOSE where name.hasBytes(of: known) { return algorithm }
    return nil
  }

  /// The parameter set of ML-DSA; nil for other schemes.
  var moduleLatticeSet: ModuleLatticeSet? {
    switch family {
    case .mlDSA44: .mlDSA44
    case .mlDSA65: .mlDSA65
    case .mlDSA87: .mlDSA87
    case .rsaPKCS1, .rsaPSS, .ecdsa, .hmac, .ed25519, .ed448: nil
    }
  }

  /// Whether a digest of the message is signed; others digest by themselves.
  package var signsDigest: Bool {
    switch family {
    case .hmac, .ed25519, .ed448, .mlDSA44, .mlDSA65, .mlDSA87: false
    case .rsaPKCS1, .rsaPSS, .ecdsa: true
    }
  }

  /// Whether this build can verify it.
  package var isAvailable: Bool { moduleLatticeSet?.isAvailable ?? true }

  /// The name in JOSE, or the short name of an algorithm that has none.
  package var nameInJOSE: String {
    Self.namesInJOSE.first { $0.algorithm == self }?.name.description ?? name
  }

  private init(
    _ name: StaticString, _ uri: StaticString, _ family: Family, _ digest: DigestAlgorithm
  ) {
    spelledName = name
    spelledURI = uri
    self.family = family
    self.digest = digest
  }

  /// Scheme and digest make the algorithm.
  public static func == (left: Self, right: Self) -> Bool {
    left.family == right.family && left.digest == right.digest
  }

  /// Hashes scheme and digest.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(family)
    hasher.combine(digest)
  }

}
