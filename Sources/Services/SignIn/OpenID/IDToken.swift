import Federation
import JSONWebTokens
import Octets
import SecurityKeys
import TokenBasics

/// The members of a verified ID token that OpenID Connect adds to those of every token (OpenID Connect Core
/// 1.0, 2).
struct IDToken {
  /// Whom it is about.
  let subject: String
  /// The session at the provider (`sid`, OpenID Connect Front-Channel Logout 1.0, 3).
  let session: String?
  private let payload: JSONValue
  private let digest: DigestAlgorithm?
  private let audiences: [String]

  /// - Parameter isStrict: Whether it has to have what an ID token has. Another token about a person may lack `iat`.
  /// - Throws: `signin.id-token` for a member that is missing or of another type.
  init(_ verified: Verified<JSONWebToken>, isStrict: Bool = true) throws(TokenError) {
    guard let payload = verified.payload else { throw Self.wrong("payload", "an object") }
    guard let subject = verified.facts.subject, !isStrict || subject.utf8.count <= 255 else {
      throw Self.wrong("sub", "at most 255 bytes")
    }
    guard !isStrict || payload["iat"] != nil else { throw Self.wrong("iat", "a time") }
    self.payload = payload
    self.subject = subject
    digest = verified.token.signatureAlgorithm?.digest
    audiences = verified.facts.audiences
    session = payload["sid"]?.string
    guard payload["sid"] == nil || session != nil else { throw Self.wrong("sid", "a string") }
  }

  /// The authorized party, which is the client wherever it is named, and the audiences beside the client (3.1.3.7, 3 to 5;
  /// JWT-20). ZITADEL names all clients of a project as audiences, and no authorized party.
  ///
  /// - Parameters:
  ///   - own: The client, and what is as good as the client.
  ///   - others: The audiences that the token may name beside them; nil for any.
  /// - Throws: `audience.mismatch`.
  func check(audience own: [String], beside others: [String]? = nil) throws(TokenError) {
    if let party = payload["azp"], party.string.map(own.containsBytes) != true {
      throw TokenError(
        .audienceMismatch, node: "azp", expected: own.joined(separator: " or "),
        found: party.string.map { TokenError.excerpt($0) } ?? party.kindName)
    }
    guard let others else { return }
    let allowed = others + own
    if let stranger = audiences.first(where: { !allowed.containsBytes(of: $0) }) {
      throw TokenError(
        .audienceMismatch, node: "aud", expected: allowed.joined(separator: " or "),
        found: TokenError.excerpt(stranger))
    }
  }

  /// Tells that a token for several parties names none that may use it; nil where it does, or is for us alone.
  var partyWarning: String? {
    guard audiences.count > 1, payload["azp"] == nil else { return nil }
    return "azp: nothing, although the ID token names \(audiences.count) audiences"
  }

  /// The hashes that tie the token to the code and the access token, where they are there (3.1.3.8 and
  /// 3.3.2.11; JWT-23).
  /// - Throws: `signin.id-token`, `transport.malformed-response` for a hash of an access token that did not come.
  func check(code: Secret? = nil, _ answer: TokenAnswer) throws(TokenError) {
    if let code { try check("c_hash", of: code) }
    guard payload["at_hash"] != nil else { return }
    try check("at_hash", of: answer.requireAccessToken())
  }

  /// - Throws: `signin.context` if the person signed in by none of the demanded contexts.
  func check(contexts: [String]) throws(TokenError) {
    guard !contexts.isEmpty else { return }
    guard let context = payload["acr"]?.string, contexts.containsBytes(of: context) else {
      throw TokenError(
        .signInContext, node: "acr",
        expected: contexts.map { TokenError.excerpt($0) }.joined(separator: " or "),
        found: payload["acr"]?.string.map { TokenError.excerpt($0) } ?? "nothing")
    }
  }

  /// - Throws: `signin.context` if the person last signed in longer ago than `max_age` (3.1.3.7, 13).
  func check(maxAge: Int, skew: Int, at now: Instant) throws(TokenError) {
    guard let signedIn = payload["auth_time"].flatMap({ NumericDate.instant($0) }) else {
      throw TokenError(
        .signInContext, node: "auth_time", expected: "a time",
        found: payload["auth_time"]?.kindName ?? "nothing")
    }
    let latest = signedIn.advanced(bySeconds: Int64(maxAge) + Int64(skew))
    guard now <= latest, signedIn.advanced(bySeconds: -Int64(skew)) <= now else {
      throw TokenError(
        .signInContext, node: "auth_time", expected: "at most \(maxAge) s ago",
        found: signedIn.rfc3339)
    }
  }

  /// The left half of the digest that the token's own algorithm uses.
  private func check(_ name: String, of secret: Secret) throws(TokenError) {
    guard let member = payload[name] else { return }
    let whole = digest?.digest(of: Array(secret.revealed.utf8)) ?? []
    let half = Base64.encode(whole.prefix(whole.count / 2), .url)
    guard !whole.isEmpty, let text = member.string, text.hasSameBytes(as: half) else {
      throw Self.wrong(name, "the hash of what it came with")
    }
  }

  private static func wrong(_ node: String, _ expected: String) -> TokenError {
    TokenError(.signInIDToken, node: node, expected: expected)
  }
}
