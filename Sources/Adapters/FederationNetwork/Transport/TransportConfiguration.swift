#if Client
  import AsyncHTTPClient
  import HTTPExchange
  import NIOCore
  import NIOSSL
  package import TokenBasics

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
    /// Which machines may be reached.
    public enum Reach: Sendable {
      /// Every one.
      case everywhere
      /// This one alone (127.0.0.0/8 and ::1).
      case loopback
      /// Those of the internet: none within a network of its own, whose services a stranger could name.
      case internet
    }

    /// Which machines may be reached; every one by default. Judged on the address of each connection before a request is
    /// sent on it, so a name may not resolve to another one later.
    public var reach = Reach.everywhere

    /// The most connections to one host; 8 by default. Further requests wait for one of them.
    public var connectionsPerHost = 8

    /// The default options.
    public init() {}

    /// For a service, whose boundaries limit the calls to each server.
    package static var service: Self {
      var configuration = Self()
      configuration.connectionsPerHost = 20_000
      return configuration
    }

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
      configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(
        1, connectionsPerHost)
      configuration.http1_1ConnectionDebugInitializer =
        reach == .everywhere
        ? NamedCertificate.check
        : { [reach] channel in
          ConnectionRule.check(channel, reach).flatMap { NamedCertificate.check(channel) }
        }
      // Its spans would contain the query; those of FederationTelemetry do not.
      configuration.tracing.tracer = nil
      return configuration
    }
  }

  /// Requires a subject alternative name in the server's certificate (RFC 9525, 6.3): NIOSSL falls back to
  /// the common name if there is none.
  enum NamedCertificate {
    /// Fails for a certificate without such a name, and closes the connection, before a request is sent
    /// on it. Connections without TLS have no certificate.
    @Sendable static func check(_ channel: any Channel) -> EventLoopFuture<Void> {
      channel.pipeline.containsHandler(type: NIOSSLClientHandler.self)
        .flatMap { channel.nioSSL_peerCertificate() }
        .flatMapThrowing { certificate in
          guard let certificate, hasName(certificate) else {
            channel.close(promise: nil)
            throw TokenError(
              .transportUntrustedServer, expected: "a subject alternative name in the certificate",
              found: "a common name alone")
          }
        }
        .flatMapErrorThrowing { error in
          guard error as? ChannelPipelineError == .notFound else { throw error }
        }
    }

    private static func hasName(_ certificate: NIOSSLCertificate) -> Bool {
      certificate._subjectAlternativeNames().contains {
        $0.nameType == .dnsName || $0.nameType == .ipAddress
      }
    }
  }

  /// Refuses connections to machines that are not meant.
  package enum ConnectionRule {
    /// Closes a connection to any other address, and fails.
    static func check(
      _ channel: any Channel, _ reach: TransportConfiguration.Reach
    ) -> EventLoopFuture<Void> {
      do throws(TokenError) {
        try check(channel.remoteAddress?.ipAddress, reach)
        return channel.eventLoop.makeSucceededVoidFuture()
      } catch {
        channel.close(promise: nil)
        return channel.eventLoop.makeFailedFuture(error)
      }
    }

    /// Refuses every other address, and no address.
    ///
    /// - Throws: `transport.not-loopback`, `transport.not-public`.
    package static func check(
      _ address: String?, _ reach: TransportConfiguration.Reach
    ) throws(TokenError) {
      // A zone of IPv6 is the system's own word.
      let known = address.flatMap { IPAddress($0.prefix { $0 != "%" }) }
      switch reach {
      case .everywhere: return
      case .loopback:
        guard let address, known != nil, HostPort(host: address, port: 0).isLoopback else {
          throw TokenError(
            .transportNotLoopback, expected: "127.0.0.0/8 or ::1",
            found: address.map { TokenError.excerpt($0) })
        }
      case .internet:
        guard known?.isPublic == true else { throw TokenError(.transportNotPublic) }
      }
    }
  }

  extension TimeAmount {
    /// The same duration, clamped to the range of nanoseconds.
    init(_ duration: Duration) {
      let (seconds, attoseconds) = duration.components
      let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      self = .nanoseconds(
        overflow ? (seconds < 0 ? 0 : .max / 4) : nanoseconds + attoseconds / 1_000_000_000)
    }
  }
#endif
