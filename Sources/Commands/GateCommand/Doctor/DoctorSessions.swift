#if Server
  import CommandSupport
  import GateService
  import SecurityKeys

  /// Three sessions in the gate's own store, for two minutes.
  struct DoctorSessions {
    let bare: GateDoctor.Session
    let entitled: GateDoctor.Session
    /// For this one the gate answers 503.
    let unavailable: GateDoctor.Session
    private let store: any SessionStore
    private let ids: [SessionID]

    /// Signs in; nil where sessions are in the gate's memory.
    ///
    /// - Throws: exit status 2.
    init?(_ file: GateFile) async throws(CommandFailure) {
      if case .memory = file.configuration.store { return nil }
      let assembly = try GateAssembly(file, .check)
      do throws(TokenError) {
        store = try GateStores(file, isBeside: true).sessions
        // A session of another issuer than its provider's is none.
        guard let provider = assembly.gate.site.providers.first else { return nil }
        let first = try await Self.begin(ClaimSet(), file.configuration, provider, store)
        let instant = Claim(.authenticationInstant, SystemTime().now.rfc3339)
        let entitlements = ClaimSet(
          Array(GateDoctor.entitlements(file.configuration)) + [instant])
        let second = try await Self.begin(
          entitlements, file.configuration, provider, store)
        let third = try await Self.begin(
          ClaimSet(), file.configuration, provider, store, isRehearsal: true)
        (bare, entitled, unavailable) = (first.session, second.session, third.session)
        ids = [first.id, second.id, third.id]
      } catch {
        throw CommandFailure(usage: error)
      }
    }

    /// Signs out.
    func remove() async throws(TokenError) {
      for id in ids { try await store.remove(id) }
    }

    /// The name of the gate's session cookie.
    static func cookieName(_ configuration: GateConfiguration) -> String {
      (try? SiteSettings(origin: configuration.origin, prefix: configuration.prefix))?
        .sessionCookie ?? "__Host-session"
    }

    private static func begin(
      _ claims: ClaimSet, _ configuration: GateConfiguration, _ provider: SignInProvider,
      _ store: any SessionStore, isRehearsal: Bool = false
    ) async throws(TokenError) -> (session: GateDoctor.Session, id: SessionID) {
      let name = "gate-doctor"
      let now = SystemTime().now
      var subject = GateSubject(
        subject: name, claims: claims, provider: provider.id, issuer: provider.issuer,
        people: configuration.people ?? .shared)
      let (id, cookie) = SessionID.make()
      var session = SignedInSession(
        principal: FederatedPrincipal(
          issuer: provider.issuer, subject: name, claims: claims,
          format: .saml20, issuerSession: IssuerSession(), warnings: []),
        provider: provider.id, begun: now,
        end: now.advanced(bySeconds: 120), lastUse: now)
      session.isRehearsal = isRehearsal
      subject.authentication = GateAuthentication(session.principal, isToken: false, at: now)
      try await store.insert(session, id)
      return (
        GateDoctor.Session(
          cookie: "\(cookieName(configuration))=\(cookie.revealed)", subject: subject), id
      )
    }
  }
#endif
