import Settings
import TokenBasics

extension TrustFileReader {
  /// Reads an issuer whose keys are at an address, or that is asked about its tokens.
  ///
  /// - Returns: no entry: a registry fetches the keys.
  mutating func readRemote(_ issuer: SettingsObject) -> [TrustedIssuer] {
    let name = issuerName(issuer)
    let source = readSource(issuer, name)
    declareIdentifier(issuer)
    let (algorithms, exceptions) = readAlgorithms(issuer)
    let projection = projection(issuer)
    let rules = readAccessTokenRules(issuer)
    guard let json = issuer.json else { return [] }
    if let list = json["algorithms"] {
      let secrets = algorithms?.contains { $0.family == .hmac || $0.isLegacy } ?? false
      if secrets || !exceptions.isEmpty {
        file.refuse(list, "algorithms with a public key, and no exception")
      }
    }
    guard let name, let source else { return [] }
    if case .introspection = source, remoteIssuers.contains(where: { $0.isAsked }) {
      file.refuse(json, "one issuer with introspection: tokens are shown to no other")
    }
    claim(name, [.jwt], json)
    let id = json["id"].flatMap { identifier($0, of: [Array(name.utf8)]) }
    remoteIssuers.append(
      RemoteIssuer(
        name: name, id: id, source: source, algorithms: algorithms, projection: projection,
        rules: rules))
    return []
  }

