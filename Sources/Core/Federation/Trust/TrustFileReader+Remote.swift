import TokenBasics

extension TrustFileReader {
  /// Reads an issuer whose keys are at an address, or that is asked about its tokens.
  mutating func readRemote(_ json: JSONValue) {
    checkMembers(
      json,
      allowed: RemoteIssuer.members + [
        "id", "name", "algorithms", "claimsPrefix", "stripPrefix", "type", "idTokens",
        "signInAssertions", "claims",
      ], "an issuer whose keys are not in a file")
    let given = RemoteIssuer.members.compactMap { json[$0] }
    guard given.count == 1 else {
      errors.append(valueError(json, "one of openID, keysAt, introspection and keys"))
      return
    }
    guard let name = json["name"]?.string, !name.isEmpty else {
      errors.append(valueError(json["name"] ?? json, "a name"))
      return
    }
    if let warning = IssuerTemplate.warning(about: name) { warnings.append(warning) }
    let (algorithms, exceptions) = readAlgorithms(json["algorithms"])
    if let list = json["algorithms"] {
      let secrets = algorithms?.contains { $0.family == .hmac || $0.isLegacy } ?? false
      if secrets || !exceptions.isEmpty {
        errors.append(valueError(list, "algorithms with a public key, and no exception"))
      }
    }
    guard let source = readSource(json, name) else { return }
    if case .introspection = source, remoteIssuers.contains(where: { $0.isAsked }) {
      errors.append(valueError(json, "one issuer with introspection: tokens are shown to no other"))
    }
    claim(name, [.jwt], json)
    let id = json["id"].flatMap { identifier($0, of: [Array(name.utf8)]) }
    remoteIssuers.append(
      RemoteIssuer(
        name: name, id: id, source: source, algorithms: algorithms, projection: projection(json),
        rules: readAccessTokenRules(json)))
  }

  /// `"type": "at+jwt"`, `"idTokens": true` and `"signInAssertions": true`.
  mutating func readAccessTokenRules(_ json: JSONValue) -> AccessTokenRules {
    var rules = AccessTokenRules()
    if let type = json["type"] {
      rules.demandsType = type.string == "at+jwt"
      if !rules.demandsType { errors.append(valueError(type, "at+jwt")) }
    }
    rules.acceptsIDTokens = flag(json["idTokens"])
    rules.acceptsSignInAssertions = flag(json["signInAssertions"])
    var refused: [TokenError] = []
    rules.claimSources = ClaimSources(json["claims"]) { refused.append(valueError($0, $1)) }
    errors += refused
    return rules
  }

  private mutating func readSource(_ json: JSONValue, _ name: String) -> RemoteIssuer.Source? {
    if let openID = json["openID"] {
      guard flag(openID) else {
        if openID.bool == false { errors.append(valueError(openID, "true")) }
        return nil
      }
      guard Self.isAddress(name) else {
        errors.append(
          valueError(json["name"] ?? json, "an https address, below which the configuration is"))
        return nil
      }
      return .discovery
    }
    if let keysAt = json["keysAt"] { return address(keysAt).map { .keySet($0) } }
    guard let asked = json["introspection"] else { return nil }
    checkMembers(asked, allowed: ["at", "clientID", "clientSecret"], "introspection")
    guard let at = asked["at"] else {
      errors.append(valueError(asked, "at, the address that is asked"))
      return nil
    }
    guard let client = asked["clientID"]?.string, !client.isEmpty else {
      errors.append(
        valueError(asked["clientID"] ?? asked, "clientID, by which the issuer knows us"))
      return nil
    }
    var file: String?
    if let secret = asked["clientSecret"] {
      guard let text = secret.string, text.utf8.starts(with: "file:".utf8), text.utf8.count > 5
      else {
        // It may be the secret itself.
        errors.append(valueError(secret, "file:NAME"))
        return nil
      }
      file = String(text.dropFirst(5))
    }
    return address(at).map { .introspection(address: $0, clientID: client, secretFile: file) }
  }

  private mutating func address(_ json: JSONValue) -> String? {
    guard let text = json.string, Self.isAddress(text) else {
      errors.append(valueError(json, "an https address, or http on loopback"))
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
  mutating func readLimits(_ json: JSONValue) -> Limits {
    var limits = Limits()
    let fields: [(String, WritableKeyPath<Limits, Int>, ClosedRange<Int>)] = [
      ("bytes", \.bytes, 1...Limits.hardByteLimit), ("depth", \.depth, 1...200),
      ("elements", \.elements, 1...1_000_000), ("attributes", \.attributes, 1...1000),
      ("names", \.names, 1...100_000), ("namespaces", \.namespaces, 1...500),
      ("references", \.references, 1...1000),
      ("transforms", \.transforms, 1...10), ("inclusivePrefixes", \.inclusivePrefixes, 1...500),
      ("encryptedKeys", \.encryptedKeys, 1...100),
      ("privateKeyOperations", \.privateKeyOperations, 1...100),
      ("inflatedBytes", \.inflatedBytes, 1...Limits.hardByteLimit), ("pairs", \.pairs, 1...10_000),
      ("jsonDepth", \.jsonDepth, 1...256), ("jsonMembers", \.jsonMembers, 1...100_000),
    ]
    checkMembers(json, allowed: fields.map(\.0), "limits")
    for (name, path, range) in fields {
      guard let value = json[name] else { continue }
      guard let number = value.integer, range.contains(number) else {
        errors.append(
          TokenError(
            .limitOutOfRange, node: place(value),
            expected: "\(range.lowerBound) to \(range.upperBound)"))
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
