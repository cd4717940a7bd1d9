#if Client
  import CommandSupport
  import FederationClient
  import HTTPExchange
  import LocalFiles
  import TokenBasics

  /// The service of a session, as stored with the session. Contains no secret.
  struct StoredService {
    enum Kind: String {
      case accessControl = "acs"
      case mobileServices = "mobile-services"
      case opro
      case mobileFoundation = "mobile-foundation"
    }

    /// The values that identify the service among others of its kind.
    enum Fact: String, CaseIterable {
      case server
      case realm
      case issuer
      case resource
      case apiVersion
      case clientID
      case application
      case applicationVersion
      case platform
      case device
      case securityCheck
    }

    let kind: Kind
    private let facts: [Fact: String]

    init(_ kind: Kind, _ facts: [Fact: String?]) {
      self.kind = kind
      self.facts = facts.compactMapValues(\.self)
    }

    /// - Throws: exit code 2 for a session that another program stored.
    init(of session: Session, account: String) throws(CommandFailure) {
      guard let kind = session.details["service"].flatMap(Kind.init) else {
        throw CommandFailure(
          .usage, "the session of account \(account) does not say which service it belongs to",
          hint: "sign in again with this command")
      }
      self.kind = kind
      var facts: [Fact: String] = [:]
      for fact in Fact.allCases { facts[fact] = session.details["service.\(fact.rawValue)"] }
      self.facts = facts
    }

    subscript(fact: Fact) -> String? { facts[fact] }

    /// - Throws: exit code 2.
    func needed(_ fact: Fact) throws(CommandFailure) -> String {
      guard let value = facts[fact] else {
        throw CommandFailure(.usage, "the kept session lacks its \(fact.rawValue)")
      }
      return value
    }

    /// The session with the service in its details.
    func noted(in session: Session) -> Session {
      var copy = session
      copy.details["service"] = kind.rawValue
      for (fact, value) in facts { copy.details["service.\(fact.rawValue)"] = value }
      return copy
    }

    /// Whether a session belongs to this service: version and device may differ, server and realm may not.
    func owns(_ session: Session) -> Bool {
      guard session.details["service"] == kind.rawValue else { return false }
      return [Fact.server, .realm, .clientID, .application].allSatisfy {
        session.details["service.\($0.rawValue)"] == facts[$0]
      }
    }

    /// Kind and server of a session's service, for messages.
    static func name(of session: Session) -> String {
      let place = session.details["service.server"] ?? session.principal.authority
      return (session.details["service"].map { "\($0) at " } ?? "") + ShownText.line(place)
    }
  }
#endif
