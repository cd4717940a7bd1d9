#if Client
  import AsyncHTTPClient
  import NIOCore
  import NIOSSL
  import TokenErrors

  /// What may be chosen about the network.
  public struct TransportConfiguration: Sendable {
    /// Who vouches for servers.
    public enum TrustRoots: Sendable {
      /// The machine's trust store.
      case system
      /// These certificates (PEM, one or more) and nobody else, for a private authority.
      case certificates(pem: [UInt8])
    }

    /// An HTTP proxy, which sees the host names; TLS goes through it, end to end.
    public struct Proxy: Hashable, Sendable {
      /// The name or address of the proxy.
      public var host: String
      /// Its port.
      public var port: Int

      /// A proxy.
      public init(host: String, port: Int) {
        self.host = host
        self.port = port
      }
    }

    /// The certificate authorities that are trusted.
    public var trustRoots = TrustRoots.system
    /// None, whatever the environment says.
    public var proxy: Proxy?
    /// Time to connect, TLS included: 10 seconds.
    public var connectTimeout = Duration.seconds(10)

    /// The default configuration.
    public init() {}

    func clientConfiguration() throws(TokenError) -> HTTPClient.Configuration {
      var tls = TLSConfiguration.makeClientConfiguration()
      tls.minimumTLSVersion = .tlsv12
      if case .certificates(let pem) = trustRoots {
        do {
          tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(pem))
        } catch {
          throw TokenError(.unreadableKey, node: "trust roots", expected: "certificates as PEM")
        }
      }
      var configuration = HTTPClient.Configuration(
        tlsConfiguration: tls, redirectConfiguration: .disallow,
        timeout: HTTPClient.Configuration.Timeout(connect: TimeAmount(connectTimeout)),
        proxy: proxy.map { .server(host: $0.host, port: $0.port) }, decompression: .disabled)
      configuration.httpVersion = .http1Only
      // Whoever asks decides whether to ask again.
      configuration.connectionPool.retryConnectionEstablishment = false
      configuration.http1_1ConnectionDebugInitializer = NamedCertificate.check
      // Its spans would carry the query; FederationTelemetry's do not.
      configuration.tracing.tracer = nil
      return configuration
    }
  }
#endif
