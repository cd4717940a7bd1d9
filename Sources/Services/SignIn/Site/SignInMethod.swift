import Octets

/// A sign-in protocol at one provider, with our side of it: the addresses that it has here, what begins a sign-in, what judges the
/// answer, and what signs out.
///
/// The site does what every protocol needs alike: it seals what an answer is compared with into a cookie, opens it by the request
/// that the answer names, compares the provider, begins the session, and ends it. A method keeps no state.
public protocol SignInMethod: Sendable {
  /// An answer as it was read, not verified.
  associatedtype Answer: Sendable

  /// Tells the pending sign-ins of this protocol from those of others.
  static var kind: PendingSignIn.Kind { get }
  /// The parameter in which a browser brings back the identifier of the request.
  static var requestParameter: String { get }
  /// Whether a picture on a page of the provider signs out, which comes without the session's own cookie.
  static var endsByPicture: Bool { get }

  /// The name of the provider's issuer, as other parties and its tokens know it.
  var issuer: String { get }
  /// The name by which a discovery service knows us; nil where the protocol has no such services.
  var discoveryName: String? { get }

  /// The addresses of the protocol below the site's prefix.
  ///
  /// - Parameter providers: The identifiers of all providers of this protocol.
  static func routes(_ providers: [String]) -> [SignInRoute]
  /// Checks what providers of this protocol have to agree in, or differ in.
  ///
  /// - Throws: `signin.configuration`.
  static func check(
    _ providers: [(id: String, method: Self)], _ settings: SiteSettings
  ) throws(TokenError)

  /// Begins a sign-in. The site adds the provider to what is kept of it.
  ///
  /// - Throws: `signin.no-endpoint`, `signin.configuration`, `registry.*`, `policy.mint-*`.
  func begin(
    returningTo path: ReturnPath?, demanding demands: SignInDemands, at now: Instant
  ) async throws(TokenError) -> BegunSignIn
  /// Reads what came to an address for answers, and verifies nothing.
  ///
  /// - Parameters:
  ///   - request: The request of the browser.
  ///   - methods: Those of the providers that the address is for; one at least.
  ///   - now: The clock, read once by the caller.
  /// - Throws: `client.*`, `input.*`, `xml.*`, `response.*`; `signin.unsolicited`, `signin.unknown-request`.
  static func read(
    _ request: WebRequest, among methods: [Self], at now: Instant
  ) async throws(TokenError) -> ReceivedAnswer<Answer>
  /// Judges an answer. It is accepted once.
  ///
  /// - Parameters:
  ///   - answer: What ``read(_:among:at:)`` gave.
  ///   - pending: What it is compared with; nil for ``ReceivedAnswer/unsolicited(issuer:_:)``.
  ///   - provider: The provider that was asked, or that begins.
  ///   - used: Remembers finished sign-ins and used tokens.
  ///   - clock: Read again after each wait.
  /// - Throws: `signin.*`, errors of verification, `replay.*`, `transport.*`, `registry.*`.
  func finish(
    _ answer: Answer, of pending: PendingSignIn?, at provider: SignInProvider,
    used: any ReplayStore, clock: any TimeSource
  ) async throws(TokenError) -> VerifiedSignIn
  /// Begins to sign out at the provider; nil where it cannot be told. The session here is over by then.
  ///
  /// - Throws: `policy.mint-*`, `transport.malformed-address`.
  func signOut(
    of session: SignedInSession, _ settings: SiteSettings, at now: Instant
  ) async throws(TokenError) -> BegunSignOut?
  /// The issuer that a message of sign-out names, without any proof: it only chooses the provider that verifies it. Nil where the
  /// address is that of one provider.
  ///
  /// - Throws: `client.*`, `input.*`, `xml.*`.
  static func signOutIssuer(of request: WebRequest) throws(TokenError) -> String?
  /// Verifies a message that the provider sends to sign out.
  ///
  /// - Parameters:
  ///   - request: The request of the browser or of the provider.
  ///   - provider: The provider that it has to come from.
  ///   - pending: Opens the sign-out of ours that a message answers.
  ///   - used: Remembers messages, each of which is accepted once.
  ///   - clock: Read again after each wait.
  /// - Throws: `logout.*`, `client.*`, errors of verification, `replay.used`.
  func receiveSignOut(
    _ request: WebRequest, at provider: SignInProvider,
    pending: @Sendable (_ request: String) throws(TokenError) -> PendingSignIn,
    used: any ReplayStore, clock: any TimeSource
  ) async throws(TokenError) -> ReceivedSignOut
  /// Our metadata in this protocol, of the type `application/samlmetadata+xml`; nil where it has none.
  ///
  /// - Throws: `policy.mint-*`, `transport.malformed-address`.
  func metadata(_ settings: SiteSettings) throws(TokenError) -> [UInt8]?
  /// Seconds after which the claims of a session are read anew; nil for never.
  var renewalInterval: Int64? { get }
  /// Reads the claims of a session anew.
  ///
  /// - Parameters:
  ///   - session: The session; its ``SignedInSession/renewal`` is there.
  ///   - keep: Stores the refresh token that takes the place of the session's, before anything else is done.
  ///   - now: The clock, read once by the caller.
  /// - Throws: `transport.*`, `registry.*` and what else keeps the claims from being read; the session stays then.
  func renew(
    _ session: SignedInSession, keeping keep: @Sendable (Secret) async throws(TokenError) -> Void,
    at now: Instant
  ) async throws(TokenError) -> SessionRenewalOutcome
  /// A JWK set of the public halves of keys by which we prove to the provider who we are; nil where there are none.
  var publishedKeys: [UInt8]? { get }
  /// What of our configuration the provider does not offer, as far as it is known right now without waiting.
  func incompatibilities(at now: Instant) -> [ProviderIncompatibility]
}

