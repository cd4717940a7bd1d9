import CommandSupport
import Federation
import Octets
import SecurityKeys
import XMLTree

/// One measurement of `claims bench`.
struct BenchCase {
  let name: String
  let bytes: Int
  let run: () -> Void
  /// The bare cost of the same work: the cryptography, and libxml2 without handlers.
  var bare: (() -> Void)?
  /// The public-key operation, one for each token, whatever its length.
  var key: (() -> Void)?

  private static let issuer = "https://idp.example.test/"
  private static let audience = "https://rp.example.test/"
  static let now = Instant(secondsSinceEpoch: 1_893_499_200)

  /// Whole verifications, from octets to claims, and the bare cost of each.
  static func all() throws(TokenError) -> [BenchCase] {
    let rsa = try PrivateKey(generating: .rsa2048)
    let ec = try PrivateKey(generating: .ec256)
    let secret = try SymmetricKey(bytes: [UInt8](repeating: 0x5A, count: 32))
    var cases = try secretCases(secret)
    for (name, key, algorithm) in [
      ("RS256", rsa, SignatureAlgorithm.rsaSHA256), ("ES256", ec, .ecdsaSHA256),
    ] {
      let octets = try JSONWebToken.mint(draft(claims: 10), key: SigningKey(key))
      var measured = token(
        "jwt \(name)", octets, .publicKey(key.publicKey), .jwt,
        JSONWebToken.init(parsing:limits:))
      measured.bare = bareSignature(key, algorithm, over: octets)
      cases.append(measured)
    }
    var smallest: [UInt8] = []
    for (size, claims) in [("5 KB", 20), ("18 KB", 110), ("140 KB", 1000), ("1400 KB", 9900)] {
      for (name, key, algorithm) in [
        ("RSA", rsa, SignatureAlgorithm.rsaSHA256), ("EC", ec, .ecdsaSHA256),
      ] where claims < 9900 || name == "RSA" {
        let issuer = SAMLIssuer(.v2, key: try SigningKey(key))
        // Attributes as plain as those of the published figures.
        let octets = try issuer.response(
          draft(claims: claims), delivery: SAMLDelivery(attributeNameFormat: .omitted))
        if smallest.isEmpty { smallest = octets }
        var measured = token(
          "saml20 \(size) \(name)", octets, .publicKey(key.publicKey), .saml20,
          SAMLToken.init(parsing:limits:))
        let signature = bareSignature(key, algorithm, over: octets)
        measured.key = bareKey(key, algorithm)
        let document = octets + [0]
        let parser = BareParse()
        measured.bare = {
          signature()
          _ = parser?.parse(document)
        }
        cases.append(measured)
      }
    }
    cases.append(try encrypted(rsa))
    cases += try minting(rsa, secret)
    cases += metadata(rsa)
    return cases + bare(rsa, ec, secret, smallest)
  }

  private static func secretCases(_ secret: SymmetricKey) throws(TokenError) -> [BenchCase] {
    let swt = try SimpleWebToken.mint(draft(claims: 6), key: secret)
    let jwt = try JSONWebToken.mint(draft(claims: 10), key: secret)
    var cases = [
      token("swt", swt, .secret(secret), .swt, SimpleWebToken.init(parsing:limits:)),
      token("jwt HS256", jwt, .secret(secret), .jwt, JSONWebToken.init(parsing:limits:)),
    ]
    for (index, octets) in [swt, jwt].enumerated() {
      cases[index].bare = bareMAC(secret, over: octets)
    }
    return cases
  }

  /// One MAC of `octets`, compared.
  static func bareMAC(_ secret: SymmetricKey, over octets: [UInt8]) -> () -> Void {
    let mac = [UInt8](repeating: 0, count: DigestAlgorithm.sha256.length)
    return { _ = secret.isMAC(mac.span, of: octets.span, with: .sha256) }
  }

  /// One digest of `octets` and one verification.
  static func bareSignature(
    _ key: PrivateKey, _ algorithm: SignatureAlgorithm, over octets: [UInt8]
  ) -> () -> Void {
    let verification = bareKey(key, algorithm)
    return {
      _ = DigestAlgorithm.sha256.value(of: octets.span)
      verification()
    }
  }

  /// One verification of a digest.
  static func bareKey(_ key: PrivateKey, _ algorithm: SignatureAlgorithm) -> () -> Void {
    let message = Array(algorithm.name.utf8)
    let digest = DigestAlgorithm.sha256.value(of: message.span)
    let signature = key.sign(digest: digest?.bytes ?? [], algorithm) ?? []
    let publicKey = key.publicKey
    return {
      guard let digest else { return }
      _ = publicKey.isValid(signature.span, forDigest: digest, algorithm)
    }
  }

  static func draft(claims: Int) -> TokenDraft {
    TokenDraft(
      issuer: issuer, audiences: [audience], subject: "ada@example.test",
      claims: ClaimSet(
        (0..<claims).map {
          Claim(
            ClaimType("http://schemas.example.test/claims/attribute\($0)"),
            "value number \($0) for the user")
        }), issuedAt: now, id: "_bench")
  }

  /// A format's own parser and validator: for callers with a fixed format.
  static func token<Token: SecurityToken>(
    _ name: String, _ octets: [UInt8], _ key: VerificationKey, _ format: TokenFormat,
    decryptionKeys: [PrivateKey] = [],
    _ parse: @escaping ([UInt8], Limits) throws(TokenError) -> Token
  ) -> BenchCase {
    var limits = Limits()
    limits.bytes = 4 << 20
    limits.elements = 100_000
    let trust = Trust(
      issuers: [TrustedIssuer(issuer, keys: [key], formats: [format])],
      audiences: .oneOf([audience]), limits: limits, decryptionKeys: decryptionKeys)
    let validator = TokenValidator<Token>(trust)
    return BenchCase(name: name, bytes: octets.count) {
      do throws(TokenError) {
        _ = try validator.validate(try parse(octets, limits), at: now)
      } catch {
        CommandMessages.own.note("error: a measured token was rejected: \(name): \(error.code)")
      }
    }
  }
}
