import HTTPExchange
import Octets
import SecurityKeys
import SignIn
import Synchronization

/// What the endpoints of a service have in common: the namespace, its stores, keys, limits and clock, and how it answers.
struct IssuingService: Sendable {
  let store: NamespaceStore
  let recent: RecentSignIns
  /// Where the service is: its origin is the namespace's issuer.
  let origin: HTTPOrigin
  let responder: SiteResponder
  /// Signs people in at real providers; nil without any.
  let upstream: SignInSite?
  let grants: Grants
  /// Seals what browsers carry.
  let key: SealingKey
  /// Requests of programs; nil for no limit.
  let limit: RateLimit?
  /// Wrong secrets of service identities and clients, and wrong admin passwords.
  let guesses: GuessLimit
  let clock: any TimeSource
  let observer: any ActivityObserver
  let random: RandomSource

  var namespace: ServiceNamespace { store.current }

  /// The namespace, if it has a certificate to publish.
  ///
  /// - Throws: `issuing.metadata`.
  func publishable() throws(TokenError) -> ServiceNamespace {
    let namespace = namespace
    guard !namespace.keys.certificates.isEmpty else {
      throw TokenError(.issuingMetadata, expected: "a certificate", found: "none")
    }
    return namespace
  }

  /// The address of a path.
  func address(_ path: String) -> String { origin.description + path }

  func cookieName(_ name: String) -> String {
    (origin.scheme == "https" ? "__Host-acs-" : "acs-") + name
  }

  /// The query of a request. Campaigns and proxies add parameters with names of their own, which are not looked at.
  func query(_ request: WebRequest) throws(TokenError) -> FormReader {
    try request.parameters(passingOver: .foreignNames)
  }

  /// The form of a request.
  ///
  /// - Throws: `issuing.missing-field` for another media type, and what the form throws.
  func form(
    _ request: WebRequest, passingOver passed: FormReader.PassedOver = .nothing
  ) throws(TokenError) -> FormReader {
    guard request.hasForm else {
      throw TokenError(.issuingField, node: "Content-Type", expected: FormReader.mediaType)
    }
    return try request.form(passingOver: passed)
  }

  /// Adds cookies to an answer.
  func adding(_ cookies: [SetCookie], to response: HTTPResponse) -> HTTPResponse {
    var response = response
    for cookie in cookies {
      try? response.fields.append("Set-Cookie", cookie.text(isSecure: origin.scheme == "https"))
    }
    return response
  }

  /// Notes how a sign-in, or a request of a program, ended.
  func note(_ realm: String, _ source: String, _ outcome: String) {
    recent.add(
      RecentSignIns.Entry(time: clock.now, realm: realm, source: source, outcome: outcome))
    observer.happened(
      Activity("issuing.finished", [("realm", realm), ("source", source), ("outcome", outcome)]))
  }

  /// The time as old clients read it: `2030-01-01 21:01:36Z`.
  var timestamp: String {
    Instant(secondsSinceEpoch: clock.now.seconds).rfc3339.replacing("T", with: " ")
  }
}

/// The namespace that a site serves now; replaced as a whole when its rules or keys change.
public final class NamespaceStore: Sendable {
  private let namespace: Mutex<ServiceNamespace>

  /// Serves this namespace.
  public init(_ namespace: ServiceNamespace) { self.namespace = Mutex(namespace) }

  /// The namespace.
  public var current: ServiceNamespace { namespace.withLock { $0 } }

  /// Serves another one from now on.
  public func replace(with other: ServiceNamespace) { namespace.withLock { $0 = other } }
}

/// The last sign-ins and their outcome, for the admin page; neither subject nor token.
public final class RecentSignIns: Sendable {
  /// A sign-in.
  public struct Entry: Sendable {
    /// When.
    public let time: Instant
    /// For which relying party.
    public let realm: String
    /// The identity provider, or the service identity.
    public let source: String
    /// The format, or the code of the refusal.
    public let outcome: String
  }

  private let entries = Mutex<[Entry]>([])
  private static let most = 100

  /// None yet.
  public init() {}

  func add(_ entry: Entry) {
    entries.withLock { entries in
      if entries.count >= Self.most { entries.removeFirst() }
      entries.append(entry)
    }
  }

  /// The last hundred, the newest first.
  public var list: [Entry] { entries.withLock { $0.reversed() } }
}
