public import HTTPExchange

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
