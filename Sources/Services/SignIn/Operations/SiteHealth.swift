public import IssuerRegistry

/// What keeps a service from signing people in, and what soon will.
public struct SiteHealth: Sendable {
  /// The state of a service.
  public struct Report: Sendable {
    /// Nobody, or not everybody, can sign in or be checked.
    public var problems: [String] = []
    /// Something failed, and what was known before is still in use.
    public var warnings: [String] = []
    /// What an operator may want to know.
    public var notes: [String] = []

    /// A state.
    public init(problems: [String] = [], warnings: [String] = []) {
      self.problems = problems
      self.warnings = warnings
    }

    /// The lines of an answer.
    public var text: String {
      ((problems.isEmpty ? ["ok"] : problems) + warnings.map { "warning: " + $0 } + notes)
        .joined(separator: "\n") + "\n"
    }
  }

  private let providers: [SignInProvider]
  private let probe: @Sendable (Instant) async throws(TokenError) -> Void
  private let tokens: (any IssuerRegistry)?
  private let dependencies: Dependencies?
  private let parties: [(name: String, registry: any IssuerRegistry)]
  private let storeCheck: @Sendable (Instant) async throws(TokenError) -> String?

  /// The health of a service.
  ///
  /// - Parameters:
  ///   - site: Its providers and sessions.
  ///   - tokens: The issuers whose bearer tokens it takes; nil where it takes none.
  ///   - storeCheck: Checks what more its store promises at an instant; a note about it, or nil.
  public init(
    of site: SignInSite, tokens: (any IssuerRegistry)?,
    storeCheck: @escaping @Sendable (Instant) async throws(TokenError) -> String? = {
      (_) throws(TokenError) in nil
    }
  ) {
    self.init(of: site, tokens: tokens, dependencies: nil, storeCheck: storeCheck)
  }

  /// The health of a service that calls these servers.
  package init(
    of site: SignInSite, tokens: (any IssuerRegistry)?, dependencies: Dependencies?,
    storeCheck: @escaping @Sendable (Instant) async throws(TokenError) -> String?
  ) {
    self.init(
      providers: site.providers, tokens: tokens, dependencies: dependencies,
      probe: { (now) throws(TokenError) in try await site.sessions.probe(at: now) },
      storeCheck: storeCheck)
  }

  /// The health of a service that has other stores than that of sessions.
  ///
  /// - Parameters:
  ///   - parties: Relying parties whose metadata is fetched, by name.
  ///   - probe: Writes to the stores and reads them.
  package init(
    providers: [SignInProvider], tokens: (any IssuerRegistry)? = nil,
    dependencies: Dependencies? = nil,
    parties: [(name: String, registry: any IssuerRegistry)] = [],
    probe: @escaping @Sendable (Instant) async throws(TokenError) -> Void,
    storeCheck: @escaping @Sendable (Instant) async throws(TokenError) -> String?
  ) {
    self.providers = providers
    self.tokens = tokens
    self.dependencies = dependencies
    self.parties = parties
    self.probe = probe
    self.storeCheck = storeCheck
  }

  /// The state at `now`. Writes to the store of sessions: one that is full or may only be read answers questions.
  public func report(at now: Instant) async -> Report {
    let calls = dependencies?.reports ?? []
    var report = providerReport(calls, at: now)
    report.join(tokenReport(calls))
    report.join(partyReport(calls, at: now))
    if let tokens {
      _ = tokens.readyTrust(at: now)
      var found = Report()
      add(tokens.health(at: now), "tokens", toleratesOne: true, to: &found)
      report.join(found)
    }
    do throws(TokenError) {
      if let note = try await checkStore(at: now) { report.notes.append("shared store: " + note) }
    } catch {
      report.problems.append("sessions: \(error)")
    }
    return report
  }

  /// The state of the providers. One that is away is a problem where people can sign in at no other, since a balancer and a
  /// supervisor take a gate with a problem out of service; otherwise it is a warning.
  private func providerReport(_ calls: [DependencyReport], at now: Instant) -> Report {
    var reports: [Report] = []
    for provider in providers {
      var found = Report()
      add(provider.registry.health(at: now), "provider \(provider.id)", to: &found)
      for incompatibility in provider.method.incompatibilities(at: now) {
        let text = "provider \(provider.id): \(incompatibility.error)"
        if incompatibility.preventsSignIn {
          found.problems.append(text)
        } else {
          found.warnings.append(text)
        }
      }
      for call in calls where call.dependency == Dependency(.provider, provider.id) {
        found.add(call)
      }
      reports.append(found)
    }
    let canSignIn = reports.contains(where: \.problems.isEmpty)
    var report = Report()
    for found in reports { report.join(canSignIn ? found.tolerated : found) }
    return report
  }

