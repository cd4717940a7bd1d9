public import Claims
public import SecurityKeys
public import TokenBasics
package import XMLTree

/// The metadata of one entity (SAML Metadata 2.3.2). It is the publisher's data: it cannot lower a rule of
/// this package, and no address in it is fetched.
public struct EntityDescriptor: Sendable {
  /// The name that the entity's tokens carry as their issuer.
  public let entityID: String
  /// Until when the entity may be relied on: the earliest of its own and those of the groups around
  /// it. Nil for no end.
  public let validUntil: Instant?
  /// How long to keep a copy, from the entity or the nearest group around it.
  public let cacheDuration: CalendarDuration?
  /// The roles, in document order.
  public private(set) var roles: [EntityRole]

  /// Whether the description has expired at `now`.
  public func hasExpired(at now: Instant) -> Bool { validUntil.map { $0 <= now } ?? false }

  /// The entity with the roles that may be relied on at `now`; nil once the entity has expired, or all of its roles have.
  /// The end of a role is the earliest of its own, the entity's and those of the groups around it.
  package func current(at now: Instant) -> EntityDescriptor? {
    guard !hasExpired(at: now) else { return nil }
    var current = self
    current.roles.removeAll { $0.hasExpired(at: now) }
    return current.roles.isEmpty && !roles.isEmpty ? nil : current
  }

  /// Reads an `EntityDescriptor` element inside `scope`.
  ///
  /// - Throws: `policy.metadata-entity-id`, `time.malformed`, `xml.*`.
  package init(_ element: Element, in scope: MetadataScope) throws(TokenError) {
    entityID = try Self.entityID(of: element)
    let own = try scope.entered(element)
    validUntil = own.validUntil
    cacheDuration = own.cacheDuration
    var roles: [EntityRole] = []
    var certificates = EntityCertificates()
    for child in try element.children() {
      if let role = try RoleReader.read(child, own, &certificates) { roles.append(role) }
    }
    self.roles = roles
  }

  /// The name of an `EntityDescriptor`.
  ///
  /// - Throws: `policy.metadata-entity-id`.
  package static func entityID(of element: Element) throws(TokenError) -> String {
    let name = element.attribute(MetadataName.entityID) ?? ""
    // SAML Core 8.3.6 names the length.
    guard (1...1024).contains(name.unicodeScalars.count),
      !name.unicodeScalars.contains(where: \.isControl)
    else {
      throw TokenError(
        .metadataEntityID, node: element.path, expected: "@entityID of 1 to 1024 characters",
        found: TokenError.excerpt(name))
    }
    return name
  }
}

/// The entities that were described so far, compared as bytes.
package struct EntityNames: Sendable {
  private var names: Set<[UInt8]> = []

  package init() {}

  /// - Throws: `policy.metadata-duplicate`: neither description is used.
  package mutating func insert(_ name: String) throws(TokenError) {
    guard names.insert(Array(name.utf8)).inserted else {
      throw TokenError(
        .metadataDuplicate, expected: "one EntityDescriptor", found: TokenError.excerpt(name))
    }
  }
}

/// The publication information of a metadata document (SAML V2.0 Metadata Extensions for
/// Registration and Publication Information, 2.2).
struct PublicationInfo {
  /// When the publisher made the document.
  let creationInstant: Instant?

  /// - Parameter root: The document element. That of entities below applies to them alone.
  /// - Throws: `time.malformed`.
  init?(of root: Element) throws(TokenError) {
    guard let extensions = try root.children().first(where: { $0.isNamed(MetadataName.extensions) })
    else { return nil }
    try self.init(extensions: extensions)
  }

  /// - Parameter extensions: A child of the document element; nothing is read from other elements.
  /// - Throws: `time.malformed`.
  init?(extensions: Element) throws(TokenError) {
    guard extensions.isNamed(MetadataName.extensions),
      let info = try extensions.children().first(where: {
        $0.isNamed(MetadataName.publicationInfo)
      })
    else { return nil }
    creationInstant = try info.instant(MetadataName.creationInstant)
  }
}

extension EntityDescriptor {
  /// Trusts the keys with which the entity signs tokens, for tokens that name it as their issuer, as
  /// long as the metadata is valid; nil when it lists none. The keys are decoded when a token first
  /// names the entity; one that cannot be used is left out.
  ///
  /// - Parameters:
  ///   - formats: What the keys vouch for.
  ///   - projection: Which claims of the issuer are shown, and under which names.
  ///   - trusting: Makes the trusted key of one key.
  public func trustedIssuer(
    formats: Set<TokenFormat> = [.saml11, .saml20, .jwt], projection: ClaimProjection = .all,
    trusting: @escaping @Sendable (VerificationKey) -> TrustedKey = { TrustedKey($0) }
  ) -> TrustedIssuer? {
    trustedIssuer(formats: formats, projection: projection, exceptions: nil, trusting: trusting)
  }

  /// - Parameter exceptions: The exceptions of `trusting`, where they are known beforehand.
  package func trustedIssuer(
    formats: Set<TokenFormat>, projection: ClaimProjection, exceptions: Set<LegacyException>?,
    trusting: @escaping @Sendable (VerificationKey) -> TrustedKey
  ) -> TrustedIssuer? {
    var listed: [(key: EntityKey, validUntil: Instant?)] = []
    for role in roles where role.issuesTokens {
      listed += role.signingKeys.map { ($0, role.validUntil) }
    }
    guard !listed.isEmpty else { return nil }
    return TrustedIssuer(
      metadata: entityID, formats: formats, projection: projection, exceptions: exceptions
    ) { [listed] in
      listed.compactMap { entry in
        guard let key = try? entry.key.key() else { return nil }
        var trusted = trusting(key)
        trusted.validUntil = entry.validUntil
        return trusted
      }
    }
  }

  /// Why signing keys of the entity cannot be used: ``trustedIssuer(formats:projection:trusting:)``
  /// leaves these out.
  package var unusableKeys: [TokenError] {
    roles.filter(\.issuesTokens).flatMap { role in
      role.signingKeys.enumerated().compactMap { (place, key) -> TokenError? in
        do throws(TokenError) {
          _ = try key.key()
          return nil
        } catch {
          return error.within("\(TokenError.excerpt(entityID)), signing key \(place + 1)")
        }
      }
    }
  }
}
