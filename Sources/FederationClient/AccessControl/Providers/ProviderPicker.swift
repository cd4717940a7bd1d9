public import TokenErrors

/// The question which identity provider to use, for whatever shows it to a person.
public struct ProviderPicker: Sendable {
  /// As the service lists them.
  public let providers: [IdentityProvider]
  /// The name that was chosen last time; nil where nobody chose yet.
  public let lastChoice: String?

  public init(_ providers: [IdentityProvider], lastChoice: String? = nil) {
    self.providers = providers
    self.lastChoice = lastChoice
  }

  /// The only provider: there is nothing to ask.
  public var only: IdentityProvider? { providers.count == 1 ? providers.first : nil }

  /// The providers to offer by name: the last choice first, then those without e-mail domains in the
  /// order of their names.
  public var buttons: [IdentityProvider] {
    let last = providers.filter { $0.name == lastChoice }.prefix(1)
    let others = providers.filter { $0.emailSuffixes.isEmpty && $0.name != lastChoice }
    return last + others.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Whether some provider is chosen by the address that a person types.
  public var asksForAddress: Bool { providers.contains { !$0.emailSuffixes.isEmpty } }

  /// The provider for an e-mail address: the first that lists the part behind the last `@`.
  /// - Throws: `client.provider`.
  public func provider(forAddress address: String) throws(TokenError) -> IdentityProvider {
    let octets = Array(address.utf8)
    guard let at = octets.lastIndex(of: UInt8(ascii: "@")), at > 0,
      let provider = providers.first(where: { $0.serves(domain: octets[(at + 1)...]) })
    else { throw TokenError(.clientProvider, expected: "an address of a listed domain") }
    return provider
  }

  /// The provider of exactly that name.
  /// - Throws: `client.provider`.
  public func provider(named name: String) throws(TokenError) -> IdentityProvider {
    guard let provider = providers.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
      throw TokenError(.clientProvider, found: TokenError.excerpt(name))
    }
    return provider
  }
}
