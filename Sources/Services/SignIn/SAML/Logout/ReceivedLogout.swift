public import Federation
public import HTTPExchange
import Octets
import XMLTree

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

/// How a logout request is answered: through the browser, or in the SOAP response.
public enum LogoutAnswer: Sendable {
  /// The browser carries the answer to the identity provider.
  case browser(BrowserAction)
  /// The body of the response, of type `text/xml` (SAML Bindings 3.2.3.3).
  case soap([UInt8])
}

/// Which issuer a logout message names, without any proof: it only chooses the provider that verifies it.
public enum LogoutPeek {
  /// The text of the message's `Issuer`.
  ///
  /// - Throws: `client.*`, `input.*`, `xml.*`.
  public static func issuer(
    of message: WebRequest, limits: Limits = Limits()
  ) throws(TokenError) -> String {
    let root: Element
    if message.method == "GET" {
      let octets = try RedirectMessage(query: message.query ?? "", limits: limits).octets
      root = try Document(parsing: octets, limits: limits).root
    } else if message.hasForm {
      root = try Document(parsing: try PostedMessage(message).octets, limits: limits).root
    } else {
      root = try SOAPEnvelope.message(in: message.body, limits: limits)
    }
    guard let issuer = try root.children().first(where: { $0.localName == "Issuer" }) else {
      throw TokenError(.missingElement, node: root.path, expected: "Issuer")
    }
    return try issuer.text()
  }
}
