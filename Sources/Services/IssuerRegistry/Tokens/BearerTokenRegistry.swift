import LocalFiles
import Octets
import Synchronization

/// The issuers of bearer tokens, by a trust file that may name keys by address (`openID`, `keysAt`) and an issuer to be
/// asked (`introspection`). It reloads the file when it changes, and fetches and refreshes the keys.
///
/// While one issuer cannot be reached, the tokens of others are judged all the same.
public final class BearerTokenRegistry: IssuerRegistry {
  private enum Child {
    case openID(OpenIDRegistry)
    case keySet(KeySetRegistry)
    case introspection(TokenIntrospector)

    /// Where its keys come from; nil for one without.
    var registry: (any IssuerRegistry)? {
      switch self {
      case .openID(let registry): registry
      case .keySet(let registry): registry
      case .introspection: nil
      }
    }

    /// Starts the fetch that is due where it has no keys, and waits for nothing.
    func startMissing(at now: Instant) {
      switch self {
      case .openID(let registry): registry.startMissing(at: now)
      case .keySet(let registry): registry.startMissing(at: now)
      case .introspection: break
      }
    }
  }

  private struct Name: Hashable {
    let issuer: [UInt8]
    let source: RemoteIssuer.Source
  }

  private let file: FileRegistry
  private let folder: String
  private let transport: any HTTPTransport
  private let dependencies: Dependencies?
  private let clock: any TimeSource
  private let observer: any ActivityObserver
  private let children: Mutex<Children>

  /// The issuers that are fetched or asked, as one trust of the file has them.
  private struct Children {
    var generation: Int?
    var byName: [Name: Child] = [:]
    var pairs: [(remote: RemoteIssuer, child: Child)] = []
  }

  /// A registry for the trust file at `path`, which is first read on first use.
  ///
  /// - Parameters:
  ///   - path: The trust file. Paths in it are relative to its folder.
  ///   - transport: Fetches keys, and asks.
  ///   - checkInterval: Seconds between two looks at the file.
  ///   - clock: The clock; another one in tests.
  ///   - observer: Hears of what happens, for logs, metrics and traces.
  public convenience init(
    trustFile path: String, transport: any HTTPTransport, checkInterval: Int64 = 1,
    clock: any TimeSource = SystemTime(), observer: any ActivityObserver = NoObserver()
  ) {
    self.init(
      trustFile: path, transport: transport, checkInterval: checkInterval, clock: clock,
      observer: observer, replacing: nil)
  }

  /// A registry with demands of its owner on the file, which may take the place of another registry.
  ///
  /// - Parameters:
  ///   - dependencies: The boundaries, one for each issuer; nil for none.
  ///   - former: The registry whose place it takes; the keys that it fetched stay in use for each issuer that has the same
  ///     name and the same source of keys in this file.
  ///   - accepts: What the owner demands of each content of the file. One that it refuses is not used: the trust of before
  ///     stays in force, and the health has the error.
  package init(
    trustFile path: String, transport: any HTTPTransport, checkInterval: Int64 = 1,
    clock: any TimeSource = SystemTime(), observer: any ActivityObserver = NoObserver(),
    dependencies: Dependencies? = nil, replacing former: BearerTokenRegistry?,
    accepts: @escaping TrustCheck = { (_) throws(TokenError) in }
  ) {
    file = FileRegistry(
      trustFile: path, fetchesKeys: true, checkInterval: checkInterval, observer: observer,
      accepts: accepts)
    children = Mutex(Children(byName: former?.fetched(at: clock.now) ?? [:]))
    folder = FileFolder(of: path).path
    self.transport = transport
    self.dependencies = dependencies
    self.clock = clock
    self.observer = observer
  }

  /// What the file says, with the issuers whose keys are fetched and not with their keys; nil where it was never valid.
  public func fileTrust(at now: Instant) -> Trust? { file.readyTrust(at: now) }

  /// The trust with all keys; nil while one issuer's are not there.
  public func readyTrust(at now: Instant) -> Trust? {
    guard let (base, pairs) = current(at: now) else { return nil }
    var issuers: [TrustedIssuer] = []
    for (remote, child) in pairs {
      guard let registry = child.registry else { continue }
      guard let trust = registry.readyTrust(at: now) else { return nil }
      issuers += Self.issuers(trust, remote)
    }
    return Self.merged(base, issuers)
  }

