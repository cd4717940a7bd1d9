public import Claims
import Octets
public import SecurityKeys
public import TokenBasics

extension JSONWebToken {
  /// Issues a token signed with a private key: header, payload and signature in compact form.
  ///
  /// The payload has `iss`, `aud` (a string for one, an array for several), `iat`, `nbf`, `exp`, `jti`,
  /// `sub`, then the claims; several values of one type are an array. A value of ``jsonType`` is
  /// written as raw JSON, so that claims read from a token can be issued again.
  ///
  /// - Parameters:
  ///   - draft: The content of the token.
  ///   - key: The key that signs.
  ///   - keyID: The `kid` that identifies the key to the receiver.
  ///   - type: The `typ`, such as `at+jwt` (RFC 9068, 2.1).
  /// - Throws: `policy.mint-*`.
  public static func mint(
    _ draft: TokenDraft, key: SigningKey, keyID: String? = nil, type: String = "JWT"
  ) throws(TokenError) -> [UInt8] {
    let signed = try signedPart(draft, key.algorithm, keyID, type)
    return signed + Array(".".utf8) + Array(Base64.encode(try key.sign(signed), .url).utf8)
  }

  /// Issues a token signed with a private key of ML-DSA (RFC 9964).
  ///
  /// - Throws: `policy.mint-*`.
  public static func mint(
    _ draft: TokenDraft, key: PostQuantumSigningKey, keyID: String? = nil
  ) throws(TokenError) -> [UInt8] {
    let signed = try signedPart(draft, key.publicKey.algorithm, keyID, "JWT")
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
    let signed = try signedPart(draft, algorithm, keyID, "JWT")
    guard let mac = key.authenticate(signed.span, with: algorithm.digest) else {
      throw TokenError(.mintSignature, found: algorithm.name)
    }
    return signed + Array(".".utf8) + Array(Base64.encode(mac, .url).utf8)
  }

  private static func signedPart(
    _ draft: TokenDraft, _ algorithm: SignatureAlgorithm, _ keyID: String?, _ type: String
  ) throws(TokenError) -> [UInt8] {
    try draft.check()
    let names = SignatureAlgorithm.namesInJOSE
    guard let name = names.first(where: { $0.algorithm == algorithm })?.name else {
      throw TokenError(.mintAlgorithm, found: algorithm.name)
    }
    var header = JSONWriter()
    header.object { json in
      json.name("alg")
      json.string(name.description)
      json.name("typ")
      json.string(type)
      if let keyID {
        json.name("kid")
        json.string(keyID)
      }
    }
    let payload = try payload(draft)
    return Array((Base64.encode(header.bytes, .url) + "." + Base64.encode(payload, .url)).utf8)
  }

  private static func payload(_ draft: TokenDraft) throws(TokenError) -> [UInt8] {
    let groups = try groups(of: draft.claims)
    // RFC 7519, 2: seconds; a negative number is a mistake of the clock, and not every reader takes
    // one.
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
      for (type, values) in groups {
        member(type.name, values, isList: draft.listTypes.contains(type), &json)
      }
    }
    return json.bytes
  }

  /// The values of each type, in the order in which the types first occur.
  private static func groups(
    of claims: ClaimSet
  ) throws(TokenError) -> [(type: ClaimType, values: [MintedValue])] {
    var groups: [(type: ClaimType, values: [MintedValue])] = []
    var places: [ClaimType: Int] = [:]
    for claim in claims {
      let node = "claim \(TokenError.excerpt(claim.type.name))"
      guard !reserved.contains(claim.type.name) else {
        throw TokenError(.mintReservedName, node: node)
      }
      let value = try MintedValue(claim, node)
      if let place = places[claim.type] {
        groups[place].values.append(value)
      } else {
        places[claim.type] = groups.count
        groups.append((claim.type, [value]))
      }
    }
    return groups
  }

  private static func member(_ name: String, _ values: [String], _ json: inout JSONWriter) {
    member(name, values.map(MintedValue.string), &json)
  }

  /// One value is written alone, unless its type is a list, or it is an array, which would be read as several values.
  private static func member(
    _ name: String, _ values: [MintedValue], isList: Bool = false, _ json: inout JSONWriter
  ) {
    json.name(text: name)
    if values.count == 1, !values[0].isArray, !isList {
      values[0].write(to: &json)
    } else {
      json.array { json in values.forEach { $0.write(to: &json) } }
    }
  }

  private static let reserved =
    RegisteredClaim.allCases.filter(\.isFact).map(\.name.description) + ["sub", "iat"]
}

/// The value of a claim as a JWT writes it.
enum MintedValue {
  case string(String)
  /// JSON text, which may be an array.
  case json([UInt8], isArray: Bool)

  /// - Throws: `policy.mint-claim-value`.
  init(_ claim: Claim, _ node: String) throws(TokenError) {
    guard claim.valueType.hasSameBytes(as: Claim.jsonType) else {
      self = .string(claim.value)
      return
    }
    let text = Array(claim.value.utf8)
    guard let parsed = try? JSONParser.document(text).root, parsed.kind != .null else {
      throw TokenError(.mintClaimValue, node: node)
    }
    self = .json(text, isArray: parsed.kind == .array)
  }

  var isArray: Bool {
    if case .json(_, isArray: true) = self { true } else { false }
  }

  func write(to json: inout JSONWriter) {
    switch self {
    case .string(let text): json.string(text)
    case .json(let text, _): json.raw(text)
    }
  }
}
