import Claims
import JSONWebTokens
import SecurityKeys
import TokenBasics

/// Makes the variants of a JSON Web Token that is encrypted.
struct EncryptedJWTMutator {
  private let encrypted: JSONWebEncryption
  private let header: ObjectText
  private let parts: [String]
  private let content: [UInt8]
  /// The endpoint, with the algorithms of the token; nil for those with which nothing is encrypted any more.
  private let recipient: JSONWebEncryptionRecipient?
  private let endpoint: Endpoint
  private let key: IssuerKey?
  private let list: MutationList

  /// - Throws: `encryption.no-key`, `encryption.failed` where the token cannot be decrypted.
  init(
    _ octets: [UInt8], _ endpoint: Endpoint, _ key: IssuerKey?, _ keys: [DecryptionKey],
    _ receive: @escaping (Mutation) -> Void
  ) throws(TokenError) {
    encrypted = try JSONWebEncryption(parsing: octets)
    guard !keys.isEmpty else { throw TokenError(.noDecryptionKey) }
    parts = String(decoding: octets, as: UTF8.self)
      .split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let decoded = try Base64.decode(Array((parts.first ?? "").utf8).span, .url)
    guard let header = ObjectText(decoded),
      let (content, opening) = encrypted.opened(keys, exceptions: [.rsaPKCS1Encryption])
    else { throw TokenError(.decryptionFailed) }
    self.header = header
    self.content = content
    recipient = try? JSONWebEncryptionRecipient(opening, like: encrypted)
    self.endpoint = endpoint
    self.key = key
    list = MutationList(original: octets, receive)
  }

  func all() {
    addCiphertexts()
    addParts()
    addHeaders()
    addAlgorithms()
    addSenderKeys()
    addInside()
  }

  /// The token with other parts, by their places.
  private func compact(_ changed: [Int: String]) -> [UInt8] {
    let all = parts.indices.map { changed[$0] ?? parts[$0] }
    return Array(all.joined(separator: ".").utf8)
  }

  private func octets(_ place: Int) -> [UInt8] {
    (try? Base64.decode(Array(parts[place].utf8).span, .url)) ?? []
  }

  private static let names = ["header", "key", "iv", "ciphertext", "tag"]

  private func addCiphertexts() {
    for place in 1...4 {
      let value = octets(place)
      let ends = [("first", 0), ("last", value.count - 1)]
      for (label, position) in ends where value.indices.contains(position) {
        var changed = value
        changed[position] ^= 1
        list.add(
          "encryption/\(Self.names[place])-flip-\(label)",
          "one bit of the \(Self.names[place]) is flipped", ["JWT-15"], .decryptionFailed,
          compact([place: Base64.encode(changed, .url)]))
      }
    }
    list.add(
      "encryption/ciphertext-empty", "the ciphertext is empty", ["JWT-15"], .decryptionFailed,
      compact([3: ""]))
    for (place, changed) in [
      (2, Array(octets(2).dropLast())), (2, octets(2) + [0]), (2, []),
      (4, Array(octets(4).dropLast())), (4, [octets(4).first ?? 0]), (4, []), (4, octets(4) + [0]),
    ] {
      list.add(
        "encryption/\(Self.names[place])-\(changed.count)-bytes",
        "the \(Self.names[place]) has another length", ["JWT-15"], .encryptionParts,
        compact([place: Base64.encode(changed, .url)]))
    }
    list.add(
      "encryption/key-\(octets(1).isEmpty ? "added" : "removed")",
      "the encrypted key is there where none belongs, or is not there", ["JWT-15"],
      .encryptionParts,
      compact([1: octets(1).isEmpty ? Base64.encode([0x42, 0x42], .url) : ""]))
  }

  private func addParts() {
    let whole = parts.joined(separator: ".")
    for (label, text) in [
      ("four", parts.dropLast().joined(separator: ".")), ("six", whole + "." + parts[4]),
      ("no-header", "." + parts.dropFirst().joined(separator: ".")),
    ] {
      list.add(
        "parts/\(label)", "there are not five parts", ["JWT-11"], .jwsParts, Array(text.utf8))
    }
    for place in 2...4 {
      list.add(
        "encoding/\(Self.names[place])-space",
        "the \(Self.names[place]) is not canonical base64url",
        ["JWT-11"], .malformedBase64, compact([place: parts[place] + " "]))
    }
  }

  private func headed(_ text: String) -> [UInt8] {
    compact([0: Base64.encode(Array(text.utf8), .url)])
  }

  private func addHeaders() {
    let headers: [(String, [String], TokenError.Code, String)] = [
      ("crit", ["JWT-8"], .criticalHeader, header.setting("crit", "[\"exp\"]")),
      ("zip", ["DOS-11"], .compressedEncryption, header.setting("zip", "\"DEF\"")),
      ("cty", ["JWT-15"], .encryptedContentType, header.setting("cty", "\"text/plain\"")),
      ("duplicate-alg", ["JWT-17"], .duplicateJSONName, header.duplicating("alg", "\"dir\"")),
      ("no-alg", ["JWT-2"], .jsonMember, header.removing("alg")),
      ("no-enc", ["JWT-2"], .jsonMember, header.removing("enc")),
      ("numeric-enc", ["JWT-2"], .jsonMember, header.setting("enc", "1")),
      ("numeric-kid", ["JWT-5"], .jsonMember, header.setting("kid", "[1]")),
      (
        "long-apu", ["JWT-15"], .encryptionParts,
        header.setting("apu", quoted(String(repeating: "A", count: 4_096)))
      ),
      ("array", ["JWT-16"], .jsonMember, "[\(header.text)]"),
      ("trailing-comma", ["JWT-16"], .malformedJSON, String(header.text.dropLast()) + ",}"),
      ("unknown-parameter", ["JWT-15"], .decryptionFailed, header.setting("evil", "1")),
      ("white-space", ["JWT-15"], .decryptionFailed, header.text + " "),
    ]
    for (label, attacks, code, text) in headers {
      list.add("header/\(label)", "the header is changed", attacks, code, headed(text))
    }
  }

