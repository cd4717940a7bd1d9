import Octets
import TokenMutation

/// The variants of a protocol.
package enum VariantList {
  /// All variants that can be made for a service, in the order in which they are played: conversations first, since they
  /// need no other to be read.
  ///
  /// - Throws: `policy.mint-*` for claims of the file that the format cannot carry.
  package static func all(
    of provider: RogueProvider
  ) throws(TokenError) -> [AttackVariant] {
    let configuration = provider.configuration
    var request = SignInRequest(
      consumer: configuration.consumer ?? configuration.start,
      audience: configuration.entity ?? configuration.start.origin.description)
    request.id = "_request"
    request.nonce = "nonce"
    let isJWT = configuration.protocolName == .openID
    var plan = AnswerPlan(configuration.person.subject)
    plan.id = "_sample"
    plan.session = "session"
    let mutations = try provider.mutations(for: request, plan, at: sampleTime)
    let first =
      conversations(of: configuration) + answers(of: configuration.protocolName)
      + secondProvider(of: configuration)
    let changed = mutations.map { mutation in
      let rule = MutationRule.of(mutation, isJWT: isJWT)
      var variant = AttackVariant(
        mutation.name, mutation.summary, clause: rule.clause, meaning: rule.meaning,
        rule.severity, ifGenuine: rule.genuine, .mutation(mutation.name))
      variant.attacks = mutation.attacks
      return variant
    }
    // What a service keeps of a document that lied comes last.
    return first + changed + keyTricks(of: configuration) + documents(of: configuration)
  }

  /// The variants that are asked for and not left out; a name that ends with `/` is a family.
  ///
  /// - Parameters:
  ///   - only: Those to play; empty for all.
  ///   - skipped: Those to leave out.
  ///   - least: The least severity.
  /// - Throws: `attack.variant` for a name that no variant has, and where none is left.
  package static func chosen(
    from all: [AttackVariant], only: [String], skipping skipped: [String],
    least: AttackVariant.Severity
  ) throws(TokenError) -> [AttackVariant] {
    for id in only + skipped where !all.contains(where: { fits($0, id) }) {
      throw TokenError(.attackVariant, found: TokenError.excerpt(id))
    }
    let chosen = all.filter { variant in
      (only.isEmpty || only.contains { fits(variant, $0) })
        && !skipped.contains { fits(variant, $0) } && variant.severity >= least
    }
    guard !chosen.isEmpty else {
      throw TokenError(.attackVariant, expected: "at least one variant", found: "none")
    }
    return chosen
  }

  private static func fits(_ variant: AttackVariant, _ id: String) -> Bool {
    variant.id.hasSameBytes(as: id) || id.hasSuffix("/") && variant.id.hasPrefix(id)
  }

  /// A sample has one time, so that the same keys give the same variants.
  private static let sampleTime = Instant(secondsSinceEpoch: 1_700_000_000)

  // MARK: One answer

  private static func answers(of name: AttackConfiguration.SignInProtocol) -> [AttackVariant] {
    switch name {
    case .saml20: common + saml
    case .wsFederation: common + passive
    case .openID: common + openID
    }
  }

  private static let common: [AttackVariant] = [
    AttackVariant(
      "signer/other-key", "another key signs in the provider's name",
      clause: "SAML Metadata 2.4.1.1; OpenID Connect Core 1.0, 10.1",
      meaning: "any key is trusted: anyone can sign", .error,
      .change { plan, _ in plan.key = .other }),
    AttackVariant(
      "signer/second-provider", "a provider that the service does not know answers in its own name",
      clause: "SAML Profiles 4.1.4.3; OpenID Connect Core 1.0, 3.1.3.7",
      meaning: "any provider is trusted", .error,
      .change { plan, configuration in
        plan.key = .other
        plan.issuer = configuration.another
      }),
    AttackVariant(
      "signer/other-issuer", "the provider answers in the name of another",
      clause: "SAML Profiles 4.1.4.3; OpenID Connect Core 1.0, 3.1.3.7",
      meaning: "a provider can speak for every other one", .error,
      .change { plan, configuration in plan.issuer = configuration.another }),
    AttackVariant(
      "clock/an-hour-late", "the answer is an hour old and its time is over",
      clause: "SAML Core 2.5.1.2; RFC 7519, 4.1.4", meaning: "an old answer still signs in",
      .warning,
      .change { plan, _ in plan.offset = -3_600 }),
    AttackVariant(
      "clock/an-hour-early", "the answer begins to count in an hour",
      clause: "SAML Core 2.5.1.2; RFC 7519, 4.1.5", meaning: "an answer counts before its time",
      .note,
      .change { plan, _ in plan.offset = 3_600 }),
  ]

  private static let saml: [AttackVariant] = [
    AttackVariant(
      "context/other", "the person signed in in a weaker way than the request asks for",
      clause: "SAML Core 3.3.2.2.1",
      meaning: "a sign-in with a password counts for one with two factors", .warning,
      .change { plan, _ in plan.hasOtherContext = true })
  ]

  private static let passive: [AttackVariant] = [
    AttackVariant(
      "state/absent", "the answer has no wctx", clause: "WS-Federation 1.2, 13.2.2",
      meaning:
        "nothing ties the answer to the browser: a person can be signed in as another person",
      .warning,
      .change { plan, _ in plan.state = .absent }),
    AttackVariant(
      "state/other", "the answer has another wctx", clause: "WS-Federation 1.2, 13.2.2",
      meaning:
        "nothing ties the answer to the browser: a person can be signed in as another person",
      .warning,
      .change { plan, _ in plan.state = .other("another") }),
  ]

  private static let openID: [AttackVariant] = [
    AttackVariant(
      "state/absent", "the answer has no state", clause: "RFC 6749, 10.12; RFC 9700, 4.7.1",
      meaning: "a person can be signed in as another person", .error,
      .change { plan, _ in plan.state = .absent }),
    AttackVariant(
      "state/other", "the answer has another state", clause: "RFC 6749, 10.12; RFC 9700, 4.7.1",
      meaning: "a person can be signed in as another person", .error,
      .change { plan, _ in plan.state = .other("another") }),
    AttackVariant(
      "state/twice", "the answer has two states, the right one first", clause: "RFC 6749, 3.1",
      meaning: "two readers of one answer disagree", .note,
      .change { plan, _ in plan.state = .twice("another") }),
    AttackVariant(
      "nonce/absent", "the ID token has no nonce", clause: "OpenID Connect Core 1.0, 3.1.3.7",
      meaning: "an ID token of another sign-in can be put in", .error,
      .change { plan, _ in plan.nonce = .absent }),
    AttackVariant(
      "nonce/other", "the ID token has another nonce", clause: "OpenID Connect Core 1.0, 3.1.3.7",
      meaning: "an ID token of another sign-in can be put in", .error,
      .change { plan, _ in plan.nonce = .other("another") }),
    AttackVariant(
      "issuer-parameter/absent", "the answer has no iss, which discovery promises",
      clause: "RFC 9207, 2.4", meaning: "answers of two providers can be mixed up", .warning,
      .change { plan, _ in plan.issuerParameter = .absent }),
    AttackVariant(
      "issuer-parameter/other", "the answer has the iss of another provider",
      clause: "RFC 9207, 2.4", meaning: "answers of two providers can be mixed up", .warning,
      .change { plan, configuration in
        plan.issuerParameter = .other(configuration.another)
      }),
    AttackVariant(
      "issuer-parameter/twice", "the answer has two iss, the right one first",
      clause: "RFC 6749, 3.1", meaning: "two readers of one answer disagree", .note,
      .change { plan, configuration in
        plan.issuerParameter = .twice(configuration.another)
      }),
    AttackVariant(
      "answer/error-beside-code", "the answer has an error beside the code",
      clause: "OpenID Connect Core 1.0, 3.1.2.6", meaning: "a refused sign-in signs in", .note,
      .change { plan, _ in plan.hasError = true }),
    AttackVariant(
      "token-response/no-id-token", "the token response has no ID token",
      clause: "OpenID Connect Core 1.0, 3.1.3.3",
      meaning: "an access token alone signs in, also one that was given to another client", .error,
      .change { plan, _ in plan.backChannel = .noIDToken }),
    AttackVariant(
      "token-response/id-token-twice", "the token response has a second ID token, unsigned",
      clause: "RFC 8259, 4", meaning: "two readers of one response disagree", .warning,
      .change { plan, _ in plan.backChannel = .repeatedIDToken }),
    AttackVariant(
      "token-response/token-type", "the token response has an unknown token_type",
      clause: "RFC 6749, 7.1", meaning: "a token of unknown use is taken", .note,
      .change { plan, _ in plan.backChannel = .tokenType }),
    AttackVariant(
      "userinfo/other-subject", "UserInfo speaks of another subject than the ID token",
      clause: "OpenID Connect Core 1.0, 5.3.2",
      meaning: "claims of one person are taken for another", .error, ifGenuine: .note,
      .change { plan, _ in plan.backChannel = .otherUserInfo }),
    AttackVariant(
      "token/no-subject", "the ID token names no person", clause: "OpenID Connect Core 1.0, 2",
      meaning: "a session of no person, or of the last one", .warning,
      .change { plan, _ in plan.isNameless = true }),
    AttackVariant(
      "token/authorized-party", "the ID token was issued to another client (azp)",
      clause: "OpenID Connect Core 1.0, 3.1.3.7",
      meaning: "an ID token for another client signs in", .note,
      .change { plan, _ in plan.moreClaims = [("azp", "\"another\"")] }),
  ]
}
