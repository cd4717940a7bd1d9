import Claims
import Federation
import Octets
import SecurityKeys

/// What tells a token of this service from all others: its identifier or, without one, what was signed.
enum TokenKey: Hashable {
  case id(String)
  case digest([UInt8])
  /// An opaque access token itself.
  case opaque(String)

  /// The key of a verified token.
  init(_ facts: TokenFacts, signed: [UInt8]) {
    if let id = facts.tokenID {
      self = .id(id)
    } else {
      self = .digest(DigestAlgorithm.sha256.digest(of: signed) ?? signed)
    }
  }

  /// What tells it from others in names of stores: how it is known, and its identifier, digest or text.
  var name: String {
    switch self {
    case .id(let id): "id:" + id
    case .digest(let digest): "digest:" + Hex.encode(digest)
    case .opaque(let text): "opaque:" + text
    }
  }
}

extension IssuedToken {
  /// What tells it from others.
  var key: TokenKey {
    guard format == .swt else { return .id(id) }
    let signed = (try? SimpleWebToken(parsing: octets))?._signedOctets ?? octets
    return .digest(DigestAlgorithm.sha256.digest(of: signed) ?? signed)
  }
}

extension Grants {
  /// Keeps whom a token is about, where a client may exchange it.
  ///
  /// - Throws: what the store throws.
  func remember(
    _ wanted: WantedToken, of token: MintedToken, as type: ExchangedType,
    _ namespace: ServiceNamespace
  ) async throws(TokenError) {
    guard let grant = record(wanted, of: token, as: type, namespace) else { return }
    try await keep(grant, under: .token(token.key), until: token.expires)
  }

  /// What is kept of a token; nil where no client may exchange it.
  func record(
    _ wanted: WantedToken, of token: MintedToken, as type: ExchangedType,
    _ namespace: ServiceNamespace
  ) -> Grant? {
    // Introspection has to know what an access token came from.
    guard type == .accessToken || namespace.isExchanged(wanted.realm) else { return nil }
    return Grant(tokenOf: wanted, as: type, until: token.expires)
  }

  /// What is known of a token; nil for nothing, or of a session that was signed out.
  ///
  /// - Throws: what the store throws.
  func token(_ key: TokenKey) async throws(TokenError) -> Grant? {
    guard let grant = try await known(key), try await !isOver(grant, grant.family) else {
      return nil
    }
    return grant
  }

  /// What is known of a token, whether or not its session is over.
  func known(_ key: TokenKey) async throws(TokenError) -> Grant? {
    try await kept(under: .token(key))
  }
}

/// Access tokens that this service alone can read.
enum AccessToken {
  /// Whether a text has the form of one: 32 octets in base64url.
  static func isOpaque(_ text: String) -> Bool {
    text.utf8.count == 43 && text.utf8.allSatisfy(isDigit)
  }

  private static func isDigit(_ octet: UInt8) -> Bool {
    ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == UInt8(ascii: "-")
      || octet == UInt8(ascii: "_")
  }
}

extension AccessToken {
  /// Seconds: 600. Nothing takes back an access token that a service reads by itself.
  static let longestLifetime: Int64 = 600
}

extension IssuingService {
  /// Keeps whom a token is about that leaves by another way than an exchange.
  func remember(
    _ subject: SignedInSubject, of token: IssuedToken, to party: RelyingParty,
    by entrance: PartyProtocol, client: String, in session: String = "", family: String? = nil
  ) async throws(TokenError) {
    noteLeftOut(of: token)
    try await remember(
      subject, of: token.key, as: ExchangedType(token.format), to: party, by: entrance,
      client: client, in: session, family: family, at: token.issued)
  }

  /// Logs which claims a Simple Web Token does not have, since their values contain a comma.
  func noteLeftOut(of token: IssuedToken) {
    for type in token.leftOut {
      observer.happened(
        Activity(
          "issuing.claim-left-out",
          [
            ("code", TokenError.Code.mintCharacter.rawValue), ("realm", token.realm),
            ("type", type.name),
          ]))
    }
  }

  /// As ``remember(_:of:to:by:client:in:family:)``.
  ///
  /// - Parameter now: When it was issued.
  func remember(
    _ subject: SignedInSubject, of key: TokenKey, as type: ExchangedType, to party: RelyingParty,
    by entrance: PartyProtocol, client: String, in session: String, family: String? = nil,
    at now: Instant
  ) async throws(TokenError) {
    let end = Instant(secondsSinceEpoch: now.seconds).advanced(bySeconds: Int64(party.lifetime))
    var wanted = WantedToken(subject, until: end)
    wanted.realm = party.realm
    wanted.session = session
    wanted.family = family
    wanted.steps = [IssuedStep(entrance: entrance, client: client, realm: party.realm)]
    try await grants.remember(
      wanted, of: MintedToken([], key, until: end, at: now), as: type, namespace)
  }

  /// A token for a service identity.
  func issue(
    for identity: ServiceIdentity, to party: RelyingParty, by entrance: PartyProtocol,
    as format: TokenFormat? = nil
  ) async throws(TokenError) -> IssuedToken {
    let (namespace, now) = (namespace, clock.now)
    let subject = namespace.subject(of: identity)
    let format = format ?? party.format
    let decision = try namespace.decide(
      TokenClient(identity), by: entrance, .format(format), for: party, about: subject, at: now)
    let token = try namespace.issue(
      decision, subject, as: format, delivery: SAMLDelivery(), at: now)
    try await remember(subject, of: token, to: party, by: entrance, client: identity.name)
    return token
  }
}
