public import Federation
public import HTTPExchange
import Octets

/// A SAML 2.0 service provider as its metadata describes it: where answers and logout messages go, and its keys.
public struct SAMLServiceProvider: Sendable {
  /// An endpoint of the browser.
  public struct Endpoint: Sendable {
    /// Its binding.
    public let binding: SAMLBinding
    /// The address for requests.
    public let location: HTTPURL
    /// The address for responses.
    public let responseLocation: HTTPURL
    /// Its index; nil without one.
    let index: String?
    let isDefault: Bool
  }

  /// The entity identifier, which is the realm.
  public let entityID: String
  /// The addresses to which answers may be posted.
  public let consumers: [Endpoint]
  /// The endpoints of single logout in the browser.
  public let logout: [Endpoint]
  /// The address of single logout from server to server; nil for none.
  public private(set) var directLogout: HTTPURL?
  /// The keys that verify its messages.
  public let keys: [TrustedKey]
  /// Whether it signs its requests: one without a signature is refused.
  public let signsRequests: Bool
  /// The certificate for which assertions may be encrypted; nil for none.
  public let encryptionCertificate: Certificate?
  /// When the metadata ends: the earliest end of the role, the entity and the groups around it; nil for no end.
  public let validUntil: Instant?

  /// The service provider of an entity; nil where it has no such role of SAML 2.0. Endpoints that are not https (or
  /// http on loopback) are left out.
  public init?(_ entity: EntityDescriptor) {
    let role = entity.roles.first { $0.kind == .serviceProvider && $0.supportsSAML2 }
    guard let role else { return nil }
    entityID = entity.entityID
    validUntil = role.validUntil
    consumers = Self.endpoints(role, "AssertionConsumerService", [.post])
    logout = Self.endpoints(role, "SingleLogoutService", [.redirect, .post])
    directLogout = Self.endpoints(role, "SingleLogoutService", [.soap]).first?.location
    keys = role.signingKeys.compactMap { try? TrustedKey($0.key()) }
    signsRequests = role.signsRequests
    encryptionCertificate =
      role.keys.lazy.filter { $0.use != .signing }.compactMap { key -> Certificate? in
        guard case .certificate(let certificate)? = (try? key.key())?.material else { return nil }
        return certificate
      }.first
  }

  /// The service provider of an entity in a document that was fetched from that origin. A logout address at another server
  /// of this network is left out, since the service itself calls it.
  init?(_ entity: EntityDescriptor, documentOf origin: HTTPOrigin) {
    self.init(entity)
    if let address = directLogout, !origin.mayName(address.origin) { directLogout = nil }
  }

  /// Checks that the metadata has not ended: nothing in it may be relied on afterwards (SAML Metadata 2.3.2, 2.4.1).
  ///
  /// - Throws: `key.metadata-expired`.
  public func checkValidity(at now: Instant) throws(TokenError) {
    guard let validUntil, validUntil <= now else { return }
    throw TokenError(
      .metadataExpired, node: entityID, expected: "metadata that is valid after \(now.rfc3339)",
      found: "validUntil \(validUntil.rfc3339)")
  }

  /// The address to which an answer goes: the one that is asked for, by address or index, if the metadata has it.
  ///
  /// - Throws: `issuing.reply-address`.
  public func consumer(
    asked address: String?, index: String? = nil
  ) throws(TokenError) -> HTTPURL {
    let found: Endpoint? =
      if let address {
        consumers.first { $0.location.text.hasSameBytes(as: address) }
      } else if let index {
        consumers.first { $0.index.hasSameBytes(as: index) }
      } else {
        consumers.first(where: \.isDefault) ?? consumers.first
      }
    guard let found else {
      throw TokenError(
        .issuingReplyAddress, node: entityID,
        found: (address ?? index).map { TokenError.excerpt($0) })
    }
    return found.location
  }

  private static func endpoints(
    _ role: EntityRole, _ name: String, _ bindings: [SAMLBinding]
  ) -> [Endpoint] {
    role.endpoints.compactMap { endpoint in
      guard endpoint.name == name,
        let binding = endpoint.binding.flatMap(SAMLBinding.init(rawValue:)),
        bindings.contains(binding), let location = try? HTTPURL(endpoint.location)
      else { return nil }
      return Endpoint(
        binding: binding, location: location,
        responseLocation: endpoint.responseLocation.flatMap { try? HTTPURL($0) } ?? location,
        index: endpoint.index, isDefault: endpoint.isDefault)
    }
  }
}
