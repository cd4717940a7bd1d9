#if Server
  import CommandSupport
  import GateService
  import SecurityKeys

  /// Four sessions in the gate's own store, for two minutes.
  struct DoctorSessions {
    let bare: GateDoctor.Session
    let entitled: GateDoctor.Session
    /// Headers of this one are as large as they may be.
    let large: GateDoctor.Session
    /// For this one the gate answers 503.
    let unavailable: GateDoctor.Session
    private let store: any SessionStore
    private let ids: [SessionID]

    /// Signs in; nil where sessions are in the gate's memory, and for an application on a host of its own where
    /// the keys of cookies are in the gate's memory, since a session there is sealed with them.
    ///
    /// - Parameter origin: The host at which the sessions are.
    /// - Throws: exit status 2.
    init?(_ file: GateFile, at origin: HTTPOrigin) async throws(CommandFailure) {
      if case .memory = file.configuration.store { return nil }
      guard file.configuration.cookieKeys != nil || origin == file.configuration.origin else {
        return nil
      }
      let assembly = try GateAssembly(file, .check)
      do throws(TokenError) {
        let stores = try GateStores(file, isBeside: true)
        store = stores.sessions
        // A session of another issuer than its provider's is none.
        guard let provider = assembly.gate.site.providers.first else { return nil }
        let maker = Maker(
          people: file.configuration.people ?? .shared, provider: provider, store: store,
          gate: assembly.gate, values: stores.values, origin: origin)
        let first = try await maker.begin(ClaimSet())
        let instant = Claim(.authenticationInstant, SystemTime().now.rfc3339)
        let view = file.configuration.viewed(at: origin) ?? file.configuration
        let second = try await maker.begin(
          ClaimSet(Array(GateDoctor.entitlements(view)) + [instant]))
        let third = try await maker.begin(ClaimSet(), isRehearsal: true)
        let fourth = try await maker.begin(
          ClaimSet(Array(GateDoctor.entitlements(view, isLarge: true)) + [instant]))
        (bare, entitled, unavailable) = (first.session, second.session, third.session)
        large = fourth.session
        ids = [first.id, second.id, third.id, fourth.id]
      } catch {
        throw CommandFailure(usage: error)
      }
    }

    /// Signs out.
    func remove() async throws(TokenError) {
      for id in ids { try await store.remove(id) }
    }

    /// The name of the gate's session cookie.
    static func cookieName(_ configuration: GateConfiguration, at origin: HTTPOrigin) -> String {
      (try? SiteSettings(origin: origin, prefix: configuration.prefix))?.sessionCookie
        ?? "__Host-session"
    }

    /// Makes sessions at one host.
    private struct Maker {
      let people: GatePeople
      let provider: SignInProvider
      let store: any SessionStore
      let gate: Gate
      let values: any ValueStore
      let origin: HTTPOrigin

      func begin(
        _ claims: ClaimSet, isRehearsal: Bool = false
      ) async throws(TokenError) -> (session: GateDoctor.Session, id: SessionID) {
        let name = "gate-doctor"
        let now = SystemTime().now
        var subject = GateSubject(
          subject: name, claims: claims, provider: provider.id, issuer: provider.issuer,
          people: people)
        let (id, own) = SessionID.make()
        var session = SignedInSession(
          principal: FederatedPrincipal(
            issuer: provider.issuer, subject: name, claims: claims,
            format: .saml20, issuerSession: IssuerSession(), warnings: []),
          provider: provider.id, begun: now,
          end: now.advanced(bySeconds: 120), lastUse: now)
        session.isRehearsal = isRehearsal
        subject.authentication = GateAuthentication(session.principal, isToken: false, at: now)
        try await store.insert(session, id)
        let settings = try SiteSettings(origin: origin, prefix: gate.site.settings.prefix)
        // An application on another host has a child of the session.
        let child = try await gate.child(
          of: id, until: session.end, at: settings, in: values)
        let cookie = (child ?? own).revealed
        return (
          GateDoctor.Session(
            cookie: "\(settings.sessionCookie)=\(cookie)", subject: subject), id
        )
      }
    }
  }
#endif
