package import Claims
package import HTTPExchange
import IssuerRegistry
package import LocalFiles
import Octets
package import SecurityKeys
package import TokenBasics

/// A provider's entry in a configuration file, as far as it is of one protocol.
package protocol ProtocolConfiguration: Sendable {
  /// The member of the entry, such as `saml`, whose value this is.
  static var member: String { get }

  /// Reads the value of the member.
  ///
  /// - Returns: nil where something is missing without which there is no provider; `file` has the error.
  init?(_ value: JSONValue, _ file: inout MemberReader)

  /// The file of metadata; nil for metadata at an address, or none.
  var metadataFile: String? { get }
  /// The files of secrets.
  var secretFiles: [String] { get }

  /// The provider.
  ///
  /// - Throws: The folder's code for a value that is refused, `key.*`, `xml.*`, `registry.*` and other errors of
  ///   metadata.
  func provider(
    _ provider: ProviderConfiguration, _ service: ConfiguredService, at now: Instant
  ) throws(TokenError) -> SignInProvider
}

extension ProtocolConfiguration {
  package var secretFiles: [String] { [] }
}

extension ProviderConfiguration {
  /// The protocols that an entry may be of.
  package static let protocols: [any ProtocolConfiguration.Type] = [
    SAMLConfiguration.self, WSFederationConfiguration.self, OpenIDRegistration.self,
  ]

  /// The members of an entry, each of one protocol.
  package static var members: [String] { protocols.map { $0.member } }

  /// The one protocol of a provider's entry.
  package static func exchange(
    _ entry: JSONValue, _ file: inout MemberReader
  ) -> (any ProtocolConfiguration)? {
    let found = protocols.compactMap { kind in entry[kind.member].map { (kind, $0) } }
    guard let (kind, value) = found.first, found.count == 1 else {
      file.refuse(entry, "one of " + members.joined(separator: ", "))
      return nil
    }
    return kind.init(value, &file)
  }
}

/// The service at which people sign in, as far as providers need to know it.
package struct ConfiguredService: Sendable {
  /// The files that the configuration names.
  package let folder: any ConfigurationFolder
  /// Our side of SAML.
  package let saml: ServiceProvider
  /// Addresses and times.
  package let settings: SiteSettings
  /// Decrypt assertions.
  package let keys: [PrivateKey]
  /// The claims that the service uses, each by the types that it may have: UserInfo is read for them.
  package let neededClaims: [[ClaimType]]
  /// Hears of what is fetched, and of what cannot be.
  package let observer: any ActivityObserver
  /// The network.
  private let transport: @Sendable () throws(TokenError) -> any HTTPTransport
  /// The boundaries around the servers that the service calls.
  package let dependencies: Dependencies
  /// The providers of the service that this one takes the place of; empty for none.
  let former: [SignInProvider]

  package init(
    _ folder: any ConfigurationFolder, saml: ServiceProvider, settings: SiteSettings,
    keys: [PrivateKey] = [], neededClaims: [[ClaimType]] = [],
    observer: any ActivityObserver = NoObserver(),
    transport: @escaping @Sendable () throws(TokenError) -> any HTTPTransport,
    dependencies: Dependencies = Dependencies(), replacing former: [SignInProvider] = []
  ) {
    self.folder = folder
    self.saml = saml
    self.settings = settings
    self.keys = keys
    self.neededClaims = neededClaims
    self.observer = observer
    self.transport = transport
    self.dependencies = dependencies
    self.former = former
  }

  /// The network of a provider, with connections of its own and within the limits of a dependency.
  ///
  /// - Throws: Errors of what makes the network.
  func boundary(of provider: ProviderConfiguration) throws(TokenError) -> BoundedTransport {
    dependencies.boundary(.provider, provider.id, over: try transport())
  }

  /// What an earlier provider fetched from there and is in use; nil for none.
  func fetched(from source: OpenIDSource, at now: Instant) -> OpenIDRegistry? {
    former.lazy.compactMap { $0.registry as? OpenIDRegistry }.first {
      $0.issuer.hasSameBytes(as: source.issuer) && $0.address == source.url
        && $0.readyTrust(at: now) != nil
    }
  }
}
