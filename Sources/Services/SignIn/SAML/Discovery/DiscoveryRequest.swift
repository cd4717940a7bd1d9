public import Federation
public import HTTPExchange
import Octets

/// A service's question which identity provider a person uses (Identity Provider Discovery Service Protocol and
/// Profile, 2.4.1), with an address that the service's metadata has: any other would lead people astray.
public struct DiscoveryRequest: Sendable {
  /// The service that asks.
  public let entityID: String
  /// Whether the answer is wanted without asking the person.
  public let isPassive: Bool
  private let address: HTTPURL
  private let parameter: String

  /// Reads a request to the discovery service.
  ///
  /// - Parameters:
  ///   - request: The request of the browser.
  ///   - services: The metadata of the services that may ask.
  /// - Throws: `client.duplicate-parameter`, `client.malformed-form`, `client.parameter`;
  ///   `signin.discovery-service`, `signin.discovery-return`.
  public init(_ request: WebRequest, services: [EntityDescriptor]) throws(TokenError) {
    let query = try request.parameters
    let entityID = try query.require("entityID")
    if let policy = query["policy"], !policy.hasSameBytes(as: Self.single) {
      throw TokenError(.clientParameter, node: "policy", expected: Self.single)
    }
    guard let service = services.first(where: { $0.entityID.hasSameBytes(as: entityID) }) else {
      throw TokenError(.signInDiscoveryService, found: TokenError.excerpt(entityID))
    }
    let allowed = service.roles.filter { $0.kind == .serviceProvider }
      .flatMap(\.discoveryResponses).compactMap { try? HTTPURL($0) }
    let parameter = query["returnIDParam"] ?? DiscoveryService.parameter
    guard let address = try query["return"].map(HTTPURL.init) ?? allowed.first,
      // The query is the service's own affair; the rest has to be what it published.
      allowed.contains(where: { $0.origin == address.origin && $0.path == address.path })
    else { throw TokenError(.signInDiscoveryReturn, node: "return") }
    guard !parameter.isEmpty, try FormReader((address.query ?? "").utf8)[parameter] == nil else {
      throw TokenError(
        .clientParameter, node: "returnIDParam", expected: "a name that the address has not")
    }
    self.entityID = entityID
    isPassive = query["isPassive"] == "true" || query["isPassive"] == "1"
    self.address = address
    self.parameter = parameter
  }

  /// Sends the person back with the provider's entity identifier; nil where none was chosen.
  public func answer(_ provider: String?) -> BrowserAction {
    .redirect(provider.map { address.adding([(parameter, $0)]) } ?? address)
  }

  /// The parameters of the same question.
  public var parameters: [(String, String)] {
    [("entityID", entityID), ("return", address.text), ("returnIDParam", parameter)]
  }

  private static let single =
    "urn:oasis:names:tc:SAML:profiles:SSO:idp-discovery-protocol:single"
}

/// A discovery service, which asks the person for the identity provider in place of this service (Identity Provider
/// Discovery Service Protocol and Profile, 2.4). Its answer names a provider and proves nothing.
public struct DiscoveryService: Sendable {
  /// Where it asks.
  public let address: HTTPURL

  /// The service at that address.
  public init(_ address: HTTPURL) { self.address = address }

  /// Asks, on behalf of the service `entityID`. The answer is ``parameter`` in the query of `returnAddress`,
  /// which is in the service's metadata.
  public func ask(for entityID: String, returningTo returnAddress: HTTPURL) -> BrowserAction {
    .redirect(address.adding([("entityID", entityID), ("return", returnAddress.text)]))
  }

  /// The parameter that names the provider: `entityID`, as none else is asked for.
  public static var parameter: String { "entityID" }
}
