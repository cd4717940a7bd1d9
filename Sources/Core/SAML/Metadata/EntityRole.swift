import Octets
public import TokenBasics
package import XMLTree

/// A role of an entity with its keys and endpoints (SAML Metadata 2.4.1).
public struct EntityRole: Sendable {
  /// The role's type.
  public enum Kind: Hashable, Sendable {
    /// `IDPSSODescriptor`: issues assertions.
    case identityProvider
    /// `SPSSODescriptor`: consumes assertions.
    case serviceProvider
    /// `AttributeAuthorityDescriptor`.
    case attributeAuthority
    /// `AuthnAuthorityDescriptor`.
    case authenticationAuthority
    /// `PDPDescriptor`.
    case policyDecisionPoint
    /// WS-Federation: issues tokens.
    case securityTokenService
    /// WS-Federation: consumes tokens.
    case applicationService
    /// A `RoleDescriptor` of an unknown type, or without one.
    case other
  }

  /// The role's type.
  public let kind: Kind
  /// The element's name, or the local name of its `xsi:type`.
  public let name: String
  /// The protocols of `protocolSupportEnumeration`.
  public let protocols: [String]
  /// Until when the role may be relied on: the earliest of its own and those around it.
  public let validUntil: Instant?
  /// The keys of its `KeyDescriptor` elements, in document order.
  public let keys: [EntityKey]
  /// The endpoints, in document order.
  public let endpoints: [MetadataEndpoint]
  let details: RoleDetails

  /// Whether the role has expired at `now`.
  public func hasExpired(at now: Instant) -> Bool { validUntil.map { $0 <= now } ?? false }

  /// Whether the role wants requests signed (`WantAuthnRequestsSigned`).
  public var wantsSignedRequests: Bool { details.wantsSignedRequests }
  /// Whether the role signs its requests (`AuthnRequestsSigned`): one without a signature is not its.
  public var signsRequests: Bool { details.signsRequests }
  /// The scopes that the role may assert (`shibmd:Scope`), without patterns.
  public var scopes: [String] { details.scopes }
  /// The names to show to people, by language (`mdui:DisplayName`).
  public var displayNames: [(language: String, name: String)] { details.displayNames }
  /// The addresses to which a discovery service may send this service's people back
  /// (`idpdisc:DiscoveryResponse`), as written.
  public var discoveryResponses: [String] { details.discoveryResponses }

  /// Whether the role's signing keys vouch for tokens: an identity provider that speaks SAML, or a
  /// security token service. A service provider's key signs requests and never an assertion.
  public var issuesTokens: Bool {
    switch kind {
    case .identityProvider: protocols.containsBytes(ofAny: Self.samlProtocols)
    case .securityTokenService: protocols.containsBytes(ofAny: Self.tokenServiceProtocols)
    default: false
    }
  }

  /// Whether the role speaks SAML 2.0.
  public var supportsSAML2: Bool { protocols.containsBytes(ofAny: [Self.samlProtocols[0]]) }

  /// The keys that may verify what the role signs.
  public var signingKeys: [EntityKey] { keys.filter { $0.use != .encryption } }

  package static let samlProtocols = [
    "urn:oasis:names:tc:SAML:2.0:protocol", "urn:oasis:names:tc:SAML:1.1:protocol",
    "urn:oasis:names:tc:SAML:1.0:protocol",
  ]
  package static let tokenServiceProtocols = [
    MetadataName.federation, "http://docs.oasis-open.org/ws-sx/ws-trust/200512",
    "http://schemas.xmlsoap.org/ws/2005/02/trust",
  ]
}

extension [String] {
  /// Whether one of the strings is the same bytes as one of `others`.
  fileprivate func containsBytes(ofAny others: [String]) -> Bool {
    contains { others.containsBytes(of: $0) }
  }
}

/// An endpoint of a role (SAML Metadata 2.2.2; WS-Federation 1.2, 3.1.2).
public struct MetadataEndpoint: Sendable {
  /// The element's name, such as `SingleSignOnService` or `PassiveRequestorEndpoint`.
  public let name: String
  /// The SAML binding; nil for WS-Federation.
  public let binding: String?
  /// The address, as written.
  public let location: String
  /// The address for responses, if not ``location``.
  public let responseLocation: String?
  /// The index of an indexed endpoint, as written.
  public let index: String?
  /// Whether it is the default among indexed endpoints.
  public let isDefault: Bool

  /// Why the endpoint is not used; nil when both addresses are sound.
  public var problem: EndpointProblem? {
    EndpointProblem(of: location) ?? responseLocation.flatMap(EndpointProblem.init(of:))
  }
}

/// A part of a metadata file, in document order.
package enum MetadataItem: Sendable {
  /// An `EntitiesDescriptor` opens; only its attributes are to be seen.
  case group(Element)
  case groupEnd
  /// A `ds:Signature` or `Extensions` of a group.
  case groupContent(Element)
  /// An `EntityDescriptor`, and what it inherits.
  case entity(Element, MetadataScope)
}

/// What a role says of itself to service providers.
struct RoleDetails: Sendable {
  /// `WantAuthnRequestsSigned` (SAML Metadata 2.4.3).
  var wantsSignedRequests = false
  /// `AuthnRequestsSigned` (SAML Metadata 2.4.4).
  var signsRequests = false
  /// The literal `shibmd:Scope` values.
  var scopes: [String] = []
  /// The `mdui:DisplayName` values by language, in document order.
  var displayNames: [(language: String, name: String)] = []
  /// The addresses to which a discovery service may answer (`idpdisc:DiscoveryResponse`), in document order.
  var discoveryResponses: [String] = []

  init() {}

  /// Reads the attributes and extensions of a role. An extension that cannot be read is left out: others
  /// write what is in it, and no decision depends on it but to withhold.
  ///
  /// - Throws: `xml.*` for the role itself.
  init(of role: Element) throws(TokenError) {
    wantsSignedRequests = ["true", "1"].contains(
      role.collapsedAttribute(ExpandedName("WantAuthnRequestsSigned")) ?? "")
    signsRequests = ["true", "1"].contains(
      role.collapsedAttribute(ExpandedName("AuthnRequestsSigned")) ?? "")
    guard let extensions = try role.children().first(where: { $0.isNamed(MetadataName.extensions) })
    else { return }
    for child in (try? extensions.children()) ?? [] {
      if child.isNamed(Self.scope) {
        // A pattern would be a second language to match in; what it covers counts as out of scope.
        let isPattern = ["true", "1"].contains(
          child.collapsedAttribute(ExpandedName("regexp")) ?? "")
        if !isPattern, let scope = try? child.collapsedText() { scopes.append(scope) }
      } else if child.isNamed(MetadataName.discoveryResponse) {
        if let location = child.collapsedAttribute(MetadataName.location) {
          discoveryResponses.append(location)
        }
      } else if child.isNamed(Self.uiInfo) {
        for name in (try? child.children()) ?? [] where name.isNamed(Self.displayName) {
          guard let text = try? name.text() else { continue }
          displayNames.append((name.attribute(Self.language) ?? "", text))
        }
      }
    }
  }

  private static let scope = ExpandedName("Scope", in: "urn:mace:shibboleth:metadata:1.0")
  private static let ui = "urn:oasis:names:tc:SAML:metadata:ui"
  private static let uiInfo = ExpandedName("UIInfo", in: ui)
  private static let displayName = ExpandedName("DisplayName", in: ui)
  private static let language = ExpandedName("lang", in: "http://www.w3.org/XML/1998/namespace")
}
