import LocalFiles
import Synchronization
package import TokenMutation

/// The test provider: makes answers, honest or changed, and serves metadata and the back channel.
package final class RogueProvider: Sendable {
  package let configuration: AttackConfiguration
  let keys: ProviderKeys
  /// Codes and access tokens that were issued; those of the last sign-ins.
  let grants = Mutex(IssuedGrants())
  /// What the documents of the first provider say now, and what was asked for since.
  let publication = Mutex(Publication())

  package init(_ configuration: AttackConfiguration, _ keys: ProviderKeys) {
    self.configuration = configuration
    self.keys = keys
  }

  /// The answer to a request; nil where the change of the plan cannot be made to this token.
  ///
  /// - Throws: `policy.mint-*` for claims of the file that the format cannot carry.
  package func answer(
    to request: SignInRequest, _ plan: AnswerPlan, at now: Instant
  ) throws(TokenError) -> MadeAnswer? {
    guard let token = try token(for: request, plan, at: now) else { return nil }
    switch configuration.protocolName {
    case .saml20: return samlAnswer(token, to: request, plan)
    case .wsFederation: return passiveAnswer(token, to: request, plan)
    case .openID: return openIDAnswer(token, to: request, plan)
    }
  }

  /// The token of a plan in the form in which it travels; nil where its change cannot be made.
  private func token(
    for request: SignInRequest, _ plan: AnswerPlan, at now: Instant
  ) throws(TokenError) -> [UInt8]? {
    guard let name = plan.mutation else { return try goodToken(for: request, plan, at: now) }
    // A time to come is nearer when the answer arrives, and a service may have just the tolerance that it is beyond.
    let now = Self.futures.contains(name) ? now.advanced(bySeconds: 60) : now
    let mutator = mutator(for: request, at: now)
    // Some changes need a character that a signature may not have; another token has another signature.
    for _ in 0..<Self.mostTokens {
      var found: [UInt8]?
      let good = try goodToken(for: request, plan, at: now)
      try mutator.makeMutations(of: good) { mutation in
        if mutation.name == name { found = mutation.octets }
      }
      if let found { return found }
    }
    return nil
  }

  /// The changes of a time to one that is to come.
  private static let futures: Set = [
    "response/future", "subject/confirmation-begins", "time/issued-in-future", "time/not-yet",
    "time/not-yet-by-a-second", "time/signed-in-in-future",
  ]

  /// A digest has one of the characters in three of four tokens.
  private static let mostTokens = 12

  /// Whether the service has asked for UserInfo in the last sign-in.
  var wasAskedForUser: Bool { grants.withLock { $0.lastWasAskedForUser } }

  /// The changes that can be made to the token of a request, in order.
  package func mutations(
    for request: SignInRequest, _ plan: AnswerPlan, at now: Instant
  ) throws(TokenError) -> [Mutation] {
    try mutator(for: request, at: now).mutations(of: goodToken(for: request, plan, at: now))
  }

  /// Changes of times are beyond any tolerance that a service is likely to have.
  private func mutator(for request: SignInRequest, at now: Instant) -> TokenMutator {
    var endpoint = Endpoint(now: now, skew: Trust.skewRange.upperBound, namesIssuers: true)
    endpoint.attacker = configuration.attacker
    if configuration.protocolName == .saml20 {
      endpoint.expectations = Expectations(
        recipient: request.consumer.text, inResponseTo: request.id)
    }
    return TokenMutator(endpoint, key: .privateKey(keys.own.key))
  }

  private func goodToken(
    for request: SignInRequest, _ plan: AnswerPlan, at now: Instant
  ) throws(TokenError) -> [UInt8] {
    let now = now.advanced(bySeconds: plan.offset)
    switch configuration.protocolName {
    case .saml20: return try samlToken(for: request, plan, at: now)
    case .wsFederation: return try passiveToken(for: request, plan, at: now)
    case .openID: return try idToken(for: request, plan, at: now)
    }
  }

  /// The content of a token of five minutes.
  func draft(
    for request: SignInRequest, _ plan: AnswerPlan, at now: Instant
  ) -> TokenDraft {
    TokenDraft(
      issuer: plan.issuer ?? configuration.issuer(of: plan.party), audiences: [request.audience],
      subject: plan.isNameless ? nil : plan.subject, claims: ClaimSet(claims(of: plan.subject)),
      issuedAt: now,
      lifetime: 300, id: plan.id ?? TokenDraft.unpredictableID())
  }

  /// The claims of the file about a subject. SAML 1.1 has no attribute without a namespace, so a plain name there is one
  /// of WS-Federation's.
  func claims(of subject: String) -> [Claim] {
    let isPassive = configuration.protocolName == .wsFederation
    return configuration.person.claims(of: subject).map { type, value in
      let isPlain = isPassive && !type.contains("/")
      return Claim(ClaimType(isPlain ? ClaimType.identityPrefix + type : type), value)
    }
  }
}

/// An answer, and what of it can be shown.
package struct MadeAnswer: Sendable {
  package let answer: ProviderAnswer
  /// The token or message as its reader takes it apart: XML, or a JSON Web Token.
  package let shown: [UInt8]
}
