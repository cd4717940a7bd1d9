import SecurityKeys
import TokenBasics

/// The credential file on disk: JSON with the key derivation and the encrypted content.
///
///     {"format":"sealed-credentials","version":1,"kdf":"scrypt","cost":131072,"salt":"…",
///      "key":"…","content":"…"}
///
/// Everything before `content` is authenticated with it, so a changed parameter is detected.
struct SealedContent {
  /// The derivation of the key from a passphrase; nil for a given key.
  let derivation: Scrypt?
  /// Distinguishes a wrong key from a damaged file.
  let keyCheck: [UInt8]
  let content: [UInt8]

  static let version = 1
  private static let format = "sealed-credentials"
  /// The beginning of every credential file, also of a damaged one.
  private static let mark = "{\"format\":\"\(format)\","

  init?(sealing octets: [UInt8], key: SealingKey, derivation: Scrypt?) {
    self.derivation = derivation
    keyCheck = key.checkValue
    let context = Self.header(derivation, keyCheck)
    guard let content = key.seal(octets, context: context) else { return nil }
    self.content = content
  }

  /// - Parameter highest: The maximum scrypt cost that is accepted.
  /// - Throws: `session.store-foreign`, `session.store-version`, `session.store-cost`; any other error
  ///   means damage.
  init(reading octets: [UInt8], cost highest: Int) throws(TokenError) {
    guard octets.starts(with: Self.mark.utf8) else { throw TokenError(.sessionStoreForeign) }
    let json = try JSONParser.parse(octets)
    guard json["format"]?.string == Self.format, let version = json["version"]?.integer,
      version > 0
    else { throw TokenError(.malformedJSON) }
    guard version <= Self.version else {
      throw TokenError(
        .sessionStoreVersion, expected: "\(Self.version) or less", found: "\(version)")
    }
    let text = { (name: String) throws(TokenError) in
      try StoredCredentials.string(json[name], name)
    }
    switch try text("kdf") {
    case "none":
      derivation = nil
    case "scrypt":
      guard let cost = json["cost"]?.integer else { throw TokenError(.jsonMember, node: "cost") }
      guard cost <= highest else {
        throw TokenError(.sessionStoreCost, expected: "\(highest) or less", found: "\(cost)")
      }
      guard let scrypt = Scrypt(cost: cost, salt: try Base64.decode(try text("salt").utf8))
      else { throw TokenError(.jsonMember, node: "cost") }
      derivation = scrypt
    default:
      throw TokenError(.jsonMember, node: "kdf")
    }
    keyCheck = try Base64.decode(try text("key").utf8)
    content = try Base64.decode(try text("content").utf8)
  }

  /// The plaintext; nil if authentication fails.
  func open(with key: SealingKey) -> [UInt8]? {
    key.open(content, context: Self.header(derivation, keyCheck))
  }

  var octets: [UInt8] {
    var file = Self.header(derivation, keyCheck)
    file += Array((Base64.encode(content) + "\"}\n").utf8)
    return file
  }

  /// The file up to the first octet of the encrypted content.
  private static func header(_ derivation: Scrypt?, _ keyCheck: [UInt8]) -> [UInt8] {
    var text = "\(mark)\"version\":\(version),"
    if let derivation {
      text += "\"kdf\":\"scrypt\",\"cost\":\(derivation.cost),"
      text += "\"salt\":\"\(Base64.encode(derivation.salt))\","
    } else {
      text += "\"kdf\":\"none\","
    }
    return Array((text + "\"key\":\"\(Base64.encode(keyCheck))\",\"content\":\"").utf8)
  }
}
