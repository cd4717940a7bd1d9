#if Server
  import FederationClient
  import SecurityKeys
  import Synchronization

  /// What the application knows of a browser that signed in.
  struct Visit: Sendable {
    /// The person.
    var session: Session
    /// The format of the token that said so, such as `SAML 2.0`.
    let format: String
    /// What the person wrote and could not post.
    var draft: String?
  }

  /// The browsers that signed in, by the value of their cookie.
  final class Visits: Sendable {
    private let visits = Mutex<[String: Visit]>([:])

    subscript(id: String?) -> Visit? {
      guard let id else { return nil }
      return visits.withLock { $0[id] }
    }

    /// Begins a visit. What the person wrote in an earlier one is kept.
    ///
    /// - Returns: The value of its cookie.
    func begin(_ session: Session, format: String, after earlier: String?) -> String {
      let id = TokenDraft.unpredictableID()
      visits.withLock { visits in
        var visit = Visit(session: session, format: format)
        if let earlier { visit.draft = visits.removeValue(forKey: earlier)?.draft }
        visits[id] = visit
      }
      return id
    }

    func keep(_ draft: String?, of id: String) {
      visits.withLock { $0[id]?.draft = draft }
    }

    /// Lets the person's session expire now.
    func expire(_ id: String, at now: Instant) {
      visits.withLock { $0[id]?.session.expires = now }
    }

    func end(_ id: String) { _ = visits.withLock { $0.removeValue(forKey: id) } }
  }
#endif
