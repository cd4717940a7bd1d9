import Claims
import SecurityKeys
import TokenBasics

extension JWTMutator {
  /// Tokens that the issuer signed and that no endpoint may accept.
  func addSealed() {
    let now = endpoint.now.seconds
    let skew = Int64(endpoint.skew)
    let future = now + Int64(endpoint.firstFuture)
    for (label, end) in [("now", now - skew), ("a-second-ago", now - skew - 1)] {
      add(
        "time/expired-\(label)", "the issuer signed a token that has expired", ["TIME-1"],
        .expired, payload.settingAll([("nbf", "\(now - skew - 3600)"), ("exp", "\(end)")]))
    }
    add(
      "time/not-yet", "the issuer signed a token for later", ["TIME-2"], .notYetValid,
      payload.settingAll([("nbf", "\(future)"), ("exp", "\(future + 3600)")]))
    add(
      "time/empty-window", "the token ends when it begins", ["TIME-4"], .emptyWindow,
      payload.settingAll([("nbf", "\(now + 10)"), ("exp", "\(now + 10)")]))
    add(
      "time/issued-in-future", "the token was issued in the future", ["TIME-3"],
      .issuedInFuture, payload.setting("iat", "\(future)"))
    add(
      "time/no-end", "the token has no end", ["JWT-21"], .noExpiry,
      payload.removing("exp"))
    add(
      "issuer/none", "the token names no issuer", ["JWT-19"], .issuerMissing,
      payload.removing("iss"))
    if endpoint.namesIssuers {
      add(
        "issuer/signed-for-another", "the key of one issuer signs in the name of another",
        ["KEY-17"], .issuerUntrusted, payload.setting("iss", "\"https://other.example/\""))
    }
    guard endpoint.checksAudience else { return }
    let ours = payload.string("aud") ?? "https://rp.example"
    for (label, other) in [
      ("other", "\"https://other.example/\""), ("slash", "\"\(ours)/\""),
      ("longer", "\"\(ours).evil.example\""), ("empty", "\"\""), ("wildcard", "\"*\""),
      ("list-of-others", "[\"a\",\"b\"]"),
    ] {
      add(
        "audience/\(label)", "the issuer made the token for another audience", ["JWT-20"],
        .audienceMismatch, payload.setting("aud", other))
    }
    add(
      "audience/none", "the token does not say whom it is for", ["JWT-20"], .audienceMissing,
      payload.removing("aud"))
    add(
      "audience/nobody", "the list of audiences is empty", ["JWT-20"], .audienceMissing,
      payload.setting("aud", "[]"))
  }

  private func add(
    _ name: String, _ summary: String, _ attacks: [String], _ expected: TokenError.Code,
    _ payload: String
  ) {
    guard payload != self.payload.text else { return }
    list.add(
      name, summary, attacks, expected, issuerSigned: true, signed(header.text, payload, sign))
  }

  private func sign(_ message: [UInt8]) -> [UInt8]? {
    let algorithm = Self.algorithms.first { $0.0 == header.string("alg") }?.1
    switch key {
    case .privateKey(let key):
      return Sealer(key).signature(over: message, algorithm)
    case .postQuantum(let key):
      return try? key.sign(message)
    case .secret(let key):
      return algorithm.flatMap { key.authenticate(message.span, with: $0.digest) }
    case nil:
      return nil
    }
  }

  private static let algorithms: [(String, SignatureAlgorithm)] = [
    ("HS256", .hmacSHA256), ("HS384", .hmacSHA384), ("HS512", .hmacSHA512),
    ("RS256", .rsaSHA256), ("RS384", .rsaSHA384), ("RS512", .rsaSHA512),
    ("PS256", .rsaPSSSHA256), ("PS384", .rsaPSSSHA384), ("PS512", .rsaPSSSHA512),
    ("ES256", .ecdsaSHA256), ("ES384", .ecdsaSHA384), ("ES512", .ecdsaSHA512),
    ("EdDSA", .ed25519),
  ]
}
