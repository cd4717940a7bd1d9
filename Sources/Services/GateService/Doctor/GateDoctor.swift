public import HTTPExchange
public import TokenBasics

/// Drives a proxy from outside and finds what is wrong between it, the gate and the application (GATE-1…4, 7, 10,
/// 22).
public struct GateDoctor: Sendable {
  /// A session that was made for the examination.
  public struct Session: Sendable {
    /// The value of its `Cookie` header field.
    let cookie: String
    /// Who is signed in.
    let subject: GateSubject

    /// A session.
    public init(cookie: String, subject: GateSubject) {
      self.cookie = cookie
      self.subject = subject
    }
  }

  /// The file, as it is for the host that is examined.
  let configuration: GateConfiguration
  /// The origin at which people sign in.
  let signInOrigin: HTTPOrigin
  let probe: any WiringProbe
  /// A session without claims; nil where none can be made.
  let bare: Session?
  /// A session that meets every rule and fills every header; nil where none can be made.
  let entitled: Session?
  /// A session whose headers are as large as they may be; nil where none can be made.
  let large: Session?
  /// A session for which the gate answers 503; nil where none can be made.
  let unavailable: Session?
  /// The name of the gate's session cookie.
  let sessionCookie: String
  /// Paths that are open on purpose.
  let open: [String]
  /// Whether the doctor listens in the application's place.
  let standsIn: Bool
  let random = RandomSource()

  /// A doctor.
  ///
  /// - Parameters:
  ///   - configuration: The file of the gate.
  ///   - origin: The origin of the application to examine, one that the file names; nil for the public one.
  ///   - probe: Sends requests through the proxy.
  ///   - bare: The session of a person whom no rule with demands lets in; nil for none.
  ///   - entitled: The session of a person whom every rule lets in; nil for none.
  ///   - large: The session of a person whose headers are as large as they may be; nil for none.
  ///   - unavailable: A session to which the gate answers 503; nil for none.
  ///   - sessionCookie: The name of the session's cookie.
  ///   - open: Paths that need no sign-in, and are not examined.
  ///   - standsIn: Whether ``ArrivedRequest/response`` answers in the application's place.
  public init(
    _ configuration: GateConfiguration, at origin: HTTPOrigin? = nil, probe: any WiringProbe,
    bare: Session?, entitled: Session?, large: Session? = nil, unavailable: Session? = nil,
    sessionCookie: String,
    open: [String] = [], standsIn: Bool
  ) {
    self.configuration = origin.flatMap { configuration.viewed(at: $0) } ?? configuration
    signInOrigin = configuration.origin
    self.probe = probe
    self.bare = bare
    self.entitled = entitled
    self.large = large
    self.unavailable = unavailable
    self.sessionCookie = sessionCookie
    self.open = open
    self.standsIn = standsIn
  }

  /// Examines everything, or stops after the first check if the proxy does not answer.
  public func examine() async -> [WiringCheck] {
    let first = await gatePages()
    guard !first.findings.contains(where: { $0.code == .wiringUnreachable }) else {
      return [first]
    }
    let checks = [
      first, await checkExposure(), await signedOutPaths(), await signedOutMethods(),
      await signInRedirects(), await scripts(), await forgedRequests(), await ambiguousPaths(),
      await sessions(), await rules(), await headers(), await connectionHeaders(),
      await clientHeaders(), await credentials(), await cookies(), await largeHeaders(),
      await upgrades(), await webSockets(), await methodOverrides(), await twoHosts(),
      await absoluteTargets(), await tunnels(), await sharedAnswers(), await failingGate(),
    ]
    return await checks + resource()
  }

  /// Claims with which every rule is met that can be, and every header filled.
  ///
  /// - Parameters:
  ///   - configuration: The gate's file.
  ///   - isLarge: Whether headers have nearly as many bytes as they may have.
  public static func entitlements(
    _ configuration: GateConfiguration, isLarge: Bool = false
  ) -> ClaimSet {
    let filler = isLarge ? String(repeating: "gate-doctor-", count: 333) : "gate-doctor"
    var filled: Set<ClaimType> = []
    var claims: [Claim] = []
    for rule in configuration.rules.rules where !rule.denies {
      if let type = rule.claims.first, !GateClaim.reserved.contains(type),
        let value = rule.values.first
      {
        claims.append(Claim(type, value))
      }
    }
    let contexts = configuration.rules.rules.flatMap(\.contexts)
    claims += contexts.map { Claim(.authenticationMethod, $0) }
    for header in configuration.headers
    where !header.claims.contains(where: GateClaim.reserved.contains) {
      let isMet = claims.contains { header.claims.contains($0.type) }
      guard !isMet || header.only != nil || isLarge else { continue }
      if let type = header.claims.first, header.only != nil || filled.insert(type).inserted {
        claims.append(Claim(type, header.only?.first ?? filler))
      }
    }
    return ClaimSet(claims)
  }
}

/// One thing that the doctor examined.
public struct WiringCheck: Sendable {
  /// What was examined.
  public let title: String
  /// How many requests were sent for it.
  public internal(set) var requests = 0
  /// What is wrong; empty for nothing.
  public internal(set) var findings: [TokenError] = []
  /// Why nothing was examined; nil if it was.
  public internal(set) var omission: String?

  init(_ title: String) { self.title = title }
}
