#if Server
  import GateDoctor
  import GateService
  import SecurityKeys

  /// Two sessions in the gate's own store, for two minutes.
  struct DoctorSessions {
    let bare: GateDoctor.Session
    let entitled: GateDoctor.Session
    private let store: any SessionStore
    private let ids: [SessionID]

    /// Signs in; nil where sessions are in the gate's memory.
    ///
    /// - Throws: ``GateFailure``.
    init?(_ file: GateFile) async throws(GateFailure) {
      if case .memory = file.configuration.store { return nil }
      do throws(TokenError) {
        store = try GateStores(file).sessions
        let first = try await Self.begin(ClaimSet(), file.configuration, store)
        let second = try await Self.begin(
          GateDoctor.entitlements(file.configuration), file.configuration, store)
        (bare, entitled) = (first.session, second.session)
        ids = [first.id, second.id]
      } catch {
        throw GateFailure([error])
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
      _ claims: ClaimSet, _ configuration: GateConfiguration, _ store: any SessionStore
    ) async throws(TokenError) -> (session: GateDoctor.Session, id: SessionID) {
      let now = SystemTime().now
      let subject = GateSubject(subject: "gate-doctor", claims: claims)
      let (id, cookie) = SessionID.make()
      let session = SignedInSession(
        principal: FederatedPrincipal(
          issuer: "urn:claims-gate:doctor", subject: subject.subject, claims: claims,
          format: .saml20, issuerSession: IssuerSession(), warnings: []),
        provider: configuration.providers.first?.id ?? "", begun: now,
        end: now.advanced(bySeconds: 120), lastUse: now)
      try await store.insert(session, id)
      return (
        GateDoctor.Session(
          cookie: "\(cookieName(configuration))=\(cookie.revealed)", subject: subject), id
      )
    }
  }
#endif
