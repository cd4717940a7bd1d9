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
      // A Simple Web Token joins several values of a type with commas.
      let values = claim.value.split(separator: ",").map(String.init)
      let notes = rules.filter { rule in
        rule.outputType == claim.type && values.contains { $0 == rule.outputValue }
      }.map { "\u{201C}\($0.note)\u{201D}" }
      guard !notes.isEmpty else { return "Access Control Service" }
      return (notes.count == 1 ? "the rule " : "the rules ") + notes.joined(separator: " and ")
    }
  }
#endif
