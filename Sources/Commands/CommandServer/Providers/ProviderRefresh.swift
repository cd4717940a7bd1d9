#if Server
  import FederationNetwork
  package import HTTPExchange
  package import SignIn

  /// Fetches what providers publish, before the first request and again whenever that is due, and says what of it does
  /// not fit the configuration.
  package struct ProviderRefresh: Sendable {
    private let tasks: [Task<Void, Never>]

    /// Begins at once.
    ///
    /// - Parameter observer: Hears of what a provider does not offer.
    package init(_ providers: [SignInProvider], observer: any ActivityObserver = NoObserver()) {
      tasks = providers.flatMap { provider -> [Task<Void, Never>] in
        switch provider.registry {
        case let registry as OpenIDRegistry:
          [
            Task { await registry.run() },
            Task { await Self.compare(provider, registry, observer) },
          ]
        case let registry as MetadataRegistry: [Task { await registry.run() }]
        default: []
        }
      }
    }

    /// Says what does not fit, when it is first known and whenever it changes.
    private static func compare(
      _ provider: SignInProvider, _ registry: OpenIDRegistry, _ observer: any ActivityObserver
    ) async {
      var said: [String] = []
      await registry.refresh()
      while !Task.isCancelled {
        let found = provider.method.incompatibilities(at: SystemTime().now)
        let texts = found.map { "\($0.error)" }
        for (entry, text) in zip(found, texts) where !said.contains(text) {
          observer.happened(
            Activity(
              "provider.incompatible",
              [
                ("code", entry.error.code.rawValue), ("provider", provider.id), ("error", text),
              ]))
        }
        said = texts
        try? await Task.sleep(for: .seconds(60))
      }
    }

    /// Ends it.
    package func cancel() { tasks.forEach { $0.cancel() } }
  }
#endif
