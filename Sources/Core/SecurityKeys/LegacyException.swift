/// An algorithm, key size or encoding too old or too weak that a trust configuration allows by name.
///
/// Each use is a warning in the report.
public struct LegacyException: Hashable, Sendable, CustomStringConvertible {
  /// The name, such as `rsa-sha1`.
  public let name: String

  /// The same text as ``name``.
  public var description: String { name }

  /// SHA-1 as the digest of a reference. Allowing an algorithm with ``signature(_:)`` includes it for
  /// the signatures that use that algorithm.
  public static let sha1 = Self(name: "sha1")
  /// RSA keys of 1024 to 2047 bits.
  public static let rsaSmallModulus = Self(name: "rsa-small-modulus")
  /// RSA keys with a public exponent of 3 to 65535.
  public static let rsaSmallExponent = Self(name: "rsa-small-exponent")
  /// HMAC keys shorter than 32 bytes or than the digest.
  public static let hmacShortKey = Self(name: "hmac-short-key")
  /// An ECDSA signature in XML as an ASN.1 sequence, where XML Signature 1.1, 6.4.3 has r and s side by
  /// side.
  public static let ecdsaASN1 = Self(name: "ecdsa-asn1")
  /// Padding (`=`) in the parts of a compact JWS, which RFC 7515, 2 leaves out.
  public static let jwsPadding = Self(name: "jws-padding")
  /// RSA PKCS #1 v1.5 as the transport of a content key: prone to padding oracles.
  public static let rsaPKCS1Encryption = Self(name: "rsa-1_5")
  /// Triple DES as the cipher of encrypted data.
  public static let tripleDES = Self(name: "3des")

  /// `vc+sd-jwt` as the type of an SD-JWT, which it had before `dc+sd-jwt`.
  public static let vcSDJWT = Self(name: "vc+sd-jwt")

  /// One signature algorithm whose digest is broken.
  public static func signature(_ algorithm: SignatureAlgorithm) -> Self {
    Self(name: algorithm.name)
  }

  /// Every exception that exists.
  public static let all: [Self] =
    [
      .sha1, .rsaSmallModulus, .rsaSmallExponent, .hmacShortKey, .ecdsaASN1, .jwsPadding,
      .rsaPKCS1Encryption, .tripleDES, .vcSDJWT,
    ]
    + SignatureAlgorithm.all.filter(\.isLegacy).map(Self.signature)

  /// Whether this names an algorithm for which no exception is needed.
  package static func isNeedless(_ nameOrURI: String) -> Bool {
    let digest = DigestAlgorithm.allCases.first { $0.name == nameOrURI || $0.uri == nameOrURI }
    return SignatureAlgorithm(named: nameOrURI)?.isLegacy == false || digest?.isLegacy == false
  }

  /// The exception with this name, or whose algorithm has this URI.
  public init?(_ nameOrURI: String) {
    let signature = SignatureAlgorithm.all.first { $0.uri == nameOrURI }?.name
    let digest = DigestAlgorithm.allCases.first { $0.uri == nameOrURI }?.name
    let encryption = Self.encryptionURIs.first { $0.uri == nameOrURI }?.exception.name
    let name = signature ?? digest ?? encryption ?? nameOrURI
    guard let known = Self.all.first(where: { $0.name == name }) else { return nil }
    self = known
  }

  private static let encryptionURIs: [(uri: String, exception: Self)] = [
    ("http://www.w3.org/2001/04/xmlenc#rsa-1_5", .rsaPKCS1Encryption),
    ("http://www.w3.org/2001/04/xmlenc#tripledes-cbc", .tripleDES),
  ]

  private init(name: String) { self.name = name }
}
