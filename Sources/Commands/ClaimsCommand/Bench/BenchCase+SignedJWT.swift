import Federation
import SecurityKeys
import TokenBasics

/// A credential with ten disclosures (RFC 9901), each a claim, without key binding.
extension BenchCase {
  static func disclosing(
    _ name: String, _ key: PrivateKey, _ algorithm: SignatureAlgorithm
  ) throws(TokenError) -> BenchCase {
    let draft = draft(claims: 10)
    let disclosures = draft.claims.enumerated().map { place, claim in
      var json = JSONWriter()
      json.array { json in
        json.string("2GLC42sKQveCfGfryNRN\(place)w")
        json.string(claim.type.name)
        json.string(claim.value)
      }
      return Array(Base64.encode(json.bytes, .url).utf8)
    }
    let signed = try credential(draft, disclosures, SigningKey(key, algorithm: algorithm))
    let octets = signed + disclosures.flatMap { [UInt8(ascii: "~")] + $0 } + [UInt8(ascii: "~")]
    var measured = token(
      name, octets, .publicKey(key.publicKey), .sdjwt,
      SelectiveDisclosureToken.init(parsing:limits:))
    let signature = bareSignature(key, algorithm, over: signed)
    measured.bare = {
      signature()
      for disclosure in disclosures { _ = DigestAlgorithm.sha256.value(of: disclosure.span) }
    }
    return measured
  }

  /// The signed part of a credential with the digests of `disclosures`.
  private static func credential(
    _ draft: TokenDraft, _ disclosures: [[UInt8]], _ key: SigningKey
  ) throws(TokenError) -> [UInt8] {
    var header = JSONWriter()
    header.object { json in
      json.member("alg", key.algorithm.nameInJOSE)
      json.member("typ", "dc+sd-jwt")
    }
    var payload = JSONWriter()
    payload.object { json in
      json.member("iss", draft.issuer)
      json.member("aud", draft.audiences.first)
      json.name("exp")
      json.integer(Int(draft.expires.seconds))
      json.member("_sd_alg", "sha-256")
      json.name("_sd")
      json.array { json in
        for disclosure in disclosures {
          json.string(Base64.encode(DigestAlgorithm.sha256.digest(of: disclosure) ?? [], .url))
        }
      }
    }
    let text = Base64.encode(header.bytes, .url) + "." + Base64.encode(payload.bytes, .url)
    return Array((text + "." + Base64.encode(try key.sign(Array(text.utf8)), .url)).utf8)
  }
}

extension BenchCase {
  /// A token signed with ML-DSA-65; none in a build without trait PostQuantum.
  static func postQuantum() throws(TokenError) -> [BenchCase] {
    let seed = [UInt8](repeating: 0x5A, count: PostQuantumSigningKey.seedLength)
    guard let key = try? PostQuantumSigningKey(seed: seed, for: .mlDSA65) else { return [] }
    let octets = try JSONWebToken.mint(draft(claims: 10), key: key)
    let publicKey = key.publicKey
    var measured = token(
      "jwt ML-DSA-65", octets, VerificationKey(.postQuantum(publicKey)), .jwt,
      JSONWebToken.init(parsing:limits:))
    let signature = try key.sign(octets)
    measured.bare = { _ = publicKey.isValid(signature.span, for: octets.span) }
    return [measured]
  }
}
