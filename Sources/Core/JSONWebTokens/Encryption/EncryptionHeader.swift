import Octets
import SecurityKeys
import TokenBasics

/// The protected header of a JSON Web Encryption (RFC 7516, 4). Nothing of it is proved before the token inside is
/// verified; keys that it contains or points to (`jwk`, `jku`, `x5c`, `x5u`) are ignored.
struct EncryptionHeader: Sendable {
  let algorithm: KeyManagement
  let encryption: ContentEncryption
  /// `kid`: a hint which of our keys is meant.
  let keyID: String?
  /// `cty`: the type of the content.
  let contentType: String?
  let ephemeral: PublicKey?
  let parties: (u: [UInt8], v: [UInt8])
  let iv: [UInt8]
  let tag: [UInt8]

  /// - Throws: `input.*`, `policy.critical-header`, `encryption.algorithm`, `encryption.compressed`,
  ///   `encryption.parts`.
  init(parsing decoded: [UInt8], _ limits: Limits) throws(TokenError) {
    let json = try JSONParser.parse(decoded, limits: limits)
    guard json.members != nil else {
      throw TokenError(.jsonMember, node: "header", expected: "an object", found: json.kindName)
    }
    // RFC 7516, 4.1.13: unsupported critical parameters must be rejected; none is supported.
    if json["crit"] != nil { throw TokenError(.criticalHeader, node: "header.crit") }
    if let zip = json["zip"] {
      throw TokenError(
        .compressedEncryption, node: "header.zip", expected: "no zip",
        found: zip.string.map { TokenError.excerpt($0) } ?? zip.kindName)
    }
    algorithm = try Self.named(json, "alg", KeyManagement.init(rawValue:), Self.algorithms)
    encryption = try Self.named(
      json, "enc", ContentEncryption.init(rawValue:), ContentEncryption.allCases.map(\.name))
    keyID = try Self.string(json, "kid")
    contentType = try Self.string(json, "cty")
    ephemeral = try Self.ephemeral(json, for: algorithm)
    parties = (try Self.octets(json, "apu"), try Self.octets(json, "apv"))
    iv = try Self.octets(json, "iv")
    tag = try Self.octets(json, "tag")
    if case .sealed(let cipher) = algorithm.method {
      guard iv.count == cipher.ivLength, tag.count == cipher.tagLength else {
        throw TokenError(
          .encryptionParts, node: "header.iv, tag",
          expected: "\(cipher.ivLength) and \(cipher.tagLength) bytes",
          found: "\(iv.count) and \(tag.count) bytes")
      }
    }
  }

  private static let algorithms = KeyManagement.allCases.filter { $0.exception == nil }.map(\.name)

  /// - Throws: `input.json-member`, `encryption.algorithm`.
  private static func named<Algorithm>(
    _ json: JSONValue, _ member: String, _ find: (String) -> Algorithm?, _ names: [String]
  ) throws(TokenError) -> Algorithm {
    guard let name = try string(json, member) else {
      throw TokenError(
        .jsonMember, node: "header.\(member)", expected: "a string", found: "nothing")
    }
    // String comparison equates compositions; the names are ASCII.
    guard name.utf8.allSatisfy({ $0 < 0x80 }), let algorithm = find(name) else {
      let hint =
        name.hasPrefix("PBES2")
        ? "encryption with a password is refused: have the issuer encrypt to your public key" : nil
      throw TokenError(
        .encryptionAlgorithm, node: "header.\(member)", expected: names.joined(separator: ", "),
        found: TokenError.excerpt(name), hint: hint)
    }
    return algorithm
  }

  /// The sender's key, which is checked to be on its curve before it is used with ours (RFC 7518, 4.6.1.1).
  ///
  /// - Throws: `encryption.algorithm`.
  private static func ephemeral(
    _ json: JSONValue, for algorithm: KeyManagement
  ) throws(TokenError) -> PublicKey? {
    guard case .agreement = algorithm.method else { return nil }
    do throws(TokenError) {
      guard let value = json["epk"] else { throw TokenError(.unreadableKey, found: "nothing") }
      var members = try JSONWebKeyMembers(value)
      guard members["d"] == nil else { throw TokenError(.privateKey, found: "a private key") }
      return try members.agreementKey()
    } catch {
      throw TokenError(
        .encryptionAlgorithm, node: "header.epk",
        expected: "a public key on P-256, P-384, P-521 or X25519",
        found: [error.node, error.found].compactMap { $0 }.joined(separator: ": "))
    }
  }

  /// - Throws: `input.json-member`.
  private static func string(_ json: JSONValue, _ name: String) throws(TokenError) -> String? {
    guard let value = json[name] else { return nil }
    guard let text = value.string else {
      throw TokenError(
        .jsonMember, node: "header.\(name)", expected: "a string", found: value.kindName)
    }
    return text
  }

  /// - Throws: `input.json-member`, `input.base64`, `encryption.parts`.
  private static func octets(_ json: JSONValue, _ name: String) throws(TokenError) -> [UInt8] {
    guard let text = try string(json, name) else { return [] }
    let octets: [UInt8]
    do throws(TokenError) {
      octets = try Base64.decode(Array(text.utf8).span, .url)
    } catch {
      throw error.within("header.\(name)")
    }
    guard octets.count <= parameterLimit else {
      throw TokenError(
        .encryptionParts, node: "header.\(name)", expected: "at most \(parameterLimit) bytes",
        found: "\(octets.count) bytes")
    }
    return octets
  }

  /// In bytes: names of parties and nonces have a few dozen.
  private static let parameterLimit = 1024
}
