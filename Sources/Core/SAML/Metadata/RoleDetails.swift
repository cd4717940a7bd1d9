import Octets
import TokenErrors
import XMLTree

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
