import Octets

/// What a verified logout token ends: the sessions of a subject, or one session (OpenID Connect Back-Channel
/// Logout 1.0, 2.4). One of the two is there.
public struct OpenIDLogout: Hashable, Sendable, CustomStringConvertible {
  /// The issuer whose sessions end.
  public let issuer: String
  /// The subject at the issuer (`sub`). Without ``session`` all sessions of the subject end.
  public let subject: String?
  /// The session at the issuer (`sid`): ``IssuerSession/index`` of the sign-in.
  public let session: String?

  /// The sessions that end; nil for a value that names none.
  ///
  /// A token with both names a session of that subject, and of nobody else.
  ///
  /// - Parameter provider: The provider whose token was verified, by its identifier in the configuration.
  public func ended(at provider: String) -> EndedSessions? {
    (session.map { .session($0) } ?? subject.map { .subject($0) }).map { lookup in
      EndedSessions(provider: provider, issuer: issuer, lookup) { [subject] principal in
        subject.map { principal.subject.hasSameBytes(as: $0) } ?? true
      }
    }
  }

  /// The issuer and what the token names, no value.
  public var description: String {
    "a logout of \(issuer), " + (session == nil ? "all sessions of a subject" : "one session")
  }
}
