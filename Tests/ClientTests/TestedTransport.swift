#if Client
  import FederationNetwork
  import HTTPExchange
  import FederationFoundation

  /// The transports with the same requirements.
  enum TestedTransport: CaseIterable, Sendable {
    case asyncHTTPClient
    case urlSession

    func make() throws -> any HTTPTransport {
      switch self {
      case .asyncHTTPClient: try AsyncHTTPClientTransport()
      // Whatever the environment of the tests.
      case .urlSession: URLSessionTransport()
      }
    }
  }
#endif
