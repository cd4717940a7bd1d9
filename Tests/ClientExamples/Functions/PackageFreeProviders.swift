#if Client
  import FederationClient
  import FederationFoundation

  /// The names of the identity providers of a realm, by a network for which no package is fetched.
  func providerNames(of service: AccessControlService, trust: Trust) async throws -> [String] {
    let acs = AccessControlClient(
      service, trust: trust, transport: URLSessionTransport(), time: SystemTime())
    let providers = try await acs.providers(ProviderListRequest(.javascriptNotify))
    return providers.map(\.name)
  }
#endif
