#if Client
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif
  import AsyncHTTPClient
  import HTTPExchange
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import NIOSSL
  import TokenBasics

  /// Maps errors of the network to this package's codes. Their texts are left out: they may contain addresses
  /// with queries.
  enum TransportFailure {
    static func error(
      _ error: any Error, at request: HTTPExchange.HTTPRequest
    ) -> TokenError {
      if let error = error as? TokenError {
        // Field errors can only come from the response.
        guard error.code == .transportMalformedField else { return error }
        return TokenError(
          .transportMalformedResponse, node: request.description, expected: error.expected,
          found: error.node)
      }
      return TokenError(code(of: error), node: request.description, found: name(of: error))
    }

    private static func code(of error: any Error) -> TokenError.Code {
      switch error {
      case is CancellationError: .transportCancelled
      case let error as HTTPClientError: code(of: error)
      case let error as HTTPParserError:
        error == .invalidEOFState ? .transportUnreachable : .transportMalformedResponse
      case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: .transportUntrustedServer
      case ChannelError.connectTimeout: .transportTimeout
      case is NIOConnectionError: .transportNoConnection
      case let error where isRefusal(error): .transportNoConnection
      default: .transportUnreachable
      }
    }

    private static func code(of error: HTTPClientError) -> TokenError.Code {
      switch error {
      case .cancelled: .transportCancelled
      case .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded,
        .getConnectionFromPoolTimeout, .tlsHandshakeTimeout, .httpProxyHandshakeTimeout,
        .socksHandshakeTimeout:
        .transportTimeout
      case .invalidProxyResponse: .transportMalformedResponse
      default: .transportUnreachable
      }
    }

    private static func name(of error: any Error) -> String {
      switch error {
      case let error as HTTPClientError: return error.shortDescription
      case let error as NIOConnectionError:
        if error.connectionErrors.contains(where: { isRefusal($0.error) }) {
          return "connection refused"
        }
        let isKnown = error.dnsAError == nil && error.dnsAAAAError == nil
        return isKnown || !error.connectionErrors.isEmpty ? "no connection" : "unknown host"
      case let error where isRefusal(error): return "connection refused"
      default: return "\(type(of: error))"
      }
    }

    /// Whether the connection was refused.
    private static func isRefusal(_ error: any Error) -> Bool {
      (error as? IOError)?.errnoCode == ECONNREFUSED
    }
  }
#endif
