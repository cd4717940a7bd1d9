import Federation
import Octets
import SecurityKeys
import XMLTree

/// One thing that `claims bench` measures.
struct BenchCase {
  let name: String
  let bytes: Int
  let run: () -> Void

  private static let issuer = "https://idp.example.test/"
  private static let audience = "https://rp.example.test/"
  private static let now = Instant(secondsSinceEpoch: 1_893_499_200)

  /// Whole verifications, octets in and claims out, and beside them what nobody can skip.
  static func all() throws(TokenError) -> [BenchCase] {
    let rsa = try PrivateKey(generating: .rsa2048)
    let ec = try PrivateKey(generating: .ec256)
    let secret = try SymmetricKey(bytes: [UInt8](repeating: 0x5A, count: 32))
    var cases = [
      token(
        "swt", try SimpleWebToken.mint(draft(claims: 6), key: secret), .secret(secret), [.swt],
        nil),
      token(
        "jwt HS256", try JSONWebToken.mint(draft(claims: 10), key: secret), .secret(secret),
        [.jwt], .jwt),
    ]
    for (name, key) in [("RS256", rsa), ("ES256", ec)] {
      let octets = try JSONWebToken.mint(draft(claims: 10), key: SigningKey(key))
      cases.append(token("jwt \(name)", octets, .publicKey(key.publicKey), [.jwt], .jwt))
    }
    var document: [UInt8] = []
    for (size, claims) in [("5 KB", 20), ("18 KB", 110), ("140 KB", 1000)] {
      for (name, key) in [("RSA", rsa), ("EC", ec)] {
        let issuer = SAMLIssuer(.v2, key: try SigningKey(key))
        let octets = try issuer.response(draft(claims: claims))
        if document.isEmpty { document = octets }
        cases.append(
          token("saml20 \(size) \(name)", octets, .publicKey(key.publicKey), [.saml20], nil))
      }
    }
    return cases + (try bare(rsa, ec, secret, document))
  }

  private static func draft(claims: Int) -> TokenDraft {
    TokenDraft(
      issuer: issuer, audiences: [audience], subject: "ada@example.test",
      claims: ClaimSet(
        (0..<claims).map {
          Claim(
            ClaimType("http://schemas.example.test/claims/attribute\($0)"),
            "value number \($0) for the user")
        }), issuedAt: now, id: "_bench")
  }

  private static func token(
    _ name: String, _ octets: [UInt8], _ key: VerificationKey, _ formats: Set<TokenFormat>,
    _ pinned: PinnedFormat?
  ) -> BenchCase {
    let trust = Trust(
      issuers: [TrustedIssuer(issuer, keys: [key], formats: formats)],
      audiences: .oneOf([audience]))
    let validator = TokenValidator<AnyToken>(trust)
    return BenchCase(name: name, bytes: octets.count) {
      let token = try? AnyToken(reading: octets, as: pinned)
      let verified = token.flatMap { try? validator.validate($0, at: now) }
      if verified == nil { Talk.write("claims: error: a measured token was rejected: \(name)") }
    }
  }

  private static func bare(
    _ rsa: PrivateKey, _ ec: PrivateKey, _ secret: SymmetricKey, _ document: [UInt8]
  ) throws(TokenError) -> [BenchCase] {
    let digest = DigestAlgorithm.sha256.digest(of: document) ?? []
    var cases: [BenchCase] = []
    for (name, key, algorithm) in [
      ("bare RSA-2048 verify", rsa, SignatureAlgorithm.rsaSHA256),
      ("bare ECDSA P-256 verify", ec, .ecdsaSHA256),
    ] {
      let signature = key.sign(digest: digest, algorithm) ?? []
      let publicKey = key.publicKey
      cases.append(
        BenchCase(name: name, bytes: digest.count) {
          _ = publicKey.isValid(signature, forDigest: digest, algorithm)
        })
    }
    let message = Array(document.prefix(450))
    return cases + [
      BenchCase(name: "bare HMAC-SHA256", bytes: message.count) {
        _ = secret.authenticate(message.span, with: .sha256)
      },
      BenchCase(name: "bare SHA-256", bytes: document.count) {
        _ = DigestAlgorithm.sha256.digest(of: document)
      },
      BenchCase(name: "bare XML parse", bytes: document.count) {
        _ = try? Document(parsing: document)
      },
    ]
  }
}
