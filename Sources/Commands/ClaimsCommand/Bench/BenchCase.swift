import CommandSupport
import Federation
import SecurityKeys
import TokenBasics
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
  /// How many times make a round of all that it works on: with fewer in a turn, the other work's turn would have taken
  /// the caches from what comes next.
  var round = 1

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
    cases += try encryptedJWT(rsa)
    cases.append(try disclosing("sdjwt ES256", ec, .ecdsaSHA256))
    cases.append(try disclosing("sdjwt RS256", rsa, .rsaSHA256))
    cases += try postQuantum()
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
    decryptionKeys: [DecryptionKey] = [],
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

/// The bare cost, operation by operation.
extension BenchCase {
  static func bare(
    _ rsa: PrivateKey, _ ec: PrivateKey, _ secret: SymmetricKey, _ document: [UInt8]
  ) -> [BenchCase] {
    let digestLength = DigestAlgorithm.sha256.length
    let message = Array(document.prefix(450))
    return [
      BenchCase(
        name: "bare RSA-2048 verify", bytes: digestLength, run: bareKey(rsa, .rsaSHA256)),
      BenchCase(
        name: "bare ECDSA P-256 verify", bytes: digestLength, run: bareKey(ec, .ecdsaSHA256)),
      BenchCase(
        name: "bare HMAC-SHA256", bytes: message.count, run: bareMAC(secret, over: message)),
      BenchCase(name: "bare SHA-256", bytes: document.count) {
        _ = DigestAlgorithm.sha256.value(of: document.span)
      },
      BenchCase(name: "bare XML parse", bytes: document.count) {
        _ = try? Document(parsing: document)
      },
    ]
  }
}

/// A response whose assertion is signed, then encrypted with RSA-OAEP and AES-256-GCM.
extension BenchCase {
  static func encrypted(_ rsa: PrivateKey) throws(TokenError) -> BenchCase {
    let recipient = try PrivateKey(generating: .rsa2048)
    let certificate = try Certificate(
      selfSigning: recipient, name: "rp.example.test", notBefore: now,
      notAfter: now.advanced(bySeconds: 86_400))
    let draft = draft(claims: 20)
    let signing = try SigningKey(rsa)
    let plain = try SAMLIssuer(.v2, key: signing).response(draft)
    let issuer = SAMLIssuer(.v2, key: signing, encryptingTo: try EncryptionRecipient(certificate))
    let octets = try issuer.response(draft)
    var measured = token(
      "saml20 5 KB RSA encrypted", octets, .publicKey(rsa.publicKey), .saml20,
      decryptionKeys: [DecryptionKey(recipient)], SAMLToken.init(parsing:limits:))
    measured.bare = bareDecryption(
      recipient, of: plain, and: bareSignature(rsa, .rsaSHA256, over: plain), octets)
    return measured
  }

  /// A JSON Web Token, signed, then encrypted to an RSA and to an EC key.
  static func encryptedJWT(_ rsa: PrivateKey) throws(TokenError) -> [BenchCase] {
    let plain = try JSONWebToken.mint(draft(claims: 10), key: SigningKey(rsa))
    let encryption = ContentEncryption.aes256GCM
    let associated = Array("header".utf8)
    return try [
      ("RSA-OAEP-256", PrivateKey.NewKind.rsa2048), ("ECDH-ES", PrivateKey.NewKind.ec256),
    ].map { (name, kind) throws(TokenError) in
      let recipient = DecryptionKey(try PrivateKey(generating: kind))
      guard let key = recipient.privateKey?.publicKey,
        let algorithm = KeyManagement(rawValue: name),
        let (content, protected) = ProtectedContentKey.make(
          for: .publicKey(key), algorithm, encryption),
        let sealed = encryption.encrypt(plain, key: content, associated: associated)
      else { throw TokenError(.mintEncryption) }
      let octets = try EncryptedJSONWebToken.encrypt(
        plain, to: JSONWebEncryptionRecipient(key, algorithm: algorithm, encryption: encryption))
      var measured = token(
        "jwt RS256 \(name)", octets, .publicKey(rsa.publicKey), .jwt,
        decryptionKeys: [recipient], EncryptedJSONWebToken.init(parsing:limits:))
      let signature = bareSignature(rsa, .rsaSHA256, over: plain)
      measured.bare = {
        _ = encryption.decrypt(sealed, key: protected.open(with: recipient), associated: associated)
        signature()
      }
      return measured
    }
  }

