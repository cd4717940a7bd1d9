#if Redis
  import NIOCore
  import NIOPosix
  import NIOSSL

  /// Says in words why a connection failed.
  enum ConnectionFailure {
    static func error(_ error: any Error, at address: RedisAddress? = nil) -> TokenError {
      if let error = error as? TokenError { return error }
      let node = address.map { "\($0)" }
      if let cause = tls(error) { return TokenError(.storeTLS, node: node, found: cause) }
      return TokenError(.storeUnavailable, node: node, found: network(error))
    }

    private static func network(_ error: any Error) -> String {
      switch error {
      case let error as NIOConnectionError:
        guard let first = error.connectionErrors.first else {
          return "no address of \(error.host) is known"
        }
        return network(first.error)
      case let error as IOError: return reason(ofCall: "\(error)")
      case ChannelError.connectTimeout: return "no connection in time"
      case NIOSSLError.uncleanShutdown, is NIOSSLCloseTimedOutError: return "the connection ended"
      default: return "\(type(of: error))"
      }
    }

    /// The system's words in `connect(descriptor:addr:size:): Connection refused) (errno: 111)`.
    private static func reason(ofCall text: String) -> String {
      guard let start = text.firstRange(of: "): ")?.upperBound else { return text }
      return String(text[start...].prefix { $0 != ")" })
    }

    /// Why TLS failed; nil for another failure.
    private static func tls(_ error: any Error) -> String? {
      switch error {
      case NIOSSLError.uncleanShutdown: return nil
      case NIOSSLError.handshakeFailed(let cause), NIOSSLError.shutdownFailed(let cause):
        return reason(of: cause)
      case let error as BoringSSLError: return reason(of: error)
      case NIOSSLError.unableToValidateCertificate: return "certificate verify failed"
      case let error as NIOSSLExtraError where error == .failedToValidateHostname:
        return "the certificate is for another name than that of the address"
      case let error as NIOSSLError: return "\(error)"
      case is NIOSSLExtraError: return "\(type(of: error))"
      default: return nil
      }
    }

    private static func reason(of error: BoringSSLError) -> String {
      switch error {
      case .sslError(let stack), .unknownError(let stack):
        let reasons = stack.map { reason(in: "\($0)") }
        if reasons.contains("wrong version number") { return "the server does not speak TLS" }
        return reasons.isEmpty ? "no reason" : reasons.joined(separator: ", ")
      case .zeroReturn, .syscallError: return "the server ended the handshake"
      default: return "the handshake failed"
      }
    }

    /// `CERTIFICATE_VERIFY_FAILED` of `Error: 268… error:1000007d:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED
    /// at …`, in words.
    private static func reason(in text: String) -> String {
      let mark = "OPENSSL_internal:"
      guard let start = text.firstRange(of: mark)?.upperBound else {
        return text.hasPrefix("Error: ") ? String(text.dropFirst(7)) : text
      }
      let word = text[start...].utf8.prefix { $0 != 0x20 }
      return String(
        decoding: word.map { $0 == 0x5F ? 0x20 : (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 },
        as: UTF8.self)
    }
  }
#endif
