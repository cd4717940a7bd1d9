import Octets

/// How one service is tested: where its sign-in begins, how to see who is signed in, and whom the answers name.
package struct AttackConfiguration: Sendable {
  /// A protocol of sign-in.
  package enum SignInProtocol: String, CaseIterable, Sendable {
    /// SAML 2.0, the Web Browser SSO profile.
    case saml20
    /// WS-Federation 1.2, the passive requestor profile.
    case wsFederation = "wsfederation"
    /// OpenID Connect, the code flow.
    case openID = "openid"

    /// The name that people know.
    package var title: String {
      switch self {
      case .saml20: "SAML 2.0"
      case .wsFederation: "WS-Federation"
      case .openID: "OpenID Connect"
      }
    }
  }

  /// The page that tells whether a person is signed in.
  package struct Probe: Sendable {
    package let url: HTTPURL
    /// The status that the page has for a person who is signed in.
    package let status: Int
    /// A text that it has then, in which `PERSON` stands for the subject; nil for none.
    package let contains: String?

    package init(_ url: HTTPURL, status: Int = 200, contains: String? = nil) {
      self.url = url
      self.status = status
      self.contains = contains
    }
  }

  /// Whom an answer names.
  package struct Person: Sendable {
    package let subject: String
    /// Claims by type; `PERSON` in a value stands for the subject.
    package let claims: [(type: String, value: String)]

    package init(_ subject: String, claims: [(type: String, value: String)] = []) {
      self.subject = subject
      self.claims = claims
    }

    /// The claims about that subject.
    package func claims(of subject: String) -> [(type: String, value: String)] {
      claims.map { ($0.type, $0.value.replacing(Self.placeholder, with: subject)) }
    }

    /// Stands for the subject of an answer.
    package static let placeholder = "PERSON"
  }

  /// How the service is made to read the provider's document again: metadata or discovery.
  package struct Rereading: Sendable {
    /// What is sent a POST to; nil to wait alone.
    package let url: HTTPURL?
    /// Seconds that the service has until it has asked for the document.
    package let seconds: Int

    package init(_ url: HTTPURL?, seconds: Int) {
      self.url = url
      self.seconds = seconds
    }
  }

  package let protocolName: SignInProtocol
  /// Where the provider listens.
  package let listen: HostPort
  /// The provider's address, without a slash at its end; also its name.
  package let origin: HTTPURL
  /// Where a sign-in begins.
  package let start: HTTPURL
  package let probe: Probe
  package let person: Person
  /// The subject that forged answers name.
  package let attacker: String
  /// The name of the service at the provider: entity identifier, realm or client; nil to take it from the request.
  package var entity: String?
  /// Where SAML 2.0 answers go when the request names no address.
  package var consumer: HTTPURL?
  /// Where the service takes requests to sign a person out, of OpenID Connect those of the back channel; nil to leave those
  /// variants out.
  package var logout: HTTPURL?
  /// Where the service of OpenID Connect ends the session of a browser (`frontchannel_logout_uri`).
  package var frontChannelLogout: HTTPURL?
  /// Where a sign-in at the second provider begins, which the service trusts too; nil for a service that trusts one.
  package var second: HTTPURL?
  /// Nil for a service that reads the provider's document once.
  package var rereading: Rereading?
  /// The format of WS-Federation's tokens.
  package var tokenVersion = SAMLToken.Version.v1
  /// The person who allowed the test of a service beyond loopback; nil for one on loopback.
  package var authorized: String?
  /// What is filled in on a page of the service in front of the provider, by the names of the fields.
  package var login: [(name: String, value: String)] = []
  /// Whether each variant names a person of its own.
  package var usesCanaries = true
  /// The file of the provider's keys, which the first run makes.
  package var keys = "attack.keys"
  /// The most sign-ins of one run.
  package var mostSignIns = Self.signInRange.upperBound
  /// The most sign-ins that begin in one second.
  package var perSecond = Self.rateRange.upperBound
  /// Seconds that the service has for one response.
  package var timeout = 10
  /// Identifiers of variants that are not played.
  package var skipped: [String] = []

  package init(
    _ name: SignInProtocol, listen: HostPort, origin: HTTPURL, start: HTTPURL, probe: Probe,
    person: Person, attacker: String
  ) {
    protocolName = name
    self.listen = listen
    self.origin = origin
    self.start = start
    self.probe = probe
    self.person = person
    self.attacker = attacker
  }

  /// How many sign-ins one run may begin: enough for every variant twice.
  package static let signInRange = 1...2_000
  /// How many sign-ins may begin in one second: no more than a service on a small machine bears.
  package static let rateRange = 1...5
  package static let timeoutRange = 1...60
  package static let rereadingRange = 1...600

  /// The name of the provider.
  package var issuer: String { origin.origin.description }

  /// The origins to which requests go, and no others.
  package var origins: [HTTPOrigin] { [start.origin, probe.url.origin, origin.origin] }

  /// The origins of the service.
  package var serviceOrigins: [HTTPOrigin] { [start.origin, probe.url.origin] }

  /// The name of one of the providers.
  package func issuer(of party: ProviderParty) -> String { issuer + party.prefix }

  /// A name that no provider has which the service was told to trust.
  package var another: String { issuer + "/another" }

  /// An address of a provider.
  package func address(_ path: String, of party: ProviderParty = .first) -> String {
    issuer(of: party) + path
  }

  /// Whether sessions of OpenID Connect have a name, by which they end.
  package var endsSessions: Bool { logout != nil || frontChannelLogout != nil }

  /// The subject of the answer of a variant, which no other variant has.
  package func subject(of variant: String) -> String {
    guard usesCanaries else { return person.subject }
    let mark = Hex.encode((DigestAlgorithm.sha256.digest(of: Array(variant.utf8)) ?? []).prefix(4))
    // An address stays one.
    guard let at = person.subject.firstIndex(of: "@") else { return person.subject + "-" + mark }
    return person.subject[..<at] + "-" + mark + person.subject[at...]
  }
}
