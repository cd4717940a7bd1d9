import Octets
import SignIn
import TokenBasics

/// How a token was issued: the part of a decision that is kept with the token, so that the decision can be made again.
struct IssuedStep: Equatable {
  /// The protocol.
  let entrance: PartyProtocol
  /// The client that got it.
  let client: String
  /// The relying party whose token it is.
  let realm: String
  /// Whether the client presented an actor token.
  var namesActor = false
  /// Whether it is an access token of a resource (RFC 8707), which a sign-in gives beside the client's own.
  var isForResource = false

  /// Whether its client is a service identity; nil where either may be. A program gets a token about itself, and others
  /// exchange it.
  func isOfProgram(about subject: SignedInSubject) -> Bool? {
    switch entrance {
    case .draft13, .wrap, .wsTrust: true
    case .openID: subject.source == .service
    case .assertionGrants: subject.source == .service ? true : nil
    case .exchange: nil
    case .wsFederation, .saml, .javascriptnotify: false
    }
  }
}

extension IssuedStep: KeptTexts {
  var keptTexts: [String] {
    [entrance.rawValue, client, realm] + (namesActor ? [Self.actorMark] : [])
      + (isForResource && client.hasSameBytes(as: realm) ? [Self.resourceMark] : [])
  }

  init?(keptTexts texts: [String]) {
    guard (3...4).contains(texts.count), let entrance = PartyProtocol(rawValue: texts[0]) else {
      return nil
    }
    self.init(entrance: entrance, client: texts[1], realm: texts[2])
    isForResource = entrance == .openID && !client.hasSameBytes(as: realm)
    guard texts.count == 4 else { return }
    switch texts[3] {
    case Self.actorMark: namesActor = true
    case Self.resourceMark where entrance == .openID: isForResource = true
    default: return nil
    }
  }

  // A step with a mark is unknown to earlier releases, which discard the record: to them the token does not count.
  private static let actorMark = "actor"
  /// Of a client that is its own resource. At other steps the two names say it.
  private static let resourceMark = "resource"
}

extension SignInContext.Delivery {
  /// The protocol of the party; nil for a name that this service does not know.
  var entrance: PartyProtocol? {
    switch self {
    case .passive: .wsFederation
    case .notify: .javascriptnotify
    case .saml: .saml
    case .openID: .openID
    case .delegation: .draft13
    default: nil
    }
  }
}

extension IssuingService {
  /// Decides on a sign-in: at its begin, in the middle and, with the subject, at its end.
  ///
  /// - Throws: as ``ServiceNamespace/decide(_:by:_:until:for:about:at:)``; `input.too-large` for a request that would be kept, or go
  /// through every link of a page, at anybody's wish.
  func decide(
    _ context: SignInContext, _ party: RelyingParty, about subject: SignedInSubject? = nil
  ) throws(TokenError) {
    guard let entrance = context.delivery.entrance else {
      throw TokenError(.issuingSignIn, node: "cx")
    }
    let length = subject == nil ? context.json.count : 0
    guard length <= SignInContext.mostOctets else {
      throw TokenError(
        .inputTooLarge, expected: "at most \(SignInContext.mostOctets) bytes of a request",
        found: "\(length) bytes")
    }
    let (namespace, now) = (namespace, clock.now)
    var client = TokenClient(party, isConfidential: false)
    var kind = IssuedKind.format(party.format)
    switch entrance {
    case .openID:
      kind = context.scopes.isEmpty || context.scopes.contains("openid") ? .idToken : .opaque
    case .saml: kind = .format(.saml20)
    case .draft13:
      guard let identity = namespace.identity(named: context.client ?? "") else {
        throw TokenError(.issuingClient)
      }
      client = TokenClient(identity)
    default: break
    }
    _ = try namespace.decide(client, by: entrance, kind, for: party, about: subject, at: now)
    guard let resource = context.resource else { return }
    _ = try namespace.decide(
      client, by: .openID, .accessToken, for: namespace.relyingParty(resource), about: subject,
      at: now)
  }

  /// What a page calls the application: the client that gets the token, and the party whose token it is.
  func applicationName(_ context: SignInContext, _ party: RelyingParty) -> String {
    if let client = context.client { return "\(client), for \(party.name)" }
    guard let resource = context.resource, let api = try? namespace.relyingParty(resource) else {
      return party.name
    }
    return "\(party.name), for \(api.name)"
  }

  /// Whether what a grant stands for would be issued now, by each step that led to it.
  ///
  /// - Throws: what the stores throw.
  func isIssuedNow(_ grant: Grant) async throws(TokenError) -> Bool {
    do throws(TokenError) {
      try await checkIssuedNow(grant)
      return true
    } catch {
      guard !Self.isAway(error) else { throw error }
      return false
    }
  }

  /// Checks that what a grant stands for would be issued now, by each step that led to it.
  ///
  /// - Throws: as ``ServiceNamespace/decide(_:by:_:until:for:about:at:)``, and what the stores throw.
  func checkIssuedNow(_ grant: Grant) async throws(TokenError) {
    for actor in grant.actors { try await checkIssuedNow(actor) }
    if grant.steps.isEmpty {
      // Before steps were kept: whether the party still offers the provider.
      let party = try await party(grant.realm)
      return try namespace.checkProvider(of: grant.subject, for: party)
    }
    for (index, step) in grant.steps.enumerated() {
      let party = try await party(step.realm)
      _ = try namespace.decide(
        try await client(of: step, about: grant.subject), by: step.entrance,
        grant.kind(ofStep: index, for: party), for: party, about: grant.subject,
        namesActor: step.namesActor, at: clock.now)
    }
  }

  /// Whether an error is of a store or of the network, and no answer to the question.
  private static func isAway(_ error: TokenError) -> Bool {
    // A file of SQLite is the store of the sign-in, whose codes say that the fault is ours.
    ["store", "transport", "registry"].contains(error.code.family)
      || (error.code.family == "signin" && error.code.fault == .service)
  }

  /// The client of a step, as the file has it now. A party and a service identity may share a name, and then the protocol and
  /// the subject tell them apart: a program gets a token about itself, and others exchange it.
  ///
  /// - Throws: `issuing.unknown-realm`, `issuing.unknown-client`.
  private func client(
    of step: IssuedStep, about subject: SignedInSubject
  ) async throws(TokenError) -> TokenClient {
    let identity = namespace.identity(named: step.client)
    if step.isOfProgram(about: subject) == true {
      guard let identity else { throw TokenError(.issuingClient) }
      return TokenClient(identity)
    }
    do throws(TokenError) {
      return TokenClient(try await party(step.client), isConfidential: false)
    } catch {
      guard error.code == .issuingRealm, let identity else { throw error }
      return TokenClient(identity)
    }
  }
}

extension ServiceNamespace {
  /// The service identity of a name; nil for none.
  func identity(named name: String) -> ServiceIdentity? {
    identities.first { $0.name.hasSameBytes(as: name) }
  }
}
