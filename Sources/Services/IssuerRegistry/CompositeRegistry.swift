import Synchronization

/// Several registries as one. The relying party's own data (audiences, skew, limits, decryption keys) come
/// from the first; the trusted issuers from all of them.
///
/// An issuer that one of them pins to keys is pinned: its metadata is not used. An issuer that two of
/// them pin, or describe without a pin, is not trusted at all: what one source withdraws, another must not
/// keep valid. A registry other than the first that fails does not affect the others; its health shows the
/// error.
public final class CompositeRegistry: IssuerRegistry {
  private let first: any IssuerRegistry
  private let others: [any IssuerRegistry]
  /// The issuers that were described twice at the last merge.
  private let disputed = Mutex<Set<[UInt8]>>([])

  /// A registry of `first` and `others`.
  public init(_ first: any IssuerRegistry, adding others: [any IssuerRegistry]) {
    self.first = first
    self.others = others
  }

  /// The merged trust; nil if any of the registries would have to wait.
  public func readyTrust(at now: Instant) -> Trust? {
    guard let base = first.readyTrust(at: now) else { return nil }
    var parts: [Trust] = []
    for registry in others {
      guard let trust = registry.readyTrust(at: now) else { return nil }
      parts.append(trust)
    }
    return merge(base, parts)
  }

  /// The merged trust; waits for all registries at the same time.
  /// - Throws: Errors of the first registry; errors of another only if no issuer at all is left.
  public func trust(at now: Instant) async throws(TokenError) -> Trust {
    let base = try await first.trust(at: now)
    // Concurrently, so that the times of slow servers do not add up.
    let answers = await withTaskGroup(of: Answer.self) { group in
      for (position, registry) in others.enumerated() {
        group.addTask {
          do throws(TokenError) {
            return Answer(position, .success(try await registry.trust(at: now)))
          } catch {
            return Answer(position, .failure(error))
          }
        }
      }
      var answers: [Answer] = []
      for await answer in group { answers.append(answer) }
      return answers.sorted { $0.position < $1.position }
    }
    var parts: [Trust] = []
    var failure: TokenError?
    for answer in answers {
      switch answer.trust {
      case .success(let trust): parts.append(trust)
      case .failure(let error): failure = failure ?? error
      }
    }
    let trust = merge(base, parts)
    if trust.issuers.isEmpty, let failure { throw failure }
    return trust
  }

  /// The result of one registry. Not a tuple: for one of an index and an awaited value, optimized code of
  /// Swift 6.3.1 returns 0 for the index.
  private struct Answer: Sendable {
    let position: Int
    let trust: Result<Trust, TokenError>

    init(_ position: Int, _ trust: Result<Trust, TokenError>) {
      self.position = position
      self.trust = trust
    }
  }

  /// The health of all, and one more entry, `composite`, if an issuer is described twice.
  public func health(at now: Instant) -> [RegistryHealth] {
    let disputed = disputed.withLock { $0 }
    let health = ([first] + others).flatMap { $0.health(at: now) }
    guard let one = disputed.first else { return health }
    return health + [
      RegistryHealth(
        source: "composite", status: .failing, issuers: 0, lastSuccess: nil, lastAttempt: nil,
        consecutiveFailures: disputed.count,
        lastError: TokenError(
          .registryDuplicateIssuer, expected: "one description of an issuer",
          found: TokenError.excerpt(String(decoding: one, as: UTF8.self))),
        nextRefresh: nil, validUntil: nil)
    ]
  }

  private func merge(_ base: Trust, _ parts: [Trust]) -> Trust {
    // The part that describes an issuer, by kind of source.
    var owners: [TrustedIssuer.Source: [[UInt8]: Int]] = [:]
    var disputed: [TrustedIssuer.Source: Set<[UInt8]>] = [:]
    let all = [base.issuers] + parts.map(\.issuers)
    for (part, issuers) in all.enumerated() {
      for entry in issuers {
        guard case .exactly(let name) = entry.name else { continue }
        let bytes = Array(name.utf8)
        if let owner = owners[entry.source]?[bytes], owner != part {
          disputed[entry.source, default: []].insert(bytes)
        }
        owners[entry.source, default: [:]][bytes] = part
      }
    }
    let pinned = owners[.configuration] ?? [:]
    // A pinned issuer cannot be disputed between two metadata files.
    disputed[.metadata] = disputed[.metadata]?.filter { pinned[$0] == nil }
    let unusable = (disputed[.configuration] ?? []).union(disputed[.metadata] ?? [])
    var trust = base
    trust.issuers = all.flatMap { $0 }
    trust.passedOver += parts.flatMap(\.passedOver)
    self.disputed.withLock { $0 = unusable }
    trust.issuers.removeAll { entry in
      guard case .exactly(let name) = entry.name else { return false }
      let bytes = Array(name.utf8)
      return unusable.contains(bytes) || (entry.source == .metadata && pinned[bytes] != nil)
    }
    return trust
  }
}
