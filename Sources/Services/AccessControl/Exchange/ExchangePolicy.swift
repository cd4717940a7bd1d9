public import HTTPExchange

/// Which clients may turn tokens of people into tokens of a relying party, and how much these allow.
public struct ExchangePolicy: Hashable, Sendable {
  /// The clients that may exchange tokens (RFC 8693) or redeem assertions about people (RFC 7522, RFC 7523); none by default.
  public var clients: [String] = []
  /// The clients that may ask for its access tokens when a person signs in to them (RFC 8707); none by default.
  public var resourceClients: [String] = []
  /// The service identities that get people's tokens of it by the code flow of OAuth 2.0 draft 13; none by default.
  public var draft13Clients: [String] = []
  /// Those among ``clients`` that may name an actor.
  public var actingClients: [String] = []
  /// The scopes that may be granted (RFC 6749, 3.3).
  public var scopes: [String] = []

  /// No client may.
  public init() {}
}

/// By which names other parties know a client of this service.
public struct ClientNames: Hashable, Sendable {
  /// The audiences of its tokens at providers beside its `client_id`, such as its entity identifier or its `client_id` there.
  public var audiences: [String] = []
  /// The addresses to which providers deliver its tokens.
  public var recipients: [HTTPURL] = []

  /// None.
  public init() {}
}

/// Whether assertions of a provider are grants (RFC 7522, RFC 7523).
public enum GrantUse: String, Hashable, Sendable {
  /// Each is redeemed once.
  case once
  /// An identity assertion grant is redeemed by its client until its end; others once.
  case reuse
}

/// An authorization server that takes grants of this service (Identity Assertion JWT Authorization Grant).
public struct ResourceAuthorizationServer: Hashable, Sendable {
  /// A client of it that is one of ours.
  public struct Client: Hashable, Sendable {
    /// Its `client_id` here.
    public let own: String
    /// Its `client_id` there.
    public let theirs: String

    /// A client.
    public init(_ own: String, theirs: String) {
      self.own = own
      self.theirs = theirs
    }
  }

  /// Its issuer: the audience of the grants.
  public let issuer: String
  /// The clients that may ask for grants.
  public var clients: [Client]
  /// The relying party as which the server knows people; nil for one whose realm is ``issuer``, which need not be configured.
  public var relyingParty: String?
  /// The scopes that grants may have.
  public var scopes: [String] = []
  /// The resources that grants may name (RFC 8707).
  public var resources: [String] = []

  /// A server.
  public init(issuer: String, clients: [Client] = []) {
    self.issuer = issuer
    self.clients = clients
  }
}
