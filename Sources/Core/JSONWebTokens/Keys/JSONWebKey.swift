import SecurityKeys
import TokenBasics

/// One JSON Web Key (RFC 7517, 4; RFC 7518, 6; RFC 8037, 2). A member that is `null` is absent.
struct JSONWebKey {
  /// The key, bound to its `kid` and `alg`; nil when it is for another use than to verify
  /// signatures.
  private(set) var key: TrustedKey?
  private var members: JSONWebKeyMembers

  /// What is written in another way than the standard demands, and can be read.
  var remarks: [String] { members.remarks }

  /// - Throws: `input.json-member`, `key.private`, `key.unreadable`, `key.unsupported`, `key.weak`,
  ///   `key.hmac-length`, `algorithm.*`: why the key cannot be used.
  init(_ json: JSONValue, allowsSecrets: Bool) throws(TokenError) {
    members = try JSONWebKeyMembers(json)
    guard let type = members["kty"] else {
      throw TokenError(.jsonMember, node: "kty", expected: "a string", found: "nothing")
    }
    try refusePrivate(type.string ?? "", allowsSecrets: allowsSecrets)
    guard isForVerifying else { return }
    let reserved = try algorithm()
    if let reserved, case .other = reserved { return }
    let key = try verificationKey(type, reserved)
    var trusted = TrustedKey(key, keyID: members.keyID())
    if case .signature(let algorithm) = reserved {
      guard key.accepts(algorithm), Self.isOnCurve(key, of: algorithm) else {
        throw TokenError(
          .algorithmKeyMismatch, node: "alg", expected: "an algorithm of \(key.kindName)",
          found: algorithm.nameInJOSE)
      }
      trusted.algorithms = [algorithm]
      trusted.origin = KeySetOrigin(reserved: algorithm)
    } else {
      trusted.origin = KeySetOrigin()
    }
    self.key = trusted
  }

  /// The algorithms of which a token may name one to be verified by the key.
  static func algorithms(of key: TrustedKey) -> [SignatureAlgorithm] {
    SignatureAlgorithm.namesInJOSE.map(\.algorithm).filter {
      key.key.accepts($0) && isOnCurve(key.key, of: $0) && key.algorithms?.contains($0) ?? true
    }
  }

  /// RFC 7518, 3.4 ties each ECDSA name to one curve.
  private static func isOnCurve(_ key: VerificationKey, of algorithm: SignatureAlgorithm) -> Bool {
    guard let width = JWSAlgorithm.coordinateBytes(of: algorithm) else { return true }
    return key.publicKey?.kind == .ec(coordinateBytes: width)
  }

  // MARK: Use

  /// RFC 7517, 4.2 and 4.3; SPIFFE Trust Domain and Bundle, 4.2.2 has a use of its own for keys
  /// that sign JWTs.
  private var isForVerifying: Bool {
    if let use = members["use"], use.string != "sig", use.string != "jwt-svid" { return false }
    // Some libraries write every absent list as an empty one.
    if let operations = members["key_ops"], operations.array?.isEmpty != true {
      return operations.array?.contains { $0.string == "verify" } ?? false
    }
    return true
  }

  private enum Reservation {
    case signature(SignatureAlgorithm)
    /// An algorithm of encryption.
    case other
  }

  /// What the key is reserved for; nil for any algorithm of its type.
  ///
  /// - Throws: `algorithm.signature`.
  private func algorithm() throws(TokenError) -> Reservation? {
    guard let name = members["alg"] else { return nil }
    let text = name.string ?? ""
    if let algorithm = SignatureAlgorithm.inJOSE(text.utf8.span) { return .signature(algorithm) }
    let encryptions = ["RSA", "ECDH", "A128", "A192", "A256", "PBES2", "dir"]
    if encryptions.contains(where: { text.utf8.starts(with: $0.utf8) }) { return .other }
    throw TokenError(
      .unknownSignatureAlgorithm, node: "alg",
      expected: SignatureAlgorithm.namesInJOSEExpected,
      found: name.string.map { TokenError.excerpt($0) } ?? name.kindName)
  }

  // MARK: Material

  /// - Throws: `key.private` for a key that has a member of a private one, or is a secret.
  private func refusePrivate(_ type: String, allowsSecrets: Bool) throws(TokenError) {
    let isSecret = type == "oct"
    if isSecret, allowsSecrets { return }
    guard !isSecret else {
      throw TokenError(.privateKey, expected: "public keys", found: "a shared secret (oct)")
    }
    // RFC 7518, 6.2.2, 6.3.2 and 6.4.1; RFC 8037, 2; `priv` of RFC 9964.
    let names = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"]
    if let found = names.first(where: { members[$0] != nil }) {
      throw TokenError(
        .privateKey, node: found, expected: "public keys", found: "a member of a private key")
    }
  }

  /// - Throws: `key.unreadable`, `key.unsupported`, `key.weak`, `key.hmac-length`.
  private mutating func verificationKey(
    _ type: JSONValue, _ reserved: Reservation?
  ) throws(TokenError) -> VerificationKey {
    switch type.string {
    case "oct": return .secret(try SymmetricKey(bytes: members.octets("k")))
    case "RSA":
      return .publicKey(
        try PublicKey(rsaModulus: members.octets("n"), exponent: members.octets("e")))
    case "EC":
      return .publicKey(try members.ecKey())
    case "OKP":
      let isEd448 = try members.curve(["Ed25519", "Ed448"]) == "Ed448"
      let octets = try members.octets("x")
      return .publicKey(try isEd448 ? PublicKey(ed448: octets) : PublicKey(ed25519: octets))
    case "AKP":
      // RFC 9964, 3: the algorithm says what the octets are.
      guard case .signature(let algorithm) = reserved else {
        throw TokenError(
          .unsupportedKey, node: "alg", expected: "ML-DSA-65 or ML-DSA-87", found: "nothing")
      }
      return VerificationKey(
        .postQuantum(try PostQuantumKey(members.octets("pub"), for: algorithm)))
    default:
      throw TokenError(
        .unsupportedKey, node: "kty", expected: "RSA, EC, OKP or AKP",
        found: type.string.map { TokenError.excerpt($0) } ?? type.kindName)
    }
  }
}
