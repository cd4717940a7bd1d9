import SecurityKeys
import TokenBasics

/// Makes the variants of a compact JSON Web Token.
struct JWTMutator {
  let header: ObjectText
  let payload: ObjectText
  let signature: [UInt8]
  let endpoint: Endpoint
  let key: IssuerKey?
  let list: MutationList
  private let parts: [String]

  init?(
    _ octets: [UInt8], _ endpoint: Endpoint, _ key: IssuerKey?,
    _ receive: @escaping (Mutation) -> Void
  ) {
    let text = String(decoding: octets, as: UTF8.self)
    parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3,
      let header = (try? Base64.decode(Array(parts[0].utf8).span, .url)).flatMap(ObjectText.init),
      let payload = (try? Base64.decode(Array(parts[1].utf8).span, .url)).flatMap(ObjectText.init),
      let signature = try? Base64.decode(Array(parts[2].utf8).span, .url)
    else { return nil }
    self.header = header
    self.payload = payload
    self.signature = signature
    self.endpoint = endpoint
    self.key = key
    list = MutationList(original: octets, receive)
  }

  func all() {
    addSignatures()
    addAlgorithms()
    addParts()
    addHeaders()
    addPayloads()
    if key != nil { addSealed() }
  }

  /// The algorithm's family, by the first letters of its name.
  var family: SignatureAlgorithm.Family? {
    switch header.string("alg")?.prefix(2) {
    case "RS": .rsaPKCS1
    case "PS": .rsaPSS
    case "ES": .ecdsa
    case "HS": .hmac
    case "Ed": .ed25519
    default: nil
    }
  }

  func compact(_ header: String?, _ payload: String?, _ signature: String? = nil) -> [UInt8] {
    let encoded = [header, payload].map { $0.map { Base64.encode(Array($0.utf8), .url) } }
    return Array(
      "\(encoded[0] ?? parts[0]).\(encoded[1] ?? parts[1]).\(signature ?? parts[2])".utf8)
  }

  // MARK: Signatures

  private func addSignatures() {
    list.add(
      "signature/removed", "the third part is empty", ["JWT-1"], .signatureMissing,
      compact(nil, nil, ""))
    let width = signature.count
    for (label, position) in [("first", 0), ("middle", width / 2), ("last", width - 1)] {
      var changed = signature
      changed[position] ^= 1
      list.add(
        "signature/flip-\(label)", "one bit of the signature is flipped", ["DSIG-13"],
        .signatureInvalid, compact(nil, nil, Base64.encode(changed, .url)))
    }
    for (label, changed) in [
      ("cut", Array(signature.dropLast())), ("half", Array(signature.prefix(width / 2))),
      ("longer", signature + [0]), ("zero", [UInt8](repeating: 0, count: width)), ("byte", [0]),
    ] {
      list.add(
        "signature/\(label)", "the signature is cut, longer or zero", ["JWT-8", "CRY-7"],
        .signatureInvalid, compact(nil, nil, Base64.encode(changed, .url)))
    }
  }

  private func addAlgorithms() {
    for name in ["none", "None", "NONE", "nOnE", "none ", "", "RS1", "HS1", "rs256", "RS256 "] {
      let forged = compact(
        header.setting("alg", quoted(name)), payload.setting("role", "\"admin\""))
      list.add(
        "algorithm/\(name.isEmpty ? "empty" : name.replacing(" ", with: "-space"))-\(name.utf8.count)",
        "the header names no algorithm", ["JWT-2", "JWT-1"], .unknownSignatureAlgorithm, forged)
    }
    for spelling in ["none", "None", "NONE"] {
      list.add(
        "algorithm/\(spelling)-unsigned", "the header declares no signature", ["JWT-1"],
        .signatureMissing,
        compact(
          header.setting("alg", quoted(spelling)), payload.setting("role", "\"admin\""), ""))
    }
    for (name, other) in [
      ("HS256", SignatureAlgorithm.Family.hmac), ("RS256", .rsaPKCS1), ("PS256", .rsaPSS),
      ("ES256", .ecdsa), ("EdDSA", .ed25519),
    ] where other != family {
      guard !(isRSA(other) && isRSA(family)) else { continue }
      list.add(
        "algorithm/\(name)", "the algorithm is of another kind of key", ["JWT-3", "JWT-4"],
        .algorithmKeyMismatch, compact(header.setting("alg", quoted(name)), nil))
    }
    addKeyConfusion()
    addAttacker()
  }

  private func isRSA(_ family: SignatureAlgorithm.Family?) -> Bool {
    family == .rsaPKCS1 || family == .rsaPSS
  }

  /// A MAC whose secret is the published public key (CVE-2015-9235).
  private func addKeyConfusion() {
    guard case .privateKey(let key) = key, family != .hmac else { return }
    for (label, secret) in PublicKeyText.spellings(of: key.publicKey) {
      guard let mac = try? SymmetricKey(bytes: secret) else { continue }
      list.add(
        "confusion/\(label)", "the claims are forged under a MAC of the public key", ["JWT-3"],
        .algorithmKeyMismatch,
        signed(
          header.setting("alg", "\"HS256\""), payload.setting("role", "\"admin\"")
        ) { mac.authenticate($0.span, with: .sha256) })
    }
  }

