public import TokenBasics

/// The identity providers that a user interface offers for a choice.
public struct ProviderPicker: Sendable {
  /// All providers, in the order of the service's list.
  public let providers: [IdentityProvider]
  /// The name of the provider chosen last time; nil before the first choice.
  public let lastChoice: String?

  /// A picker for these providers.
  public init(_ providers: [IdentityProvider], lastChoice: String? = nil) {
    self.providers = providers
    self.lastChoice = lastChoice
  }

  /// The single provider, which needs no choice; nil if there are several or none.
  public var only: IdentityProvider? { providers.count == 1 ? providers.first : nil }

  /// The providers to offer by name: the last choice first, then those without e-mail domains in the
  /// order of their names.
  public var buttons: [IdentityProvider] {
    let last = providers.filter { $0.name == lastChoice }.prefix(1)
    let others = providers.filter { $0.emailSuffixes.isEmpty && $0.name != lastChoice }
    return last + others.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Whether any provider has e-mail domains, so that a typed address can select it.
  public var asksForAddress: Bool { providers.contains { !$0.emailSuffixes.isEmpty } }

  /// The provider for an e-mail address: the first whose ``IdentityProvider/emailSuffixes`` contain the part
  /// after the last `@`.
  /// - Throws: `client.provider` if no provider lists the domain.
  public func provider(forAddress address: String) throws(TokenError) -> IdentityProvider {
    let octets = Array(address.utf8)
    guard let at = octets.lastIndex(of: UInt8(ascii: "@")), at > 0,
      let provider = providers.first(where: { $0.serves(domain: octets[(at + 1)...]) })
    else { throw TokenError(.clientProvider, expected: "an address of a listed domain") }
    return provider
  }

  /// The provider with that name, byte for byte.
  /// - Throws: `client.provider` if no provider has that name.
  public func provider(named name: String) throws(TokenError) -> IdentityProvider {
    guard let provider = providers.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
      throw TokenError(.clientProvider, found: TokenError.excerpt(name))
    }
    return provider
  }
}
