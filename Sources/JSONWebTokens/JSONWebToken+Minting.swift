public import Claims
import Instants
import Octets
public import SecurityKeys
import StrictJSON
public import TokenErrors

extension JSONWebToken {
  /// Issues a token signed with a private key: header, payload and signature in compact form.
  ///
  /// The payload has `iss`, `aud` (a string for one, an array for several), `iat`, `nbf`, `exp`, `jti`,
  /// `sub`, then the claims; several values of one type are an array.
  ///
  /// - Parameter keyID: The `kid` that tells the receiver which key to use.
  /// - Throws: `policy.mint-*`.
  public static func mint(
    _ draft: TokenDraft, key: SigningKey, keyID: String? = nil
  ) throws(TokenError) -> [UInt8] {
    let signed = try signedPart(draft, key.algorithm, keyID)
    return signed + Array(".".utf8) + Array(Base64.encode(try key.sign(signed), .url).utf8)
  }

  /// Issues a token with a MAC of a shared secret, by default HS256.
  ///
  /// - Throws: `policy.mint-*`; `key.hmac-length` for a secret shorter than the digest (RFC 7518, 3.2).
  public static func mint(
    _ draft: TokenDraft, key: SymmetricKey, algorithm: SignatureAlgorithm = .hmacSHA256,
    keyID: String? = nil
  ) throws(TokenError) -> [UInt8] {
    guard algorithm.family == .hmac, !algorithm.isLegacy else {
      throw TokenError(
        .mintAlgorithm, expected: "hmac-sha256, hmac-sha384, hmac-sha512", found: algorithm.name)
    }
    guard key.byteCount >= algorithm.digest.length else {
      throw TokenError(
        .hmacKeyLength, expected: "\(algorithm.digest.length) bytes or more",
        found: "\(key.byteCount) bytes")
    }
    let signed = try signedPart(draft, algorithm, keyID)
    guard let mac = key.authenticate(signed.span, with: algorithm.digest) else {
      throw TokenError(.mintSignature, found: algorithm.name)
    }
    return signed + Array(".".utf8) + Array(Base64.encode(mac, .url).utf8)
  }

  private static func signedPart(
    _ draft: TokenDraft, _ algorithm: SignatureAlgorithm, _ keyID: String?
  ) throws(TokenError) -> [UInt8] {
    try draft.check()
    guard let name = JWSAlgorithm.known.first(where: { $0.algorithm == algorithm })?.name else {
      throw TokenError(.mintAlgorithm, found: algorithm.name)
    }
    var header = JSONWriter()
    header.object { json in
      json.name("alg")
      json.string(name.description)
      json.name("typ")
      json.string("JWT")
      if let keyID {
        json.name("kid")
        json.string(keyID)
      }
    }
    let payload = try payload(draft)
    return Array((Base64.encode(header.bytes, .url) + "." + Base64.encode(payload, .url)).utf8)
  }

  private static func payload(_ draft: TokenDraft) throws(TokenError) -> [UInt8] {
    let groups = draft.claims.grouped
    for (type, _) in groups where reserved.contains(type.name) {
      throw TokenError(.mintReservedName, node: "claim \(TokenError.excerpt(type.name))")
    }
    // RFC 7519, 2: seconds; a time before 1970 would be negative, which no reader here takes.
    guard draft.issuedAt.seconds >= 0 else {
      throw TokenError(.mintLifetime, node: "iat", found: draft.issuedAt.rfc3339)
    }
    var json = JSONWriter()
    json.object { json in
      member("iss", [draft.issuer], &json)
      member("aud", draft.audiences, &json)
      for (name, instant) in [
        ("iat", draft.issuedAt), ("nbf", draft.validFrom), ("exp", draft.expires),
      ] {
        json.name(text: name)
        json.integer(Int(max(instant.seconds, 0)))
      }
      member("jti", [draft.id], &json)
      if let subject = draft.subject { member("sub", [subject], &json) }
      for (type, values) in groups { member(type.name, values, &json) }
    }
    return json.bytes
  }

  private static func member(_ name: String, _ values: [String], _ json: inout JSONWriter) {
    json.name(text: name)
    if values.count == 1 {
      json.string(values[0])
    } else {
      json.array { json in values.forEach { json.string($0) } }
    }
  }

  private static let reserved =
    RegisteredClaim.allCases.filter(\.isFact).map(\.name.description) + ["sub", "iat"]
}
