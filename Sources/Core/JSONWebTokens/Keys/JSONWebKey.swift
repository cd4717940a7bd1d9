import Octets
import SecurityKeys
import TokenErrors

/// One JSON Web Key (RFC 7517, 4; RFC 7518, 6; RFC 8037, 2). A member that is `null` is absent.
struct JSONWebKey {
  /// The key, bound to its `kid` and `alg`; nil when it is for another use than to verify
  /// signatures.
  private(set) var key: TrustedKey?
  /// What is written in another way than the standard demands, and can be read.
  private(set) var remarks: [String] = []
  private let json: JSONValue

  /// - Throws: `input.json-member`, `key.private`, `key.unreadable`, `key.unsupported`, `key.weak`,
  ///   `key.hmac-length`, `algorithm.*`: why the key cannot be used.
  init(_ json: JSONValue, allowsSecrets: Bool) throws(TokenError) {
    self.json = json
    guard json.members != nil else {
      throw TokenError(.jsonMember, expected: "an object", found: json.kindName)
    }
    guard let type = member("kty") else {
      throw TokenError(.jsonMember, node: "kty", expected: "a string", found: "nothing")
    }
    try refusePrivate(type.string ?? "", allowsSecrets: allowsSecrets)
    guard isForVerifying else { return }
    let reserved = try algorithm()
    if let reserved, case .other = reserved { return }
    let key = try verificationKey(type)
    var trusted = TrustedKey(key, keyID: keyID())
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
    JWSAlgorithm.known.map(\.algorithm).filter {
      key.key.accepts($0) && isOnCurve(key.key, of: $0) && key.algorithms?.contains($0) ?? true
    }
  }

  /// RFC 7518, 3.4 ties each ECDSA name to one curve.
  private static func isOnCurve(_ key: VerificationKey, of algorithm: SignatureAlgorithm) -> Bool {
    guard let width = JWSAlgorithm.coordinateBytes(of: algorithm) else { return true }
    return key.publicKey?.kind == .ec(coordinateBytes: width)
  }

  private func member(_ name: String) -> JSONValue? {
    guard let value = json[name] else { return nil }
    if case .null = value.kind { return nil }
    return value
  }

  // MARK: Use

