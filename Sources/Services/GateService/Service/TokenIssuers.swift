import Octets
public import SignIn

/// The issuers of bearer tokens beside the providers of a gate: whose people they name, and by which identifiers.
public struct TokenIssuers: Sendable {
  private let configuration: GateConfiguration
  private let providers: [SignInProvider]

  /// The issuers of the trust file that a gate's file names.
  ///
  /// - Parameters:
  ///   - configuration: The gate's file.
  ///   - providers: The providers that the file describes.
  public init(_ configuration: GateConfiguration, beside providers: [SignInProvider]) {
    self.configuration = configuration
    self.providers = providers
  }

  /// Checks what the trust file says.
  ///
  /// - Parameters:
  ///   - trust: The trust file.
  ///   - name: Its name, for errors.
  /// - Throws: `gate.own-issuer` for the gate itself; `gate.people` where several issuers and providers name people and the gate's file does not say
  ///   whose; `gate.audience` for an audience of no application; `gate.claim-provider` for a claim of whichever issuer, where there are several; `gate.file-value` for an issuer without an `id` where that is needed, an `id` that is a provider's of another issuer, and
  ///   a rule that names nobody.
  public func check(_ trust: Trust, named name: String) throws(TokenError) {
    let own = configuration.origin.description + configuration.prefix
    let issuers =
      trust.issuers.map { (name: Self.text($0), id: $0.id) }
      + trust.remoteIssuers.map { (name: $0.name, id: $0.id) }
    for issuer in issuers {
      // What the gate signs is for the application, which might hand it on.
      if configuration.identityToken != nil, issuer.name.hasSameBytes(as: own) {
        throw TokenError(.gateOwnIssuer, node: name, found: TokenError.excerpt(own))
      }
      guard let id = issuer.id else {
        guard configuration.people != .byProvider else {
          throw TokenError(
            .gateValue, node: name, expected: "id for each issuer, since people are by provider",
            found: TokenError.excerpt(issuer.name))
        }
        continue
      }
      if let provider = providers.first(where: { $0.id.hasSameBytes(as: id) }),
        !provider.issuer.hasSameBytes(as: issuer.name)
      {
        throw TokenError(
          .gateValue, node: name, expected: "an id that no provider of another issuer has",
          found: id)
      }
    }
    let names = Set((providers.map(\.issuer) + issuers.map(\.name)).map { Array($0.utf8) })
    guard configuration.people != nil || max(names.count, providers.count) < 2 else {
      throw TokenError(
        .gatePeople, node: "tokens", found: "\(names.count) issuers with those of \(name)")
    }
    let known = providers.map(\.id) + issuers.compactMap(\.id)
    let hasSeveral = max(names.count, providers.count) > 1 || trust.issuers.contains { $0.isAny }
    if hasSeveral, let unsaid = configuration.unsaidClaim {
      throw unsaid.error(naming: known.first ?? "any")
    }
    try checkAudiences(trust, named: name)
    for (place, identifiers) in configuration.namedProviders {
      for id in identifiers where !known.containsBytes(of: id) {
        throw TokenError(
          .gateValue, node: place,
          expected: "the identifier of a provider or issuer: " + known.joined(separator: ", "),
          found: id)
      }
    }
  }

  /// Each audience belongs to an application, where there are several.
  ///
  /// - Throws: `gate.audience`.
  private func checkAudiences(_ trust: Trust, named name: String) throws(TokenError) {
    if !configuration.applications.isEmpty, case .oneOf(let audiences) = trust.audiences,
      let stray = audiences.first(where: { !configuration.ownAudiences.containsBytes(of: $0) })
    {
      let shown = TokenError.excerpt(stray)
      throw TokenError(
        .gateAudience, node: name,
        expected: "\"audiences\": [\(shown)] in the application that it is for", found: shown)
    }
  }

  private static func text(_ issuer: TrustedIssuer) -> String {
    if case .exactly(let text) = issuer.name { text } else { "any" }
  }
}

extension TrustedIssuer {
  /// Whether the entry is for issuers of every name.
  fileprivate var isAny: Bool { if case .any = name { true } else { false } }
}
