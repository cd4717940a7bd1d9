#if Server
  import AccessControl

  /// Where each claim of a token comes from: an identity provider, a rule, or the service itself.
  struct ClaimSources: Sendable {
    private let names: [String: String]
    /// The types of claims that each identity provider sends.
    private let sent: [String: Set<ClaimType>]
    private let rules: [ClaimRule]

    init(_ file: ServiceFile) {
      names = Dictionary(
        file.providers.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
      sent = Dictionary(
        file.providers.map { provider in
          guard case .testPeople(let people) = provider.kind else { return (provider.id, []) }
          return (provider.id, Set(people.flatMap { $0.claims.map(\.type) }))
        }, uniquingKeysWith: { first, _ in first })
      rules = file.ruleGroups.flatMap(\.rules)
    }

    /// The name by which people know a provider.
    func name(of provider: String?) -> String {
      provider.map { names[$0] ?? $0 } ?? "Access Control Service"
    }

    /// Where the claim of a person of that provider comes from.
    func source(of claim: Claim, provider: String?) -> String {
      if let provider, sent[provider]?.contains(claim.type) == true { return name(of: provider) }
      let rule = rules.first { $0.outputType == claim.type && $0.outputValue == claim.value }
      return rule.map { "the rule \u{201C}\($0.note)\u{201D}" } ?? "Access Control Service"
    }
  }
#endif