  /// A foreign key's signature, with the key that verifies it.
  private func addAttacker() {
    guard let attacker = AttackerKey.key else { return }
    let sign = { (message: [UInt8]) -> [UInt8]? in
      Sealer(attacker).signature(over: message, .rsaSHA256)
    }
    let forged = payload.setting("role", "\"admin\"")
    let expected: TokenError.Code = isRSA(family) ? .signatureInvalid : .algorithmKeyMismatch
    let base = ObjectText(Array(header.setting("alg", "\"RS256\"").utf8)) ?? header
    for (label, name, value) in [
      ("plain", "typ", "\"JWT\""), ("x5c", "x5c", "[\"\(AttackerKey.certificate)\"]"),
      ("jku", "jku", "\"http://127.0.0.1:9/jwks\""), ("x5u", "x5u", "\"http://127.0.0.1:9/x\""),
      ("jwk", "jwk", "{\"kty\":\"oct\",\"k\":\"AAAA\"}"),
    ] {
      list.add(
        "key/attacker-\(label)", "another key signed forged claims and is in the token",
        ["JWT-6", "JWT-7"], expected, signed(base.setting(name, value), forged, sign))
    }
  }

  func signed(
    _ header: String, _ payload: String, _ sign: ([UInt8]) -> [UInt8]?
  ) -> [UInt8]? {
    let message =
      Base64.encode(Array(header.utf8), .url) + "." + Base64.encode(Array(payload.utf8), .url)
    return sign(Array(message.utf8)).map { Array("\(message).\(Base64.encode($0, .url))".utf8) }
  }

  // MARK: Parts and encodings

  private typealias Change = (
    name: String, attacks: [String], code: TokenError.Code, text: String
  )

  private func addParts() {
    let (head, body, tail) = (parts[0], parts[1], parts[2])
    let broken: [Change] = [
      ("two", ["JWT-9"], .jwsParts, "\(head).\(body)"),
      ("four", ["JWT-9"], .jwsParts, "\(head).\(body).\(tail).\(tail)"),
      ("no-payload", ["JWT-15"], .jwsParts, "\(head)..\(tail)"),
      ("trailing-dot", ["JWT-9"], .jwsParts, "\(head).\(body).\(tail)."),
    ]
    for (label, attacks, code, text) in broken {
      list.add(
        "parts/\(label)", "there are not three parts", attacks, code, Array(text.utf8))
    }
    for (name, index) in [("payload", 1), ("signature", 2)] {
      let part = parts[index]
      let middle = part.index(part.startIndex, offsetBy: part.count / 2)
      func inserted(_ piece: String) -> String {
        String(part[..<middle]) + piece + String(part[middle...])
      }
      let tricks: [(label: String, text: String)] = [
        ("padding", part + "="), ("padding-four", part + "===="),
        ("standard-alphabet", inserted("+")), ("line-feed", inserted("\n")),
        ("space", part + " "), ("asterisk", inserted("*")), ("percent", inserted("%41")),
      ]
      for (label, changed) in tricks {
        var copy = parts
        copy[index] = changed
        // As much padding as the digits need has a code of its own.
        let isPadded = label == "padding" && changed.utf8.count % 4 == 0
        list.add(
          "encoding/\(name)-\(label)", "the \(name) is not canonical base64url", ["JWT-10"],
          isPadded ? .jwsPadding : .malformedBase64, Array(copy.joined(separator: ".").utf8))
      }
    }
  }

  // MARK: Header and payload

  private func addHeaders() {
    let headers: [Change] = [
      ("crit", ["JWT-11"], .criticalHeader, header.setting("crit", "[\"exp\"]")),
      ("b64", ["JWT-12"], .criticalHeader, header.setting("b64", "false")),
      ("duplicate-alg", ["JWT-17"], .duplicateJSONName, header.duplicating("alg", "\"none\"")),
      ("no-alg", ["JWT-2"], .jsonMember, header.removing("alg")),
      ("numeric-alg", ["JWT-2"], .jsonMember, header.setting("alg", "0")),
      ("numeric-kid", ["JWT-5"], .jsonMember, header.setting("kid", "[1]")),
      ("array", ["JWT-16"], .jsonMember, "[\(header.text)]"),
      ("trailing-comma", ["JWT-16"], .malformedJSON, String(header.text.dropLast()) + ",}"),
      ("comment", ["JWT-16"], .malformedJSON, header.text + "//x"),
      ("unknown-parameter", ["JWT-8"], .signatureInvalid, header.setting("evil", "1")),
    ]
    for (label, attacks, code, text) in headers {
      list.add(
        "header/\(label)", "the header is changed", attacks, code, compact(text, nil))
    }
  }

