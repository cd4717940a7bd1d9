#if Client
  import HTTPExchange
  import NIOCore
  import NIOSSL
  import TokenErrors

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
#endif
