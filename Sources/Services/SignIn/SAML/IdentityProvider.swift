public import Federation
public import HTTPExchange

/// A SAML 2.0 identity provider as its metadata describes it: where to sign in and out. Its keys are those
/// of the trust, never of this value.
public struct IdentityProvider: Sendable {
  /// An endpoint with a supported binding.
  public struct Endpoint: Sendable {
    /// How messages travel to it.
    public let binding: SAMLBinding
    /// Where requests go.
    public let location: HTTPURL
    /// Where responses go: ``location`` unless the metadata names another address.
    public let responseLocation: HTTPURL

    /// An endpoint.
    public init(_ binding: SAMLBinding, _ location: HTTPURL, responseLocation: HTTPURL? = nil) {
      self.binding = binding
      self.location = location
      self.responseLocation = responseLocation ?? location
    }
  }

  /// The name that its assertions carry as their issuer.
  public let entityID: String
  /// Where sign-in requests go, in order of preference.
  public let signOn: [Endpoint]
  /// Where logout messages go, in order of preference; empty for none.
  public let logout: [Endpoint]
  /// Where artifacts are resolved, by index; empty for none.
  public let artifactResolution: [Int: HTTPURL]
  /// Whether it wants sign-in requests signed.
  public let wantsSignedRequests: Bool
  /// The scopes that it may assert (`shibmd:Scope`); empty where its metadata has none.
  public let scopes: [String]
  /// The name to show to people; the entity identifier without one.
  public let displayName: String

  /// A provider with these endpoints.
  public init(
    entityID: String, signOn: [Endpoint], logout: [Endpoint] = [],
    artifactResolution: [Int: HTTPURL] = [:], wantsSignedRequests: Bool = false,
    scopes: [String] = [], displayName: String? = nil
  ) {
    self.entityID = entityID
    self.signOn = signOn
    self.logout = logout
    self.artifactResolution = artifactResolution
    self.wantsSignedRequests = wantsSignedRequests
    self.scopes = scopes
    self.displayName = displayName ?? entityID
  }

  /// The provider that an entity's metadata describes; nil where it has no SAML 2.0 identity provider role.
  /// Endpoints that are not https (or http on loopback) are left out (BIND-12).
  ///
  /// - Throws: `signin.no-endpoint` where no sign-in endpoint is left.
  public init?(_ entity: EntityDescriptor) throws(TokenError) {
    let role = entity.roles.first { role in
      role.kind == .identityProvider && role.supportsSAML2
    }
    guard let role else { return nil }
    let signOn = Self.endpoints(role, "SingleSignOnService", [.redirect, .post])
    guard !signOn.isEmpty else {
      throw TokenError(
        .signInNoEndpoint, node: "SingleSignOnService", expected: "HTTP-Redirect or HTTP-POST",
        found: TokenError.excerpt(entity.entityID))
    }
    var resolution: [Int: HTTPURL] = [:]
    for endpoint in role.endpoints where endpoint.name == "ArtifactResolutionService" {
      guard endpoint.binding == SAMLBinding.soap.rawValue,
        let index = endpoint.index.flatMap({ Int($0) }),
        let location = try? HTTPURL(endpoint.location)
      else { continue }
      resolution[index] = location
    }
    self.init(
      entityID: entity.entityID, signOn: signOn,
      logout: Self.endpoints(role, "SingleLogoutService", [.redirect, .post, .soap]),
      artifactResolution: resolution, wantsSignedRequests: role.wantsSignedRequests,
      scopes: role.scopes,
      displayName: role.displayNames.first { $0.language == "en" }?.name
        ?? role.displayNames.first?.name)
  }

  /// The provider that metadata from that origin describes: without the services that a document from there may not
  /// lead to.
  package func asDocument(of origin: HTTPOrigin) -> Self {
    Self(
      entityID: entityID, signOn: signOn, logout: logout,
      artifactResolution: artifactResolution.filter { origin.mayName($0.value.origin) },
      wantsSignedRequests: wantsSignedRequests, scopes: scopes, displayName: displayName)
  }

  private static func endpoints(
    _ role: EntityRole, _ name: String, _ bindings: [SAMLBinding]
  ) -> [Endpoint] {
    bindings.flatMap { binding in
      role.endpoints.compactMap { endpoint in
        guard endpoint.name == name, endpoint.binding == binding.rawValue,
          let location = try? HTTPURL(endpoint.location)
        else { return nil }
        return Endpoint(
          binding, location,
          responseLocation: endpoint.responseLocation.flatMap { try? HTTPURL($0) })
      }
    }
  }

  /// The endpoint for logout through the browser; nil for none.
  var browserLogout: Endpoint? { logout.first { $0.binding != .soap } }
}
