#if Server
  import AccessControl
  import Hummingbird
  import HummingbirdCore
  import HummingbirdFederation
  import HummingbirdTLS
  import Logging
  import NIOCore
  import NIOSSL
  import ProviderAssembly

  /// Serves a site until it is told to end, and answers what was asked before.
  struct AccessControlServer {
    let site: AccessControlSite
    let listen: ServiceFile.Listener
    /// The files of certificate and private key; nil for plain HTTP on loopback.
    var tls: (certificate: String, key: String)?
    /// What to say once it listens; nil for nothing.
    var ready: String?

    /// Says what goes wrong; requests are logged by the site.
    static var logger: Logger {
      var logger = Logger(label: "acs")
      logger.logLevel = .warning
      return logger
    }

    func run() async throws {
      let refresh = ProviderRefresh(site.upstream?.providers ?? [])
      defer { refresh.cancel() }
      var server: HTTPServerBuilder = .http1()
      if let tls {
        server = try .tls(
          tlsConfiguration: .makeServerConfiguration(
            certificateChain: NIOSSLCertificate.fromPEMFile(tls.certificate).map {
              .certificate($0)
            },
            privateKey: .privateKey(NIOSSLPrivateKey(file: tls.key, format: .pem))))
      }
      do {
        try await Application(
          responder: AccessControlResponder(site: site), server: server,
          configuration: .init(
            address: .hostname(listen.host, port: listen.port), serverName: nil),
          onServerRunning: { _ in if let ready { StandardError.write(ready) } },
          logger: Self.logger
        ).runService()
      } catch let error as IOError {
        throw ServiceFailure([
          TokenError(
            .issuingFileValue, node: "listen", expected: "an address that is free",
            found: "\(listen.host):\(listen.port): errno \(error.errnoCode)")
        ])
      }
    }
  }

  /// Hands requests to the site.
  struct AccessControlResponder: HTTPResponder {
    let site: AccessControlSite

    func respond(to request: Request, context: FederationContext) async throws -> Response {
      do {
        let asked =
          request.method == .get
          ? SiteRequest(head: request)
          : try await SiteRequest(request, bodyLimit: AccessControlSite.bodyLimit)
        return Response(await site.respond(to: asked))
      } catch let error as HTTPError {
        // Without a router nothing else makes a response of it.
        return Response(status: error.status)
      }
    }
  }
#endif