  /// `"type": "at+jwt"`, `"idTokens": true`, `"signInAssertions": true`, `"audience": "optional"` and further names of claims.
  mutating func readAccessTokenRules(_ issuer: SettingsObject) -> AccessTokenRules {
    var rules = AccessTokenRules()
    let type = issuer.value(
      "type",
      "`at+jwt`: a bearer token has to name that type and to have the members of RFC 9068, for services that take bearer "
        + "tokens",
      .schema(#"{"const": "at+jwt"}"#), without: "any type of an access token")
    if let type {
      rules.demandsType = type.string == "at+jwt"
      if !rules.demandsType { file.refuse(type, "at+jwt") }
    }
    rules.acceptsIDTokens = issuer.flag(
      "idTokens",
      "`true`: such a service takes ID tokens too ([gate.md](gate.md#bearer-tokens) says how it tells them)"
    )
    rules.acceptsSignInAssertions = issuer.flag(
      "signInAssertions",
      "`true`: such a service takes an assertion of SAML 2.0 as a bearer token although it answers a sign-in request "
        + "(`InResponseTo`) or names another `Recipient`")
    let audience = issuer.value(
      "audience",
      "`optional`, beside `introspection`: such a service takes a token for which the issuer answers no `aud` (RFC 7662, 2.2), but "
        + "not at a `resource`. An `aud` that is there has to be ours",
      .schema(#"{"const": "optional"}"#), without: "the answer needs an `aud`")
    if let audience {
      rules.acceptsNoAudience = audience.string == "optional"
      if !rules.acceptsNoAudience { file.refuse(audience, "optional") }
      if issuer.json?["introspection"] == nil {
        file.refuse(audience, "none without introspection, where tokens name their audience")
      }
    }
    let claims = issuer.value(
      "claims",
      "more names of claims in the issuer's tokens, for rules and headers of a service "
        + "([claim-names.md](claim-names.md#names-of-one-provider))",
      .schema(
        #"""
        {"type": "object", "propertyNames": {"minLength": 1},
         "description": "Further names of claims: members, types, and paths into nested members.",
         "additionalProperties": {"anyOf": [{"type": "string", "minLength": 1},
          {"type": "array", "minItems": 1, "items": {"anyOf": [{"type": "string", "minLength": 1},
           {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 2}]}}]}}
        """#), without: "none")
    rules.claimSources = ClaimSources(claims) { file.refuse($0, $1) }
    return rules
  }

  private mutating func readSource(
    _ issuer: SettingsObject, _ name: String?
  ) -> RemoteIssuer.Source? {
    let openID = issuer.value(
      "openID",
      "`true`: the keys are those of the issuer's configuration, below its name at `/.well-known/openid-configuration`; "
        + "it need not sign anybody in (GitHub Actions, Kubernetes)", .yes)
    let keysAt = issuer.value(
      "keysAt", "the address of a JWK set, https or on loopback", .text(pattern: "^https?://"))
    let introspection = readIntrospection(issuer)
    issuer.rule(
      #"{"oneOf": [{"required": ["openID"]}, {"required": ["keysAt"]}, {"required": ["introspection"]}]}"#
    )
    guard let json = issuer.json else { return nil }
    guard RemoteIssuer.members.count(where: { json[$0] != nil }) == 1 else {
      file.refuse(json, "one of openID, keysAt, introspection and keys")
      return nil
    }
    if let openID {
      guard openID.bool == true else {
        file.refuse(openID, "true")
        return nil
      }
      guard let name, Self.isAddress(name) else {
        if let value = json["name"], name != nil {
          file.refuse(value, "an https address, below which the configuration is")
        }
        return nil
      }
      return .discovery
    }
    if let keysAt { return address(keysAt).map { .keySet($0) } }
    return introspection
  }

  private mutating func readIntrospection(_ issuer: SettingsObject) -> RemoteIssuer.Source? {
    let words =
      "the issuer is asked about its opaque tokens (RFC 7662), and about JWTs that name it. One issuer at most"
    guard let asked = issuer.object("introspection", words) else { return nil }
    let at = asked.value(
      "at", "the address that is asked", .text(pattern: "^https?://"), required: true)
    let client = asked.text("clientID", "the client by which the issuer knows us", required: true)
    let secret = asked.value(
      "clientSecret", "a file with the secret: `file:NAME`", .text(pattern: "^file:."))
    var name: String?
    if let secret {
      guard let text = secret.string, text.utf8.starts(with: "file:".utf8), text.utf8.count > 5
      else {
        // It may be the secret itself.
        file.refuseSecret(secret, "file:NAME")
        return nil
      }
      name = String(text.dropFirst(5))
    }
    guard let at, let client, let address = address(at) else { return nil }
    return .introspection(address: address, clientID: client, secretFile: name)
  }

  private mutating func address(_ json: JSONValue) -> String? {
    guard let text = json.string, Self.isAddress(text) else {
      file.refuse(json, "an https address, or http on loopback")
      return nil
    }
    return text
  }

  /// Whether a text may be an address; who fetches from it reads it as one.
  private static func isAddress(_ text: String) -> Bool {
    let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    return isPlain
      && ["https://", "http://127.0.0.1", "http://[::1]", "http://localhost"].contains {
        text.utf8.starts(with: $0.utf8)
      }
  }

  // MARK: Limits

  /// Bounds of the work for one token, each within what a machine bears.
  mutating func readLimits(_ object: SettingsObject) -> Limits {
    var limits = Limits()
    typealias Field = (String, WritableKeyPath<Limits, Int>, Int, String)
    let fields: [Field] = [
      ("bytes", \.bytes, Limits.hardByteLimit, "bytes of a token"),
      ("depth", \.depth, 200, "nested XML elements"),
      ("elements", \.elements, 1_000_000, "XML elements"),
      ("attributes", \.attributes, 1000, "attributes of an element"),
      ("names", \.names, 100_000, "different names of elements and attributes"),
      ("namespaces", \.namespaces, 500, "namespaces in scope at an element"),
      ("references", \.references, 1000, "references of the XML signatures"),
      ("transforms", \.transforms, 10, "transforms of a reference"),
      ("inclusivePrefixes", \.inclusivePrefixes, 500, "prefixes in a `PrefixList`"),
      ("encryptedKeys", \.encryptedKeys, 100, "encrypted keys beside one `EncryptedData`"),
      (
        "privateKeyOperations", \.privateKeyOperations, 100,
        "operations with private keys for one token"
      ),
      (
        "inflatedBytes", \.inflatedBytes, Limits.hardByteLimit,
        "bytes of a compressed token, once inflated"
      ),
      ("pairs", \.pairs, 10_000, "pairs of a Simple Web Token"),
      ("jsonDepth", \.jsonDepth, 256, "nested JSON values"),
      ("jsonMembers", \.jsonMembers, 100_000, "members of a JSON object"),
    ]
    for (name, path, most, words) in fields {
      let value = object.value(
        name, words, .whole(1...most), without: "\(limits[keyPath: path])")
      guard let value else { continue }
      guard let number = value.integer, (1...most).contains(number) else {
        file.report(TokenError(.limitOutOfRange, expected: "1 to \(most)"), at: value)
        continue
      }
      limits[keyPath: path] = number
    }
    return limits
  }
}

extension RemoteIssuer {
  /// Whether the issuer is asked about each token.
  fileprivate var isAsked: Bool { if case .introspection = source { true } else { false } }
}