  /// The state of relying parties: of their metadata, and of the calls to their hosts. Others sign people in without them.
  private func partyReport(_ calls: [DependencyReport], at now: Instant) -> Report {
    var report = Report()
    for party in parties {
      add(party.registry.health(at: now), "relying party \(party.name)", to: &report)
    }
    for call in calls where call.dependency.kind == .party { report.add(call) }
    return report.tolerated
  }

  /// The state of the calls to issuers of bearer tokens. A service without providers lets no request in while no issuer answers.
  private func tokenReport(_ calls: [DependencyReport]) -> Report {
    var report = Report()
    let others = calls.filter { ![.provider, .party].contains($0.dependency.kind) }
    for call in others { report.add(call) }
    let isAlone = providers.isEmpty && !others.isEmpty && others.allSatisfy(\.isPaused)
    return isAlone ? report : report.tolerated
  }

  /// Why the store keeps nothing; nil where it does.
  public func storeError(at now: Instant) async -> TokenError? {
    do throws(TokenError) {
      _ = try await checkStore(at: now)
      return nil
    } catch {
      return error
    }
  }

  private func checkStore(at now: Instant) async throws(TokenError) -> String? {
    // What a server says of itself, such as that it is a replica, explains why it keeps nothing.
    var failure: TokenError?
    do throws(TokenError) {
      try await probe(now)
    } catch {
      failure = error
    }
    let note = try await storeCheck(now)
    if let failure { throw failure }
    return note
  }

  /// The most keys of a source that are named.
  private static let mostPassedOver = 16

  /// Adds the state of the sources of a registry.
  ///
  /// - Parameter toleratesOne: Whether the sources are of different issuers: a fetched one that is away is then a warning
  ///   while another one can be used.
  private func add(
    _ sources: [RegistryHealth], _ name: String, toleratesOne: Bool = false,
    to report: inout Report
  ) {
    let canUseFetched = toleratesOne && sources.contains { $0.isFetched && !$0.isAway }
    for source in sources {
      var text = "\(name): \(source.status.rawValue)"
      if source.source != "static" { text += ", \(source.source)" }
      if source.status == .expired, let end = source.validUntil {
        text += ", since \(end.rfc3339)"
      } else if source.status != .good {
        text += source.lastSuccess.map { ", last good \($0.rfc3339)" } ?? ", never good"
      }
      if let error = source.lastError { text += ": \(error)" }
      if source.isAway, !source.isFetched || !canUseFetched {
        report.problems.append(text)
      } else if source.status != .good {
        report.warnings.append(text)
      }
      let passedOver = source.passedOver
      report.warnings += passedOver.prefix(Self.mostPassedOver).map { "\(name): \($0)" }
      if passedOver.count > Self.mostPassedOver {
        report.warnings.append(
          "\(name): \(passedOver.count - Self.mostPassedOver) more are passed over")
      }
    }
  }
}

extension SiteHealth.Report {
  /// Adds the state of the calls to one server. One that gives no answer is a problem. One that answers with errors is a
  /// warning: strangers can cause such an answer, and must not take the service out of traffic by it.
  fileprivate mutating func add(_ call: DependencyReport) {
    guard call.failures >= Self.fewFailures, let since = call.since else { return }
    let text =
      "\(call.dependency.description): \(call.failures) calls in a row failed since \(since.rfc3339), "
      + "the last with \(call.lastFailure)"
    if call.isPaused { problems.append(text) } else { warnings.append(text) }
  }

  /// Fewer failures in a row are no news.
  private static var fewFailures: Int { 3 }

  /// The same state, in which nothing is a problem.
  fileprivate var tolerated: Self { Self(warnings: problems + warnings) }

  fileprivate mutating func join(_ other: Self) {
    problems += other.problems
    warnings += other.warnings
    notes += other.notes
  }
}

extension RegistryHealth {
  /// Whether nothing of the source can be used.
  fileprivate var isAway: Bool { status == .expired || status == .empty }
  /// Whether the source is an address, and no file.
  fileprivate var isFetched: Bool { source.firstRange(of: "://") != nil }
}

extension SignInSite {
  /// Days until the last key of each provider ends, or what its metadata says of it.
  package func keyEnds(at now: Instant) -> [(provider: String, days: Double)] {
    providers.compactMap { provider in
      guard let trust = provider.registry.readyTrust(at: now) else { return nil }
      let ends = trust.issuers.flatMap(\.keys).compactMap { trusted -> Instant? in
        guard case .certificate(let certificate) = trusted.key.material else {
          return trusted.validUntil
        }
        return min(certificate.notAfter, trusted.validUntil ?? certificate.notAfter)
      }
      guard let end = ends.max() else { return nil }
      return (provider.id, Double(end.seconds - now.seconds) / 86_400)
    }
  }
}