  private func addAlgorithms() {
    for name in [
      "none", "RS256", "HS256", "PBES2-HS256+A128KW", "rsa-oaep", "RSA-OAEP ", "", "A128GCM",
    ] {
      list.add(
        "algorithm/alg-\(name.isEmpty ? "empty" : name.replacing(" ", with: "-space"))",
        "the header names no algorithm for a key", ["JWT-15"], .encryptionAlgorithm,
        headed(header.setting("alg", quoted(name))))
    }
    for name in ["none", "A128CBC", "A256GCMKW", "a256gcm", "C20P", ""] {
      list.add(
        "algorithm/enc-\(name.isEmpty ? "empty" : name)",
        "the header names no algorithm for the content", ["JWT-15"], .encryptionAlgorithm,
        headed(header.setting("enc", quoted(name))))
    }
    let own = ContentEncryption(rawValue: encrypted.algorithms.encryption)
    for other in ContentEncryption.allCases where other != own && !hasSecret {
      let fits = other.ivLength == own?.ivLength && other.tagLength == own?.tagLength
      list.add(
        "algorithm/enc-\(other.name)", "the header names another algorithm for the content",
        ["JWT-15"], fits ? .decryptionFailed : .encryptionParts,
        headed(header.setting("enc", quoted(other.name))))
    }
    if encrypted.algorithms.algorithm.hasPrefix("RSA-") {
      let other = encrypted.algorithms.algorithm == "RSA-OAEP" ? "RSA-OAEP-256" : "RSA-OAEP"
      list.add(
        "algorithm/alg-\(other)", "the header names another padding", ["JWT-15"],
        .decryptionFailed, headed(header.setting("alg", quoted(other))))
      list.add(
        "algorithm/alg-RSA1_5", "the header names a padding that leaks", ["ENC-7"],
        .legacyAlgorithm, headed(header.setting("alg", "\"RSA1_5\"")))
    }
  }

  /// With a secret the length of the key depends on the algorithm.
  private var hasSecret: Bool {
    !encrypted.algorithms.algorithm.hasPrefix("RSA")
      && !encrypted.algorithms.algorithm.hasPrefix("ECDH")
  }

  /// Points that are none, by which a careless reader gives away its key (CVE-2017-16007).
  private func addSenderKeys() {
    guard let value = header.object("epk"), let key = ObjectText(Array(value.utf8)) else { return }
    let curve = key.string("crv") ?? ""
    let width = curve == "P-521" ? 66 : curve == "P-384" ? 48 : 32
    let point = Base64.encode([UInt8](repeating: 1, count: width), .url)
    let zero = Base64.encode([UInt8](repeating: 0, count: width), .url)
    let isMontgomery = curve == "X25519"
    var keys: [(String, TokenError.Code, String)] = [
      ("none", .encryptionAlgorithm, header.removing("epk")),
      ("text", .encryptionAlgorithm, header.setting("epk", "\"\"")),
      ("private", .encryptionAlgorithm, header.setting("epk", key.setting("d", quoted(point)))),
      ("curve", .encryptionAlgorithm, header.setting("epk", key.setting("crv", "\"P-224\""))),
      (
        "zero", isMontgomery ? .decryptionFailed : .encryptionAlgorithm,
        header.setting("epk", key.setting("x", quoted(zero)))
      ),
    ]
    if !isMontgomery {
      keys.append(
        ("off-curve", .encryptionAlgorithm, header.setting("epk", key.setting("x", quoted(point)))))
    }
    for (label, code, text) in keys {
      list.add(
        "sender/\(label)", "the sender's key is none", ["JWT-15", "ENC-12"], code, headed(text))
    }
  }

  /// Other contents, encrypted to the endpoint, which needs no secret but where the two share one.
  private func addInside() {
    guard let recipient else { return }
    let seal = { (content: [UInt8]) in
      try? JSONWebEncryption.encrypt(content, contentType: "JWT", to: recipient)
    }
    list.add(
      "nested/twice", "the token is encrypted twice", ["JWT-13"], .nestedEncryption,
      seal(content).flatMap(seal))
    let inner = content.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if inner.count == 3, let claims = try? Base64.decode(Array(inner[1]).span, .url) {
      list.add(
        "nested/claims", "the claims are encrypted and not signed", ["JWT-13"], .signatureMissing,
        seal(claims))
    }
    if let other = AttackerKey.key,
      let attacker = try? JSONWebEncryptionRecipient(other.publicKey),
      encrypted.algorithms.algorithm.hasPrefix("RSA-OAEP-256")
    {
      list.add(
        "nested/other-recipient", "the token is encrypted to another recipient", ["ENC-16"],
        .decryptionFailed, try? JSONWebEncryption.encrypt(content, contentType: "JWT", to: attacker)
      )
    }
    let list = list
    let inside = JWTMutator(content, endpoint, key) { variant in
      list.add(
        variant.name + "-inside", variant.summary + ", and encrypted", variant.attacks + ["JWT-13"],
        variant.expected, issuerSigned: variant.isIssuerSigned, seal(variant.octets))
    }
    inside?.all()
  }

  private func quoted(_ text: String) -> String { "\"\(text)\"" }
}
