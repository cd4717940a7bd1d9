import HTTPExchange
import Octets
import SecurityKeys
import SignIn
import TokenBasics

/// What a browser did here since it last signed out. Its cookie names the visit; what is known of it is in the store.
package struct Visit {
  /// Ties codes and refresh tokens to the sign-out.
  fileprivate(set) var id: String
  /// The relying parties that got something, the last at the end.
  private(set) var parties: [VisitedParty] = []
  /// The sessions at real providers, the last at the end, without claims. A provider may give each sign-in of a browser a
  /// session of its own, and end any of them.
  private(set) var sessions: [SignedInSession] = []

  init(id: String) { self.id = id }

  /// A relying party has one session in a browser, the last.
  mutating func join(_ party: VisitedParty) {
    parties.removeAll { $0.realm.hasSameBytes(as: party.realm) }
    parties = parties.suffix(Self.most - 1) + [party]
  }

  /// A session that is known moves to the end.
  mutating func join(_ session: SignedInSession) {
    sessions.removeAll { $0.isSame(as: session) }
    sessions =
      sessions.suffix(Self.most - 1).map { former in
        former.provider.hasSameBytes(as: session.provider) ? former.withoutToken : former
      } + [session]
  }

  /// The last session at each provider: a person is one there, and signs out once.
  var lastSessions: [SignedInSession] {
    sessions.enumerated().filter { place, session in
      !sessions[(place + 1)...].contains { $0.provider.hasSameBytes(as: session.provider) }
    }.map(\.element)
  }

  private static let most = 100
}

/// A relying party that got something in a visit.
struct VisitedParty: Equatable {
  private(set) var realm: String
  /// How it got it, and so how it is told of a sign-out.
  private(set) var delivery: SignInContext.Delivery
  /// The session as a SAML 2.0 service provider knows it.
  var session = IssuerSession()
}

extension Visit: KeptValue {
  package static var blank: Self { Self(id: "") }

  package mutating func members(_ kept: inout KeptMembers) {
    kept.readableMembers("parties", &parties)
    kept.readableMembers("sessions", &sessions)
  }

  /// The visit that ``json`` wrote; nil for anything else.
  package init?(id: String, json octets: [UInt8]) {
    self.init(json: octets)
    self.id = id
  }
}

extension VisitedParty: KeptRecord {
  static var blank: Self { Self(realm: "", delivery: SignInContext.Delivery(name: "")) }

  mutating func members(_ kept: inout KeptMembers) {
    kept.member("realm", &realm)
    kept.member("delivery", &delivery)
    session.members(&kept)
  }
}

/// The identifiers of the visits in which one person signed in at a provider. A list is kept, as nodes of earlier releases read
/// it, who pass over the number in front: its version.
struct VisitList: StoredValue {
  let ids: [String]

  init(_ ids: [String]) { self.ids = ids }

  init?(stored octets: [UInt8]) {
    guard let list = try? JSONParser.parse(octets).array, [1, nil].contains(list.first?.integer)
    else { return nil }
    ids = list.compactMap(\.string)
  }

  var stored: [UInt8] {
    var json = JSONWriter()
    json.array { json in
      json.integer(1)
      for id in ids { json.string(id) }
    }
    return json.bytes
  }
}

extension IssuingService {
  /// The visit of a browser; a new one where it has none, or one that is over.
  func visit(of request: WebRequest) async throws(TokenError) -> Visit {
    guard let id = visitID(of: request), try await !grants.isOver(id) else {
      return Visit(id: random.hex(16))
    }
    return try await grants.visit(id)
  }

  /// What the cookie of a browser names.
  func visitID(of request: WebRequest) -> String? {
    guard let cookie = request.cookies[cookieName("sessions")],
      let octets = try? Base64.decode(Array(cookie.revealed.utf8), .url),
      let plain = key.open(octets, context: Self.visitContext)
    else { return nil }
    return String(decoding: plain, as: UTF8.self)
  }

  /// Notes in the visit of a sign-in who got something, and which session of a real provider it is of.
  ///
  /// - Parameters:
  ///   - isParty: Whether the relying party has a session of its own then.
  ///   - session: The session as the relying party knows it.
  /// - Returns: The cookie that names the visit.
  func joining(
    _ signIn: FinishedSignIn, isParty: Bool = true, as session: IssuerSession = IssuerSession()
  ) async throws(TokenError) -> SetCookie {
    let id = signIn.visit.id
    let party = VisitedParty(
      realm: signIn.party.realm, delivery: signIn.context.delivery, session: session)
    try await grants.join(id, isParty ? party : nil, signIn.session)
    let sealed = key.seal(Array(id.utf8), context: Self.visitContext) ?? []
    // It has to come along with the form of a relying party that signs the person out.
    return SetCookie(
      name: cookieName("sessions"), value: Secret(Base64.encode(sealed, .url)), maximumAge: nil,
      sameSite: .none)
  }

