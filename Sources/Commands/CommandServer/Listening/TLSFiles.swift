#if Server
  import HTTPExchange
  import NIOCore
  package import NIOSSL
  import Synchronization
  package import TokenBasics

  /// The files of a certificate and its private key. They are read anew by ``reload()``: what shakes hands then has what is
  /// in them, and connections stay.
  package final class TLSFiles: Sendable {
    private struct Identity {
      var chain: [NIOSSLCertificate]
      var key: NIOSSLPrivateKey
    }

    private let certificate: String
    private let key: String
    private let identity = Mutex<Identity?>(nil)

    package init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }

    /// Reads the files anew; where they cannot be used, those of before stay.
    ///
    /// - Throws: `listen.tls` with the file that it cannot use.
    package func reload() throws(TokenError) {
      let (read, _) = try read()
      identity.withLock { $0 = read }
    }

    /// What a listener speaks TLS with.
    ///
    /// - Throws: `listen.tls` with the file that it cannot use.
    package func configuration() throws(TokenError) -> TLSConfiguration {
      let (read, made) = try read()
      identity.withLock { $0 = read }
      var configuration = made
      configuration.sslContextCallback = { [self] _, promise in
        var override = NIOSSLContextConfigurationOverride()
        if let identity = identity.withLock({ $0 }) {
          override.certificateChain = identity.chain.map { .certificate($0) }
          override.privateKey = .privateKey(identity.key)
        }
        promise.succeed(override)
      }
      return configuration
    }

    private func read() throws(TokenError) -> (Identity, TLSConfiguration) {
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
      return (Identity(chain: chain, key: own), configuration)
    }

    /// The library's own words may hold what is in the file.
    private func failure(
      _ file: String, _ expected: String, _ error: any Error
    ) -> TokenError {
      TokenError(.listenTLS, node: file, expected: expected, found: "\(type(of: error))")
    }
  }
#endif
