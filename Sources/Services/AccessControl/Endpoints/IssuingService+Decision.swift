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
}

extension IssuedStep: KeptTexts {
  var keptTexts: [String] { [entrance.rawValue, client, realm] }

  init?(keptTexts texts: [String]) {
    guard texts.count == 3, let entrance = PartyProtocol(rawValue: texts[0]) else { return nil }
    self.init(entrance: entrance, client: texts[1], realm: texts[2])
  }
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
  /// - Throws: as ``ServiceNamespace/decide(_:by:_:until:for:about:at:)``.
  func decide(
    _ context: SignInContext, _ party: RelyingParty, about subject: SignedInSubject? = nil
  ) throws(TokenError) {
    guard let entrance = context.delivery.entrance else {
      throw TokenError(.issuingSignIn, node: "cx")
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
    if grant.steps.isEmpty {
      // Before steps were kept: whether the party still offers the provider.
      let party = try await party(grant.realm)
      return try namespace.checkProvider(of: grant.subject, for: party)
    }
    // Whether a kind can be encrypted concerns the token itself, not those from which it came.
    let kinds = grant.steps.dropLast().map { _ in IssuedKind.opaque } + [grant.issuedKind]
    for (step, kind) in zip(grant.steps, kinds) {
      let party = try await party(step.realm)
      _ = try namespace.decide(
        try await client(of: step), by: step.entrance, kind, for: party, about: grant.subject,
        at: clock.now)
    }
  }

  /// Whether an error is of a store or of the network, and no answer to the question.
  private static func isAway(_ error: TokenError) -> Bool {
    ["store", "transport", "registry"].contains(error.code.family)
  }

  /// The client of a step, as the file has it now. A party and a service identity may share a name, and then the protocol
  /// tells them apart.
  ///
  /// - Throws: `issuing.unknown-realm`, `issuing.unknown-client`.
  private func client(of step: IssuedStep) async throws(TokenError) -> TokenClient {
    let identity = namespace.identity(named: step.client)
    switch step.entrance {
    case .draft13, .wrap, .wsTrust:
      guard let identity else { throw TokenError(.issuingClient) }
      return TokenClient(identity)
    default:
      do throws(TokenError) {
        return TokenClient(try await party(step.client), isConfidential: false)
      } catch {
        guard error.code == .issuingRealm, let identity else { throw error }
        return TokenClient(identity)
      }
    }
  }
}

extension ServiceNamespace {
  /// The service identity of a name; nil for none.
  func identity(named name: String) -> ServiceIdentity? {
    identities.first { $0.name.hasSameBytes(as: name) }
  }
}
