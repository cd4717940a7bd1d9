import HTTPExchange
import Octets
import SecurityKeys
import SignIn
import Synchronization
import TokenBasics

/// What the endpoints of a service have in common: the namespace, its stores, keys, limits and clock, and how it answers.
struct IssuingService: Sendable {
  let store: NamespaceStore
  let recent: RecentSignIns
  /// Where the service is: its origin is the namespace's issuer.
  private(set) var origin: HTTPOrigin
  private(set) var responder: SiteResponder
  /// Signs people in at real providers; nil without any.
  let upstream: SignInSite?
  let grants: Grants
  /// Seals what browsers carry.
  let key: SealingKey
  /// Clients that no file names; nil for none.
  let register: ClientRegister?
  /// Tells relying parties of sign-outs; nil tells none.
  let transport: (any HTTPTransport)?
  /// How much programs may ask.
  let limits: RequestLimits
  /// Wrong secrets of service identities and clients, and wrong admin passwords.
  let guesses: GuessLimit
  let clock: any TimeSource
  let observer: any ActivityObserver
  let random: RandomSource

  var namespace: ServiceNamespace { store.current }

  /// The same service at another address, such as one for admins: its cookies are of there.
  func moved(to origin: HTTPOrigin) -> Self {
    var moved = self
    moved.origin = origin
    moved.responder = responder.moved(isSecure: origin.scheme == "https")
    return moved
  }

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