extension SignInMethod {
  /// None.
  public static var endsByPicture: Bool { false }
  /// None.
  public var discoveryName: String? { nil }

  /// Accepts any providers.
  public static func check(
    _ providers: [(id: String, method: Self)], _ settings: SiteSettings
  ) throws(TokenError) {}

  /// Tells the provider nothing.
  public func signOut(
    of session: SignedInSession, _ settings: SiteSettings, at now: Instant
  ) async throws(TokenError) -> BegunSignOut? { nil }

  /// None: the address is that of one provider.
  public static func signOutIssuer(of request: WebRequest) throws(TokenError) -> String? { nil }

  /// Refuses every message.
  ///
  /// - Throws: `client.parameter`.
  public func receiveSignOut(
    _ request: WebRequest, at provider: SignInProvider,
    pending: @Sendable (_ request: String) throws(TokenError) -> PendingSignIn,
    used: any ReplayStore, clock: any TimeSource
  ) async throws(TokenError) -> ReceivedSignOut { throw TokenError(.clientParameter) }

  /// None.
  public func metadata(_ settings: SiteSettings) throws(TokenError) -> [UInt8]? { nil }
  /// Never.
  public var renewalInterval: Int64? { nil }

  /// Leaves the claims as they are.
  public func renew(
    _ session: SignedInSession, keeping keep: @Sendable (Secret) async throws(TokenError) -> Void,
    at now: Instant
  ) async throws(TokenError) -> SessionRenewalOutcome { .renewed(session.principal) }

  /// None.
  public var publishedKeys: [UInt8]? { nil }
  /// None.
  public func incompatibilities(at now: Instant) -> [ProviderIncompatibility] { [] }
}

/// An address of a sign-in protocol.
public struct SignInRoute: Sendable {
  /// What comes to it.
  public enum Purpose: Sendable {
    /// Answers to sign-ins (``SignInMethod/read(_:among:at:)``).
    case answers
    /// Messages of sign-out (``SignInMethod/receiveSignOut(_:at:pending:used:clock:)``).
    case signOut
    /// Programs that want our metadata (``SignInMethod/metadata(_:)``).
    case metadata
    /// Browsers that signed out at the provider.
    case signedOut
    /// Providers that want our public keys (``SignInMethod/publishedKeys``).
    case keys
  }

  /// The methods, such as `GET`.
  public let methods: [String]
  /// The path below the site's prefix.
  public let path: String
  /// What comes to it.
  public let purpose: Purpose
  /// The only provider whose messages are accepted here; nil for all of the protocol.
  public let provider: String?
  /// The name under which it is measured; nil for none.
  public let activity: StaticString?
  /// The path that replaces it; nil for an address of today.
  public let successor: String?

  /// An address.
  public init(
    _ methods: [String], _ path: String, _ purpose: Purpose, provider: String? = nil,
    activity: StaticString? = nil, successor: String? = nil
  ) {
    self.methods = methods
    self.path = path
    self.purpose = purpose
    self.provider = provider
    self.activity = activity
    self.successor = successor
  }
}