  private static let visitContext = Array("visit".utf8)
}

extension SignedInSession {
  /// Whether a provider that ends one ends the other.
  fileprivate func isSame(as other: Self) -> Bool {
    func keys(_ session: Self) -> [[UInt8]] {
      [Array(session.provider.utf8), Array(session.principal.issuer.utf8)]
        + EndedSessions.lookups(of: session.principal).map(\.octets)
    }
    return keys(self) == keys(other)
  }

  /// The same without its ID token, of which a sign-out sends the last alone.
  fileprivate var withoutToken: Self {
    Self(
      principal: principal, provider: provider, begun: begun, end: end, lastUse: lastUse)
  }

  /// What a sign-out needs of it, and no claim.
  var withoutClaims: Self {
    let principal = FederatedPrincipal(
      issuer: principal.issuer, subject: principal.subject, claims: ClaimSet(),
      format: principal.format, issuerSession: principal.issuerSession, warnings: [])
    return Self(
      principal: principal, provider: provider, begun: begun, end: end, lastUse: lastUse,
      idToken: idToken)
  }
}

extension Grants {
  /// What is known of a visit.
  func visit(_ id: String) async throws(TokenError) -> Visit {
    guard var visit = try await kept(under: .visit(id)) else { return Visit(id: id) }
    visit.id = id
    return visit
  }

  /// Adds to a visit, and makes it known to sign-outs of the provider.
  func join(
    _ id: String, _ party: VisitedParty?, _ session: SignedInSession?
  ) async throws(TokenError) {
    let end = clock.now.advanced(bySeconds: Grant.Kind.family.lifetime)
    // The store has no change of a value: of two sign-ins at once one may write over the other, and looks again.
    for _ in 0..<3 {
      var visit = try await visit(id)
      if let party { visit.join(party) }
      if let session { visit.join(session) }
      try await keep(visit, under: .visit(id), until: end)
      let kept = try await self.visit(id)
      if party.map({ kept.parties.contains($0) }) ?? true,
        session.map({ one in kept.sessions.contains { $0.json == one.json } }) ?? true
      {
        break
      }
    }
    guard let session else { return }
    for lookup in EndedSessions.lookups(of: session.principal) {
      let name = KeptName.upstream(session.provider, session.principal.issuer, lookup)
      for _ in 0..<3 {
        let known = try await visits(under: name)
        guard !known.contains(id) else { break }
        try await keep(
          VisitList(Array(known.suffix(Self.mostVisits - 1)) + [id]), under: name, until: end)
      }
    }
  }

  /// The visits of which sessions at a provider are that end now.
  func visits(of ended: EndedSessions) async throws(TokenError) -> [Visit] {
    var found: [Visit] = []
    for id in try await visits(under: .upstream(ended)) {
      let visit = try await visit(id)
      if visit.sessions.contains(where: ended.contains) { found.append(visit) }
    }
    return found
  }

  /// Forgets where visits are found that have ended. Not before: while a store is away none ends, and the provider may say so
  /// once more.
  func forget(_ ended: EndedSessions) async throws(TokenError) {
    let name = KeptName.upstream(ended)
    var over: Set<String> = []
    for id in try await visits(under: name) where try await visit(id).sessions.isEmpty {
      over.insert(id)
    }
    // Read again right before it is written, since another browser may have joined meanwhile.
    let left = try await visits(under: name).filter { !over.contains($0) }
    if left.isEmpty {
      try await remove(name)
    } else {
      try await keep(
        VisitList(left), under: name,
        until: clock.now.advanced(bySeconds: Grant.Kind.family.lifetime))
    }
  }

  /// Ends a visit: its codes, tokens and refresh tokens.
  ///
  /// - Returns: What it was; empty for one that is over.
  func endVisit(_ id: String) async throws(TokenError) -> Visit {
    let visit = try await visit(id)
    try await end(id)
    try await remove(.visit(id))
    return visit
  }

  private func visits(under name: KeptName<VisitList>) async throws(TokenError) -> [String] {
    try await kept(under: name)?.ids ?? []
  }

  /// As many browsers of one person at one provider are signed out by one message.
  private static let mostVisits = 100
}