  /// The trust; waits for keys that are not there, and goes on without those of an issuer that cannot be reached.
  ///
  /// - Throws: Errors of the file.
  public func trust(at now: Instant) async throws(TokenError) -> Trust {
    // All are asked at once, so that the times of slow servers do not add up.
    _ = presentTrust(at: now)
    for (_, child) in current(at: now)?.pairs ?? [] {
      guard let registry = child.registry, registry.readyTrust(at: now) == nil else { continue }
      _ = try? await registry.trust(at: now)
    }
    if let trust = presentTrust(at: now) { return trust }
    return try await file.trust(at: now)
  }

  /// The file's, and one for each issuer that is fetched or asked.
  public func health(at now: Instant) -> [RegistryHealth] {
    let children = current(at: now)?.pairs.map(\.child) ?? []
    return file.health(at: now)
      + children.flatMap { child -> [RegistryHealth] in
        if case .introspection(let introspector) = child { return [introspector.health(at: now)] }
        _ = child.registry?.readyTrust(at: now)
        return child.registry?.health(at: now) ?? []
      }
  }

  /// Fetches keys before the first token needs them, and whenever that is due, until the task is cancelled.
  public func run() async {
    while !Task.isCancelled {
      _ = try? await trust(at: clock.now)
      await clock.wait(.seconds(30))
    }
  }

  // MARK: What bearer tokens need

  /// The trust with the keys that are there; the others are fetched meanwhile. Nil where the file was never valid.
  package func presentTrust(at now: Instant) -> Trust? {
    guard let (base, pairs) = current(at: now) else { return nil }
    var issuers: [TrustedIssuer] = []
    for (remote, child) in pairs {
      child.startMissing(at: now)
      guard let trust = child.registry?.readyTrust(at: now) else { continue }
      issuers += Self.issuers(trust, remote)
    }
    return Self.merged(base, issuers)
  }

  /// Whether the keys of an issuer are fetched.
  package func fetchesKeys(of issuer: String, at now: Instant) -> Bool {
    child(of: issuer, at: now)?.registry != nil
  }

  /// Fetches the keys of an issuer because a token names one that is not known, once a minute at most (GATE-28).
  package func refreshForUnknownKey(of issuer: String, at now: Instant) async {
    switch child(of: issuer, at: now) {
    case .openID(let registry)?: await registry.refreshForUnknownKey(at: now)
    case .keySet(let registry)?: await registry.refreshForUnknownKey(at: now)
    default: break
    }
  }

  /// Why nothing can be said about an issuer's tokens; nil where there are keys, or it is none of ours. Waits for them,
  /// and for no other issuer's.
  package func unavailability(of issuer: String, at now: Instant) async -> TokenError? {
    guard let registry = child(of: issuer, at: now)?.registry else { return nil }
    do throws(TokenError) {
      _ = try await registry.trust(at: now)
      return nil
    } catch {
      return error
    }
  }

  /// What asks the issuer of opaque tokens, and what the file says of that issuer now; nil where there is none.
  package func introspector(
    at now: Instant
  ) -> (remote: RemoteIssuer, introspector: TokenIntrospector)? {
    for (remote, child) in current(at: now)?.pairs ?? [] {
      if case .introspection(let introspector) = child { return (remote, introspector) }
    }
    return nil
  }

  // MARK: Children

  /// The children whose keys are there. One that asks is tied to the folder of its secret, and has nothing to lose.
  private func fetched(at now: Instant) -> [Name: Child] {
    children.withLock { $0.byName }.filter { $0.value.registry?.readyTrust(at: now) != nil }
  }

  private func child(of issuer: String, at now: Instant) -> Child? {
    current(at: now)?.pairs.first { $0.remote.name.hasSameBytes(as: issuer) }?.child
  }

