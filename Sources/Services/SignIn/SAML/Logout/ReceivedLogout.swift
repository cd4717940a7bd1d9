public import Federation
import Octets

/// A logout message that came to the logout endpoint, verified.
public enum ReceivedLogout: Sendable {
  /// The identity provider ends sessions of a subject.
  case request(LogoutDemand)
  /// The identity provider answers our request: nil when every session ended, otherwise what did not.
  case response(problem: String?)
}

/// A verified `LogoutRequest`: which sessions end.
public struct LogoutDemand: Sendable {
  /// The issuer that demands it.
  public let issuer: String
  /// The subject whose sessions end.
  public let name: SubjectName
  /// The sessions that end; empty for all of the subject (SAML Core 3.7.3.2).
  public let sessionIndexes: [String]
  let id: String
  let relayState: String?
  /// Whether it came over SOAP, and the answer goes back at once.
  let isDirect: Bool

  /// The sessions that end.
  ///
  /// - Parameter provider: The provider whose request was verified, by its identifier in the configuration.
  public func ended(at provider: String) -> EndedSessions {
    EndedSessions(provider: provider, issuer: issuer, .name(name.text)) { principal in
      ends(principal.issuer, principal.issuerSession)
    }
  }

  /// Whether a session of a principal is one that ends.
  public func ends(_ issuer: String, _ session: IssuerSession) -> Bool {
    guard issuer.hasSameBytes(as: self.issuer), let ours = session.name, ours.isSubject(of: name)
    else { return false }
    return sessionIndexes.isEmpty
      || session.index.map { index in
        sessionIndexes.contains { $0.hasSameBytes(as: index) }
      } ?? false
  }
}
