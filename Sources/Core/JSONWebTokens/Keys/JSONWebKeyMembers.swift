import Octets
import SecurityKeys
import TokenBasics

/// The members of one JSON Web Key (RFC 7517, 4; RFC 7518, 6). One that is `null` is absent.
struct JSONWebKeyMembers {
  /// What is written in another way than the standard demands, and can be read.
  private(set) var remarks: [String] = []
  private let json: JSONValue

  /// - Throws: `input.json-member` for another value than an object.
  init(_ json: JSONValue) throws(TokenError) {
    guard json.members != nil else {
      throw TokenError(.jsonMember, expected: "an object", found: json.kindName)
    }
    self.json = json
  }

  subscript(_ name: String) -> JSONValue? {
    guard let value = json[name] else { return nil }
    if case .null = value.kind { return nil }
    return value
  }

  mutating func keyID() -> String? {
    guard let name = self["kid"] else { return nil }
    if name.string == nil {
      remarks.append(
        "kid is \(name.kindName), no string (RFC 7517, 4.5): no token can name the "
          + "key")
    }
    return name.string
  }

  /// The public key of an agreement: on P-256, P-384, P-521 or X25519.
  ///
  /// - Throws: `key.unreadable`, `key.unsupported`, `key.weak`.
  mutating func agreementKey() throws(TokenError) -> PublicKey {
    guard self["kty"]?.string == "OKP" else { return try ecKey() }
    _ = try curve(["X25519"])
    return try PublicKey(x25519: octets("x"))
  }

  /// - Throws: `key.unreadable`, `key.unsupported`, `key.weak`.
  mutating func ecKey() throws(TokenError) -> PublicKey {
    guard let type = self["kty"], type.string == "EC" else {
      throw TokenError(
        .unsupportedKey, node: "kty", expected: "EC or OKP",
        found: self["kty"]?.string.map { TokenError.excerpt($0) } ?? "nothing")
    }
    let curve = try curve(["P-256", "P-384", "P-521"])
    let x = try coordinate("x", curve)
    let y = try coordinate("y", curve)
    guard let key = try? PublicKey(ecCurve: curve, x: x, y: y) else {
      throw TokenError(
        .weakKey, node: "x, y", expected: "a point on \(curve)", found: "one beside the curve",
        hint: Self.hint)
    }
    return key
  }

  func curve(_ known: [String]) throws(TokenError) -> String {
    let name = self["crv"]?.string
    guard let name, known.contains(name) else {
      throw TokenError(
        .unsupportedKey, node: "crv", expected: known.joined(separator: ", "),
        found: name.map { TokenError.excerpt($0) } ?? "nothing")
    }
    return name
  }

  /// A coordinate, as wide as the curve (RFC 7518, 6.2.1.2): it is a number, so leading zeros
  /// neither add to it nor are missed.
  mutating func coordinate(_ name: String, _ curve: String) throws(TokenError) -> [UInt8] {
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
  mutating func octets(_ name: String) throws(TokenError) -> [UInt8] {
    guard let value = self[name], let text = value.string else {
      throw TokenError(
        .unreadableKey, node: name, expected: "base64url",
        found: self[name]?.kindName ?? "nothing", hint: Self.hint)
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

  static let hint =
    "compare the key with the issuer's own copy; the issuer must write it as RFC 7518, 6 has it"
}
