#if Client
  import AsyncHTTPClient
  import NIOCore
  import NIOSSL
  import TokenErrors

  /// The options of an ``AsyncHTTPClientTransport``.
  public struct TransportConfiguration: Sendable {
    /// The certificate authorities for servers.
    public enum TrustRoots: Sendable {
      /// The machine's trust store.
      case system
      /// These certificates (PEM, one or more) and no others, for a private authority.
      case certificates(pem: [UInt8])
    }

    /// An HTTP proxy. It sees the host names; TLS is end to end through it.
    public struct Proxy: Hashable, Sendable {
      /// The proxy's host name or address.
      public var host: String
      /// The proxy's port.
      public var port: Int

      /// A proxy at that host and port.
      public init(host: String, port: Int) {
        self.host = host
        self.port = port
      }
    }

    /// The certificate authorities for servers; the machine's by default.
    public var trustRoots = TrustRoots.system
    /// The proxy; by default none, whatever the environment variables.
    public var proxy: Proxy?
    /// The time limit for connecting, including TLS; 10 seconds by default.
    public var connectTimeout = Duration.seconds(10)

    /// The default options.
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
      // The caller decides on retries.
      configuration.connectionPool.retryConnectionEstablishment = false
      configuration.http1_1ConnectionDebugInitializer = NamedCertificate.check
      // Its spans would contain the query; those of FederationTelemetry do not.
      configuration.tracing.tracer = nil
      return configuration
    }
  }
#endif