  /// What a form has in it that a browser was shown: no other page knows it.
  ///
  /// - Parameters:
  ///   - browser: A secret of the browser's, without a colon.
  ///   - context: What the form is about.
  func formToken(_ browser: String, _ context: String) -> String {
    Base64.encode(key.code(for: "form:\(browser):\(context)"), .url)
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
    RequestRecord.note(party: realm, provider: source)
    observer.happened(
      Activity(
        "issuing.finished",
        RequestRecord.attributes + [("outcome", outcome), ("reference", reference)]))
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

extension IssuingService {
  /// The service identity of a name and password. Wrong ones cost time.
  ///
  /// - Throws: `issuing.credentials`, `issuing.rate`.
  func identity(
    _ name: String, password: String, _ request: WebRequest
  ) async throws(TokenError) -> ServiceIdentity {
    try await identity(name, passwords: [password], request)
  }

  /// As ``identity(_:password:_:)``.
  ///
  /// - Parameter passwords: The readings of what was sent, of which one has to be right; empty for nothing.
  func identity(
    _ name: String, passwords: [String], _ request: WebRequest
  ) async throws(TokenError) -> ServiceIdentity {
    let namespace = namespace
    // A name that no client has may be a secret in the wrong field: it is not logged.
    if namespace.identity(named: name) != nil { RequestRecord.note(client: name) }
    let passwords = passwords.isEmpty ? [""] : passwords
    let known = namespace.comparedPassword(of: name)
    let judged = passwords.first { known?.isDerived(for: $0) == true } ?? passwords.first
    let identity: ServiceIdentity
    do throws(TokenError) {
      identity = try await guesses.judge(
        judged, against: known, of: "identity:" + name, from: request.peer ?? ""
      ) { () throws(TokenError) in
        // Each is compared, whichever is right.
        let found = passwords.compactMap { try? namespace.identity(name, password: $0) }
        guard let identity = found.first else { throw TokenError(.issuingCredentials) }
        return identity
      }
    } catch {
      if error.code == .issuingCredentials {
        for text in passwords {
          await guesses.spendTime(text, of: namespace.digest, unless: known)
        }
      }
      throw error
    }
    try limits.admit("identity:" + identity.name)
    return identity
  }

  /// The service identity that an assertion is about. An assertion has one use in each form that it may be sent in: old
  /// clients send one assertion in several.
  ///
  /// - Parameters:
  ///   - request: What it came with.
  ///   - place: Becomes the assertion while that is judged, so that its faults have its numbers.
  func identity(
    assertedBy assertion: [UInt8], _ format: String, _ request: WebRequest,
    at place: inout ACSRefusal.Place
  ) async throws(TokenError) -> ServiceIdentity {
    let found: AssertedIdentity
    var form = format
    let addresses = Self.endpoints.map(address)
    switch format {
    case "SWT", "http://oauth.net/grant_type/swt/1.0/bearer":
      place = .assertion(.swt)
      found = try namespace.identity(
        assertedBy: SimpleWebToken(parsing: assertion), addresses: addresses, at: clock.now)
    case "SAML", "http://oauth.net/grant_type/saml/2.0/bearer",
      "urn:ietf:params:oauth:grant-type:saml2-bearer":
      place = .assertion(.saml20)
      var octets = assertion
      // RFC 7522, 2.1; the draft before it sent the XML as it was, too.
      if assertion.first != ASCII.lessThan, let decoded = try? Base64.decode(assertion, .url) {
        octets = decoded
        form += " base64url"
      }
      // RFC 7522, 3: a recipient is the endpoint to which the assertion is delivered.
      found = try namespace.identity(
        assertedBy: SAMLToken(parsing: octets), addresses: addresses,
        recipients: Self.spellings(of: request.path).map(address), at: clock.now)
    case "urn:ietf:params:oauth:grant-type:jwt-bearer":
      place = .assertion(.jwt)
      found = try namespace.identity(
        assertedBy: JSONWebToken(parsing: assertion), addresses: addresses, at: clock.now)
    default:
      throw TokenError(
        .issuingGrantType, expected: Self.grantTypes, found: TokenError.excerpt(format))
    }
    let use = SingleUse.assertion(found, sentAs: form)
    do throws(TokenError) {
      try await grants.redeem(use)
    } catch {
      // A store that is away is no fault of the assertion.
      if error.code != use.repetition.code { place = .request }
      throw error
    }
    place = .request
    try limits.admit("identity:" + found.identity.name)
    return found.identity
  }

  /// What assertions may name as their audience beside the issuer.
  private static let endpoints = [
    "/WRAPv0.9", "/v2/WRAPv0.9", "/v2/OAuth2-13", "/WRAPv0.9/", "/v2/WRAPv0.9/", "/v2/OAuth2-13/",
    OpenIDEndpoint.tokenPath,
  ]

  /// The paths of an endpoint, as it is called and as it is written.
  private static func spellings(of path: String) -> [String] {
    [path] + endpoints.filter { Route.plain($0) == Route.plain(path) }
  }

  private static let grantTypes =
    "client_credentials, authorization_code, refresh_token, "
    + "urn:ietf:params:oauth:grant-type:saml2-bearer or jwt-bearer, "
    + "http://oauth.net/grant_type/saml/2.0/bearer or swt/1.0/bearer"
}

extension IssuingService {
  /// The page of a refusal, with the number of Access Control Service, our code and the number of the log entry.
  ///
  /// - Parameter party: The application that the person came from, which they are led back to; nil where it is unknown.
  func refusal(
    _ error: TokenError, at place: ACSRefusal.Place = .request, back party: RelyingParty? = nil
  ) -> HTTPResponse {
    let refusal = ACSRefusal(error, at: place)
    let trace = logged(error, refusal)
    let heading =
      switch error.code {
      case .issuingCancelled: "You cancelled"
      case .issuingRate: "Too many tries"
      default: "You are not signed in"
      }
    var content = PageContent(heading, notes: Self.explanation(error, refusal))
    if error.code == .issuingCancelled, let party {
      content.notes = [
        "\(refusal): you cancelled the sign-in, and \(party.name) was told nothing about you."
      ]
    }
    content.details = (error.code.rawValue, trace)
    content.nextLink =
      if let party, let origin = party.returnAddresses.first?.origin {
        PageContent.Link("Back to \(party.name)", to: "\(origin)/")
      } else {
        PageContent.Link("To the front page", to: "/")
      }
    return responder.page(refusal.status, .content(content))
  }

  /// What is wrong, by its number, and what to do.
  static func explanation(_ error: TokenError, _ refusal: ACSRefusal) -> [String] {
    // Where it is and what was expected are ours; what was found may be an attacker's text.
    let place = [error.node.map { "Where: \($0)." }, error.expected.map { "Expected: \($0)." }]
    return ["\(refusal): \(error.code.summary)."]
      + [place.compactMap(\.self).joined(separator: " ")].filter { !$0.isEmpty }
      + ["What to do: \(error.hint)."]
  }

  /// Logs a refusal and returns its number.
  @discardableResult
  func logged(_ error: TokenError, _ refusal: ACSRefusal) -> String {
    let trace = reference
    observer.happened(
      Activity(
        "issuing.refused",
        [
          ("code", error.code.rawValue), ("number", refusal.description),
        ] + RequestRecord.attributes + [("reference", trace), ("error", error.description)]))
    return trace
  }

  /// By which the sender and the log name the request that is being answered.
  private var reference: String { RequestRecord.current?.reference ?? traceID() }

  /// A number in the form of a UUID, as clients expect it.
  func traceID() -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(36)
    for (place, octet) in random.octets(16).enumerated() {
      if place == 4 || place == 6 || place == 8 || place == 10 { digits.append(UInt8(ascii: "-")) }
      Hex.append(octet, to: &digits)
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Says when to come back, where that is the cause.
  func retrying(_ response: HTTPResponse, _ error: TokenError) -> HTTPResponse {
    guard error.code == .issuingRate else { return response }
    var response = response
    try? response.fields.append("Retry-After", "\(RequestRecord.secondsToWait)")
    return response
  }
}