  /// What the file says, and the issuers that it names without keys, each with what fetches or asks; one that the file has no
  /// more is forgotten. Nil where the file was never valid.
  private func current(
    at now: Instant
  ) -> (base: Trust, pairs: [(remote: RemoteIssuer, child: Child)])? {
    guard let (base, generation) = file.ready(at: now) else { return nil }
    return children.withLock { children in
      if children.generation == generation { return (base, children.pairs) }
      var kept: [Name: Child] = [:]
      var pairs: [(remote: RemoteIssuer, child: Child)] = []
      for remote in base.remoteIssuers {
        let name = Name(issuer: Array(remote.name.utf8), source: remote.source)
        guard let child = children.byName[name] ?? make(remote) else { continue }
        kept[name] = child
        pairs.append((remote, child))
      }
      // A thread that asked the file before another one did must not put the children of then back.
      if generation > children.generation ?? -1 {
        children = Children(generation: generation, byName: kept, pairs: pairs)
      }
      return (base, pairs)
    }
  }

  /// Nil for an address that cannot be one, which ``check(_:)`` says.
  private func make(_ remote: RemoteIssuer) -> Child? {
    switch remote.source {
    case .discovery:
      guard let source = try? OpenIDSource(issuer: remote.name) else { return nil }
      return .openID(
        OpenIDRegistry(
          source, transport: boundary(.issuer, remote), clock: clock, observer: observer))
    case .keySet(let text):
      guard let address = try? HTTPURL(text) else { return nil }
      return .keySet(
        KeySetRegistry(
          issuer: remote.name, address: address, transport: boundary(.issuer, remote), clock: clock,
          observer: observer))
    case .introspection(let text, let clientID, let file):
      guard let address = try? HTTPURL(text) else { return nil }
      return .introspection(
        TokenIntrospector(
          issuer: remote.name, address: address, clientID: clientID,
          secret: { [folder] () throws(TokenError) in
            try file.map { (name) throws(TokenError) in try Self.secret(name, in: folder) }
          }, transport: boundary(.introspection, remote), observer: observer))
    }
  }

  /// The network of an issuer, within the limits of a dependency.
  private func boundary(_ kind: Dependency.Kind, _ remote: RemoteIssuer) -> any HTTPTransport {
    guard let boundary = dependencies?.boundary(kind, remote.id ?? remote.name, over: transport)
    else { return transport }
    return kind == .issuer ? boundary.forDocuments : boundary
  }

  /// The secret in a file; read anew for each question, so that it can be replaced.
  private static func secret(_ name: String, in folder: String) throws(TokenError) -> Secret {
    let path = name.hasPrefix("/") ? name : folder + name
    let octets = try StableFile.read(path, limit: 1 << 16).0
    guard let text = SecretText.of(octets) else {
      throw TokenError(
        .registryUnreadableFile, node: ShownPath.of(path), expected: "a secret", found: "no text")
    }
    return Secret(text)
  }

  /// Reads what the file names and fetches nothing.
  ///
  /// - Throws: `transport.*` for an address that cannot be one, `registry.unreadable-file` for a secret.
  package func check(_ trust: Trust) throws(TokenError) {
    for remote in trust.remoteIssuers {
      do throws(TokenError) {
        switch remote.source {
        case .discovery: _ = try OpenIDSource(issuer: remote.name)
        case .keySet(let text): _ = try HTTPURL(text)
        case .introspection(let text, _, let file):
          _ = try HTTPURL(text)
          if let file { _ = try Self.secret(file, in: folder) }
        }
      } catch {
        throw error.within(TokenError.excerpt(remote.name))
      }
    }
  }

  // MARK: Trust

  /// The issuers of a registry as the file wants them.
  private static func issuers(_ trust: Trust, _ remote: RemoteIssuer) -> [TrustedIssuer] {
    trust.issuers.map { issuer in
      var issuer = issuer
      if let algorithms = remote.algorithms {
        issuer = issuer.mappingKeys { key in
          var key = key
          key.algorithms = key.algorithms.map { $0.filter(algorithms.contains) } ?? algorithms
          return key
        }
      }
      issuer.id = remote.id
      issuer.projection = remote.projection
      issuer.accessTokens = remote.rules
      return issuer
    }
  }

  private static func merged(_ base: Trust, _ issuers: [TrustedIssuer]) -> Trust {
    guard !issuers.isEmpty else { return base }
    var trust = base
    trust.issuers += issuers
    return trust
  }
}