/// What came to an address for answers, read and not verified.
public enum ReceivedAnswer<Answer: Sendable>: Sendable {
  /// An answer that names the request of that identifier.
  case answer(to: String, Answer)
  /// An answer that names no request, and the issuer that it names: empty for none.
  case unsolicited(issuer: String, Answer)
  /// The person signed out elsewhere. The session of this browser ends, whoever asks; then the browser goes to an address of the
  /// provider, or gets a picture.
  case signedOut(returningTo: HTTPURL?)
}

/// What a protocol made of an answer that it accepted.
public struct VerifiedSignIn: Sendable {
  /// Who signed in.
  public let principal: FederatedPrincipal
  /// The ID token, which signs out at the provider; nil for none.
  public let idToken: Secret?
  /// The refresh token, by which claims are read anew; nil for none.
  public let refreshToken: Secret?

  /// A sign-in of that person.
  public init(_ principal: FederatedPrincipal, idToken: Secret? = nil, refreshToken: Secret? = nil)
  {
    self.principal = principal
    self.idToken = idToken
    self.refreshToken = refreshToken
  }
}

/// What became of a session whose claims were to be read anew.
public enum SessionRenewalOutcome: Sendable {
  /// The subject has these claims now.
  case renewed(FederatedPrincipal)
  /// The provider says that the session is over, or speaks of another subject.
  case ended(TokenError)
}

/// A sign-out that begins at the provider.
public struct BegunSignOut: Sendable {
  /// What the browser is told.
  public let action: BrowserAction
  /// What the provider's answer is compared with; nil where none comes.
  public var pending: PendingSignIn?

  /// A sign-out.
  public init(_ action: BrowserAction, pending: PendingSignIn? = nil) {
    self.action = action
    self.pending = pending
  }
}

/// A verified message of sign-out.
public enum ReceivedSignOut: Sendable {
  /// How the provider is answered.
  public enum Reply: Sendable {
    /// The browser carries the answer.
    case browser(BrowserAction)
    /// The response itself.
    case document(contentType: String, [UInt8])
  }

  /// The provider ends sessions. The reply says whether there were any.
  case demand(
    EndedSessions?, reply: @Sendable (_ outcome: LogoutOutcome) throws(TokenError) -> Reply)
  /// The provider answers a sign-out of ours: whether every session is over.
  case answer(isComplete: Bool)
}

/// What one sign-in asks of the provider beyond what its configuration asks of every one: the demands of a relying party
/// that the service passes on.
///
/// Each protocol carries what it has a place for. What the provider then did is in its answer and is not compared here,
/// but for the contexts of SAML.
public struct SignInDemands: Hashable, Sendable {
  /// Whether the subject has to sign in anew (`ForceAuthn`, `prompt=login`, `wfresh=0`).
  public var forcesSignIn = false
  /// Whether nobody may be asked (`IsPassive`, `prompt=none`). WS-Federation has no place for it.
  public var isPassive = false
  /// The most seconds since the subject signed in (`max_age`, `wfresh` in minutes); SAML signs in anew.
  public var maxAge: Int?
  /// The accepted authentication contexts (`RequestedAuthnContext`, `acr_values`, `wauth`, which is one); empty for any.
  public var contexts: [String] = []

  /// The contexts to ask a provider for that has to give one of `own` at each sign-in: those that both accept. Where both
  /// accept none, those of the provider, as the sign-in would be refused with any other.
  func contexts(within own: [String]) -> [String] {
    guard !own.isEmpty, !contexts.isEmpty else { return own + contexts }
    let common = own.filter { contexts.containsBytes(of: $0) }
    return common.isEmpty ? own : common
  }
  /// What the provider shall ask besides (`prompt` of OpenID Connect); nil for its own choice.
  public var prompt: String?
  /// Who the subject probably is (`login_hint` of OpenID Connect).
  public var loginHint: String?
  /// The identity provider behind the provider (`whr` of WS-Federation).
  public var homeRealm: String?
  /// How many identity providers may stand between this service and the subject (`ProxyCount` of SAML); nil for any number.
  public var proxyCount: Int?
  /// The identity providers that are acceptable (`IDPList` of SAML); empty for any.
  public var providers: [String] = []
  /// Whether the answer has to say when the subject signed in. An OpenID provider owes that where a `max_age` was asked for.
  public var wantsInstant = false

  /// No demands.
  public init() {}

  /// The greatest age that can be asked for: ten years, which asks for the instant alone.
  static let anyAge = 315_360_000
}
