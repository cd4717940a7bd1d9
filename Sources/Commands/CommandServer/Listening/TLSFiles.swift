#if Server
  import HTTPExchange
  package import NIOSSL
  package import TokenErrors

  /// The files of a certificate and its private key.
  package struct TLSFiles: Sendable {
    private let certificate: String
    private let key: String

    package init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }

    /// What a listener speaks TLS with.
    ///
    /// - Throws: `listen.tls` with the file that it cannot use.
    package func configuration() throws(TokenError) -> TLSConfiguration {
      let chain: [NIOSSLCertificate]
      do {
        chain = try NIOSSLCertificate.fromPEMFile(certificate)
      } catch {
        throw failure(certificate, "a certificate in PEM", error)
      }
      let own: NIOSSLPrivateKey
      do {
        own = try NIOSSLPrivateKey(file: key, format: .pem)
      } catch {
        throw failure(key, "a private key in PEM", error)
      }
      let configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(own))
      do {
        _ = try NIOSSLContext(configuration: configuration)
      } catch {
        throw failure(key, "the private key of \(certificate)", error)
      }
      return configuration
    }

    /// The library's own words may hold what is in the file.
    private func failure(
      _ file: String, _ expected: String, _ error: any Error
    ) -> TokenError {
      TokenError(.listenTLS, node: file, expected: expected, found: "\(type(of: error))")
    }
  }
#endif
