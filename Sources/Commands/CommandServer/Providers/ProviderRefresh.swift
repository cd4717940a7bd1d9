#if Server
  package import SignIn

  /// Fetches what providers publish, before the first request and again whenever that is due.
  package struct ProviderRefresh: Sendable {
    private let tasks: [Task<Void, Never>]

    /// Begins at once.
    package init(_ providers: [SignInProvider]) {
      tasks = providers.compactMap { provider in
        switch provider.registry {
        case let registry as OpenIDRegistry: Task { await registry.run() }
        case let registry as MetadataRegistry: Task { await registry.run() }
        default: nil
        }
      }
    }

    /// Ends it.
    package func cancel() { tasks.forEach { $0.cancel() } }
  }
#endif
