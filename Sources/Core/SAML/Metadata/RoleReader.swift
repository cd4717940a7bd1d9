import Octets
import SecurityKeys
package import TokenBasics
import XMLSecurity
package import XMLTree

/// Reads the roles of an entity and what hangs below them.
package enum RoleReader {
  private static let kinds: [(ExpandedName, EntityRole.Kind)] = [
    ("IDPSSODescriptor", .identityProvider), ("SPSSODescriptor", .serviceProvider),
    ("AttributeAuthorityDescriptor", .attributeAuthority),
    ("AuthnAuthorityDescriptor", .authenticationAuthority), ("PDPDescriptor", .policyDecisionPoint),
  ].map { (ExpandedName($0, in: MetadataName.namespace), $1) }

  private static let types: [(String, EntityRole.Kind)] = [
    ("SecurityTokenServiceType", .securityTokenService),
    ("ApplicationServiceType", .applicationService),
  ]

  /// The role that `element` is, unless it is something else.
  package static func read(
    _ element: Element, _ scope: MetadataScope, _ certificates: inout EntityCertificates
  ) throws(TokenError) -> EntityRole? {
    guard let (kind, name) = kind(of: element, scope.namespaces) else { return nil }
    let own = try scope.entered(element)
    var keys: [EntityKey] = []
    var endpoints: [MetadataEndpoint] = []
    for child in try element.children() {
      if child.isNamed(MetadataName.keyDescriptor) {
        keys += try self.keys(of: child, &certificates)
      } else if let endpoint = try endpoint(child) {
        endpoints.append(endpoint)
      }
    }
    let protocols = (element.attribute(MetadataName.protocols) ?? "").utf8
      .split(whereSeparator: ASCII.isWhiteSpace).map { String(Substring($0)) }
    return EntityRole(
      kind: kind, name: name, protocols: protocols, validUntil: own.validUntil, keys: keys,
      endpoints: endpoints, details: try RoleDetails(of: element))
  }

  /// The kind of role, by the element's name or its `xsi:type`; nil for another element.
  private static func kind(
    of element: Element, _ namespaces: SignedNamespaces?
  ) -> (kind: EntityRole.Kind, name: String)? {
    if let (_, kind) = kinds.first(where: { element.isNamed($0.0) }) {
      return (kind, element.localName)
    }
    guard element.isNamed(MetadataName.roleDescriptor) else { return nil }
    guard let type = qualifiedType(of: element, namespaces) else {
      if namespaces != nil, let type = typeByEndpoint(of: element) { return type }
      return (.other, element.localName)
    }
    guard type.namespace.hasSameBytes(as: MetadataName.federation),
      let (_, kind) = types.first(where: { $0.0.hasSameBytes(as: type.local) })
    else { return (.other, type.local) }
    return (kind, type.local)
  }

  /// The kind of a role whose type's prefix no signature covers, as those of ADFS and Entra ID.
  ///
  /// The local name of the type is digested and so is the endpoint that a role of WS-Federation's type has and one of
  /// the other has not (WS-Federation 1.2, 3.1.2.2, 3.1.2.3): together they leave no doubt. A role with both endpoints, or
  /// neither, is of no known kind.
  private static func typeByEndpoint(
    of element: Element
  ) -> (kind: EntityRole.Kind, name: String)? {
    guard let local = typeLocalName(of: element),
      let (name, kind) = types.first(where: { $0.0.hasSameBytes(as: local) }),
      endpointKinds(of: element) == [kind]
    else { return nil }
    return (kind, name)
  }

  /// The kinds of WS-Federation role of which the element has the endpoint that only they have.
  private static func endpointKinds(of element: Element) -> [EntityRole.Kind] {
    let children = (try? element.children()) ?? []
    return endpointNames.filter { name, _ in children.contains { $0.isNamed(name) } }.map(\.1)
  }

  private static let endpointNames: [(ExpandedName, EntityRole.Kind)] = [
    ("SecurityTokenServiceEndpoint", .securityTokenService),
    ("ApplicationServiceEndpoint", .applicationService),
  ].map { (ExpandedName($0, in: MetadataName.federation), $1) }

  private static func typeLocalName(of element: Element) -> String? {
    guard let text = element.collapsedAttribute(AttributeName.xsiType) else { return nil }
    return text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).last
      .map { String(Substring($0)) }
  }

  /// Whether a role names a type of WS-Federation and has the endpoints of both types, of neither, or of the other one:
  /// under a signature that does not cover what its prefix means, as is usual, such a role gives no key.
  package static func hasDoubtfulType(_ element: Element) -> Bool {
    guard element.isNamed(MetadataName.roleDescriptor), let local = typeLocalName(of: element),
      let (_, kind) = types.first(where: { $0.0.hasSameBytes(as: local) })
    else { return false }
    return endpointKinds(of: element) != [kind]
  }

  /// The `xsi:type` of an element, its prefix resolved in the element's scope, because a file may
  /// choose any prefix. Nil when there is none or its prefix is not declared.
  package static func qualifiedType(of element: Element) -> (namespace: String, local: String)? {
    qualifiedType(of: element, nil)
  }

  /// - Parameter namespaces: What prefixes mean in what is signed. There the declaration has to be
  ///   covered, or an attacker could rebind the prefix without changing the digest.
  private static func qualifiedType(
    of element: Element, _ namespaces: SignedNamespaces?
  ) -> (namespace: String, local: String)? {
    func namespace(_ prefix: String) -> String? {
      guard let namespaces else { return element.namespace(forPrefix: prefix) }
      return namespaces.namespace(forPrefix: prefix, at: element)
    }
    guard let text = element.collapsedAttribute(AttributeName.xsiType) else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    switch parts.count {
    case 1:
      return (namespace("") ?? "", parts[0])
    case 2 where !parts[0].isEmpty:
      return namespace(parts[0]).map { ($0, parts[1]) }
    default:
      return nil
    }
  }

  /// The warning for a role that would issue tokens if what its type's prefix means were known.
  static func warning(_ element: Element, _ namespaces: SignedNamespaces) -> String? {
    guard kind(of: element, nil)?.kind == .securityTokenService,
      kind(of: element, namespaces)?.kind == .other
    else { return nil }
    return
      "role: the keys of \(element.path) are not used: the signature does not cover what the prefix of its "
      + "xsi:type means, and a SecurityTokenServiceEndpoint without an ApplicationServiceEndpoint would say that it "
      + "is a security token service"
  }

  /// The use of a `KeyDescriptor`; nil for an undefined value, whose keys are not used.
  package static func use(of descriptor: Element) -> EntityKey.Use? {
    guard let use = descriptor.collapsedAttribute(MetadataName.use) else { return .both }
    return [.signing, .encryption].first { $0.rawValue.hasSameBytes(as: use) }
  }

  /// The `X509Data` elements of a `KeyDescriptor`.
  package static func certificateData(of descriptor: Element) throws(TokenError) -> [Element] {
    guard let info = try descriptor.children().first(where: { $0.isNamed(DSName.keyInfo) }) else {
      return []
    }
    return try info.children().filter { $0.isNamed(DSName.x509Data) }
  }

  /// The `X509Certificate` of the entity itself among those of an `X509Data`, and how many there are; nil for none. The others are
  /// a chain in any order (XML Signature 1.1, 4.5.4): the key of an authority never signed a token (Metadata Interoperability
  /// Profile 2.6.1).
  package static func certificate(
    of data: Element
  ) throws(TokenError) -> (element: Element, count: Int)? {
    let found = try data.children().filter { $0.isNamed(DSName.x509Certificate) }
    guard let first = found.first else { return nil }
    guard found.count > 1 else { return (first, 1) }
    let place = Certificate.endEntity(of: found.map { EntityCertificate.der(of: $0) ?? [] })
    return (found[place], found.count)
  }

  /// One key for each `X509Data`.
  private static func keys(
    of descriptor: Element, _ certificates: inout EntityCertificates
  ) throws(TokenError) -> [EntityKey] {
    guard let use = use(of: descriptor) else { return [] }
    var keys: [EntityKey] = []
    for data in try certificateData(of: descriptor) {
      let element = try certificate(of: data)?.element
      keys.append(EntityKey(use: use, element.map { certificates.certificate(of: $0) }))
    }
    return keys.isEmpty ? [EntityKey(use: use, nil)] : keys
  }

  /// The endpoint that `element` is, if it is one.
  package static func endpoint(_ element: Element) throws(TokenError) -> MetadataEndpoint? {
    if element.namespaceURI.hasSameBytes(as: MetadataName.namespace),
      let location = element.collapsedAttribute(MetadataName.location)
    {
      return MetadataEndpoint(
        name: element.localName, binding: element.collapsedAttribute(MetadataName.binding),
        location: location,
        responseLocation: element.collapsedAttribute(MetadataName.responseLocation),
        index: element.collapsedAttribute(MetadataName.index),
        isDefault: ["true", "1"].contains(element.collapsedAttribute(MetadataName.isDefault)))
    }
    guard element.namespaceURI.hasSameBytes(as: MetadataName.federation),
      element.localName.hasSuffix("Endpoint"),
      let reference = try element.children().first(where: {
        $0.isNamed(MetadataName.endpointReference)
      }), let address = try reference.children().first(where: { $0.isNamed(MetadataName.address) })
    else { return nil }
    return MetadataEndpoint(
      name: element.localName, binding: nil, location: try address.collapsedText(),
      responseLocation: nil, index: nil, isDefault: false)
  }
}