  /// One decryption of a content key, one of the content, and a parse of both documents.
  private static func bareDecryption(
    _ recipient: PrivateKey, of plain: [UInt8], and signature: @escaping () -> Void,
    _ octets: [UInt8]
  ) -> () -> Void {
    let transport = KeyTransport.oaep(digest: .sha1, mask: .sha1, label: [])
    let cipher = ContentCipher.aes256GCM
    let key = cipher.newKey()
    let encryptedKey = recipient.publicKey.encrypt(key, transport) ?? []
    let encrypted = cipher.encrypt(plain, key: key) ?? []
    let documents = [octets + [0], plain + [0]]
    let parser = BareParse()
    return {
      _ = recipient.decrypt(encryptedKey, transport, length: key.count)
      _ = cipher.decrypt(encrypted, key: key)
      for document in documents { _ = parser?.parse(document) }
      signature()
    }
  }
}

/// Finding the keys of a token's issuer among those of an aggregate, beside the look-up in a dictionary.
extension BenchCase {
  static func metadata(_ rsa: PrivateKey) -> [BenchCase] {
    let keys = [TrustedKey(.publicKey(rsa.publicKey))]
    let names = (0..<15_000).map { "https://idp-\($0).example.test/saml2/metadata" }
    let trust = Trust(
      issuers: names.map { TrustedIssuer(.exactly($0), keys: keys, formats: [.saml20]) },
      audiences: .any)
    let octets = names.map { Array($0.utf8)[...] }
    let dictionary = Dictionary(
      octets.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    return [
      BenchCase(
        name: "issuer among 15000", bytes: octets.first?.count ?? 0,
        run: rotating(octets) { _ = trust.entries(for: $0) },
        bare: rotating(octets) { _ = dictionary[$0] }, round: names.count)
    ]
  }

  /// Work over one name after the other, so that the caches hold no single entry.
  private static func rotating(
    _ names: [ArraySlice<UInt8>], _ body: @escaping (ArraySlice<UInt8>) -> Void
  ) -> () -> Void {
    var place = 0
    return {
      // A prime step visits all of them.
      place = (place + 4_099) % names.count
      body(names[place])
    }
  }
}

/// Issuing tokens, beside the one signature or MAC of each.
extension BenchCase {
  static func minting(
    _ rsa: PrivateKey, _ secret: SymmetricKey
  ) throws(TokenError) -> [BenchCase] {
    let draft = draft(claims: 6)
    let key = try SigningKey(rsa)
    let issuer = SAMLIssuer(.v2, key: key)
    let swt = try SimpleWebToken.mint(draft, key: secret)
    let jwt = try JSONWebToken.mint(draft, key: key)
    let assertion = try issuer.assertion(draft)
    let signature = bareSigning(rsa)
    return [
      BenchCase(
        name: "mint swt", bytes: swt.count,
        run: { _ = try? SimpleWebToken.mint(draft, key: secret) },
        bare: { _ = secret.authenticate(swt.span, with: .sha256) }),
      BenchCase(
        name: "mint jwt RS256", bytes: jwt.count,
        run: { _ = try? JSONWebToken.mint(draft, key: key) }, bare: signature),
      BenchCase(
        name: "mint saml20 RSA", bytes: assertion.count,
        run: { _ = try? issuer.assertion(draft) }, bare: signature),
    ]
  }

  /// One signature of a digest.
  private static func bareSigning(_ key: PrivateKey) -> () -> Void {
    let digest = DigestAlgorithm.sha256.value(of: Array("bench".utf8).span)?.bytes ?? []
    return { _ = key.sign(digest: digest, .rsaSHA256) }
  }
}