  private func addPayloads() {
    let person = JSONWriter.literal(endpoint.attacker ?? "admin")
    let payloads: [Change] = [
      ("role", ["JWT-8"], .signatureInvalid, payload.setting("role", "\"admin\"")),
      ("sub", ["JWT-8"], .signatureInvalid, payload.setting("sub", person)),
      ("white-space", ["JWT-8"], .signatureInvalid, " " + payload.text),
      (
        "duplicate-sub", ["JWT-17", "JWT-18"], .duplicateJSONName,
        payload.duplicating("sub", person)
      ),
      ("duplicate-iss", ["JWT-17"], .duplicateJSONName, payload.duplicating("iss", "\"evil\"")),
      (
        "duplicate-escaped", ["JWT-18"], .duplicateJSONName,
        payload.duplicating("iss", "\"evil\"", spelled: "\\u0069ss")
      ),
      ("array", ["JWT-16"], .jsonMember, "[\(payload.text)]"),
      ("string", ["JWT-16"], .jsonMember, JSONWriter.literal(endpoint.attacker ?? Forgery.subject)),
      ("cut", ["JWT-16"], .malformedJSON, String(payload.text.dropLast())),
      ("trailing", ["JWT-16"], .malformedJSON, payload.text + "x"),
      ("two-objects", ["JWT-16"], .malformedJSON, payload.text + payload.text),
      ("single-quotes", ["JWT-16"], .malformedJSON, "{'iss':'evil'}"),
      ("not-a-number", ["TIME-14"], .malformedJSON, payload.setting("exp", "NaN")),
      ("numeric-iss", ["JWT-19"], .jsonMember, payload.setting("iss", "1")),
      ("empty-iss", ["JWT-19"], .jsonMember, payload.setting("iss", "\"\"")),
      ("object-aud", ["JWT-20"], .jsonMember, payload.setting("aud", "{}")),
      ("numeric-aud", ["JWT-20"], .jsonMember, payload.setting("aud", "[1]")),
      ("string-exp", ["TIME-13"], .malformedTime, payload.setting("exp", "\"4070908800\"")),
      ("exponent-exp", ["TIME-13"], .malformedTime, payload.setting("exp", "1e99")),
      ("negative-exp", ["TIME-13"], .signatureInvalid, payload.setting("exp", "-1")),
      ("huge-exp", ["TIME-13"], .malformedTime, payload.setting("exp", "99999999999999999999")),
      ("boolean-nbf", ["TIME-13"], .malformedTime, payload.setting("nbf", "true")),
    ]
    for (label, attacks, code, text) in payloads {
      list.add(
        "payload/\(label)", "the payload is changed", attacks, code, compact(nil, text))
    }
    let depth = Limits().jsonDepth
    let deep = String(repeating: "[", count: depth + 1) + String(repeating: "]", count: depth + 1)
    list.add(
      "limit/depth", "the payload is nested deeper than the default limit allows", ["DOS-1"],
      .jsonTooDeep, compact(nil, payload.setting("evil", deep)))
  }

  func quoted(_ text: String) -> String { "\"\(text)\"" }
}

/// The text of a JSON object, member by member.
struct ObjectText {
  let text: String
  private let members: [(name: String, value: String)]
  private let json: JSONValue

  /// Nil for text that is no object.
  init?(_ octets: [UInt8]) {
    guard let json = try? JSONParser.parse(octets), let members = json.members
    else { return nil }
    self.json = json
    text = String(decoding: octets, as: UTF8.self)
    self.members = members.map {
      ($0.name, String(decoding: octets[$0.value.range], as: UTF8.self))
    }
  }

  func string(_ name: String) -> String? { json[name]?.string }

  /// The text of a member that is an object.
  func object(_ name: String) -> String? {
    json[name]?.members == nil ? nil : members.first { $0.name == name }?.value
  }

  /// The object with another value of one member, which is added when it is not there.
  func setting(_ name: String, _ value: String) -> String { settingAll([(name, value)]) }

  func settingAll(_ changes: [(name: String, value: String)]) -> String {
    var changed = members
    for (name, value) in changes {
      if let index = changed.firstIndex(where: { $0.name == name }) {
        changed[index].value = value
      } else {
        changed.append((name, value))
      }
    }
    return object(changed.map { (JSONWriter.literal($0.name), $0.value) })
  }

  func removing(_ name: String) -> String {
    object(members.filter { $0.name != name }.map { (JSONWriter.literal($0.name), $0.value) })
  }

  /// The object with one more member of that name, added twice where it does not exist.
  func duplicating(_ name: String, _ value: String, spelled: String? = nil) -> String {
    let isThere = members.contains { $0.name == name }
    let own = members.map { (JSONWriter.literal($0.name), $0.value) }
    let copy = ("\"\(spelled ?? name)\"", value)
    return object(own + (isThere ? [] : [(JSONWriter.literal(name), value)]) + [copy])
  }

  private func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\($0.0):\($0.1)" }.joined(separator: ",") + "}"
  }
}