  /// RFC 7517, 4.2 and 4.3; SPIFFE Trust Domain and Bundle, 4.2.2 has a use of its own for keys
  /// that sign JWTs.
  private var isForVerifying: Bool {
    if let use = member("use"), use.string != "sig", use.string != "jwt-svid" { return false }
    // Some libraries write every absent list as an empty one.
    if let operations = member("key_ops"), operations.array?.isEmpty != true {
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
    guard let name = member("alg") else { return nil }
    let text = name.string ?? ""
    if let algorithm = JWSAlgorithm.named(text.utf8.span) { return .signature(algorithm) }
    // RFC 9864, 2.2 has a name for the curve.
    if text.hasSameBytes(as: "Ed25519") { return .signature(.ed25519) }
    let encryptions = ["RSA", "ECDH", "A128", "A192", "A256", "PBES2", "dir"]
    if encryptions.contains(where: { text.utf8.starts(with: $0.utf8) }) { return .other }
    throw TokenError(
      .unknownSignatureAlgorithm, node: "alg",
      expected: JWSAlgorithm.known.map(\.name.description).joined(separator: ", "),
      found: name.string.map { TokenError.excerpt($0) } ?? name.kindName)
  }

  private mutating func keyID() -> String? {
    guard let name = member("kid") else { return nil }
    if name.string == nil {
      remarks.append(
        "kid is \(name.kindName), no string (RFC 7517, 4.5): no token can name the "
          + "key")
    }
    return name.string
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
    let members = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"]
    if let found = members.first(where: { member($0) != nil }) {
      throw TokenError(
        .privateKey, node: found, expected: "public keys", found: "a member of a private key")
    }
  }

  /// - Throws: `key.unreadable`, `key.unsupported`, `key.weak`, `key.hmac-length`.
  private mutating func verificationKey(_ type: JSONValue) throws(TokenError) -> VerificationKey {
    switch type.string {
    case "oct": return .secret(try SymmetricKey(bytes: octets("k")))
    case "RSA":
      return .publicKey(try PublicKey(rsaModulus: octets("n"), exponent: octets("e")))
    case "EC":
      let curve = try curve(["P-256", "P-384", "P-521"])
      let x = try coordinate("x", curve)
      let y = try coordinate("y", curve)
      guard let key = try? PublicKey(ecCurve: curve, x: x, y: y) else {
        throw TokenError(
          .weakKey, node: "x, y", expected: "a point on \(curve)", found: "one beside the curve",
          hint: Self.hint)
      }
      return .publicKey(key)
    case "OKP":
      _ = try curve(["Ed25519"])
      return .publicKey(try PublicKey(ed25519: octets("x")))
    default:
      throw TokenError(
        .unsupportedKey, node: "kty", expected: "RSA, EC or OKP",
        found: type.string.map { TokenError.excerpt($0) } ?? type.kindName)
    }
  }

  private func curve(_ known: [String]) throws(TokenError) -> String {
    let name = member("crv")?.string
    guard let name, known.contains(name) else {
      throw TokenError(
        .unsupportedKey, node: "crv", expected: known.joined(separator: ", "),
        found: name.map { TokenError.excerpt($0) } ?? "nothing")
    }
    return name
  }

  /// A coordinate, as wide as the curve (RFC 7518, 6.2.1.2): it is a number, so leading zeros
  /// neither add to it nor are missed.
  private mutating func coordinate(_ name: String, _ curve: String) throws(TokenError) -> [UInt8] {
    let width = curve == "P-521" ? 66 : curve == "P-384" ? 48 : 32
    let octets = try octets(name)
    guard octets.count != width else { return octets }
    let digits = Array(octets.drop { $0 == 0 })
    guard !octets.isEmpty, digits.count <= width else {
      throw TokenError(
        .unreadableKey, node: name, expected: "a coordinate of \(width) bytes",
        found: "\(octets.count) bytes", hint: Self.hint)
    }
    remarks.append("\(name) has \(octets.count) bytes in place of \(width) (RFC 7518, 6.2.1.2)")
    return [UInt8](repeating: 0, count: width - digits.count) + digits
  }

  /// The octets of a member: base64url, or else base64 with padding or of the standard alphabet,
  /// which names the same octets.
  private mutating func octets(_ name: String) throws(TokenError) -> [UInt8] {
    guard let value = member(name), let text = value.string else {
      throw TokenError(
        .unreadableKey, node: name, expected: "base64url",
        found: member(name)?.kindName ?? "nothing", hint: Self.hint)
    }
    let digits = Array(text.utf8)
    if let octets = try? Base64.decode(digits.span, .url) { return octets }
    guard let octets = Self.otherwise(digits) else {
      throw TokenError(
        .unreadableKey, node: name, expected: "base64url",
        found: "\(digits.count) characters that are no base64", hint: Self.hint)
    }
    remarks.append("\(name) is base64 with padding or of the standard alphabet (RFC 7518, 2)")
    return octets
  }

  /// Base64 of one of both alphabets, padded as it must be or not at all.
  private static func otherwise(_ text: [UInt8]) -> [UInt8]? {
    let standard = text.contains { $0 == ASCII.plus || $0 == UInt8(ascii: "/") }
    let url = text.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    guard !(standard && url) else { return nil }
    var digits = text
    if text.last == ASCII.equals {
      guard text.count % 4 == 0 else { return nil }
      digits.removeLast()
      if digits.last == ASCII.equals { digits.removeLast() }
    }
    for index in digits.indices {
      switch digits[index] {
      case ASCII.plus: digits[index] = UInt8(ascii: "-")
      case UInt8(ascii: "/"): digits[index] = UInt8(ascii: "_")
      default: break
      }
    }
    return try? Base64.decode(digits.span, .url)
  }

  private static let hint =
    "compare the key with the issuer's own copy; the issuer must write it as RFC 7518, 6 has it"
}
