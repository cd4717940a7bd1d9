import Foundation
import HTTPExchange
import TokenBasics

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Maps errors of `URLSession` to this package's codes. Their texts are left out: they may contain
/// addresses with queries.
enum URLSessionFailure {
  static func error(_ error: any Error, at request: HTTPRequest) -> TokenError {
    if let error = error as? TokenError {
      // Field errors can only come from the response.
      guard error.code == .transportMalformedField else { return error }
      return TokenError(
        .transportMalformedResponse, node: request.description, expected: error.expected,
        found: error.node)
    }
    guard let error = error as? URLError else {
      return TokenError(
        error is CancellationError ? .transportCancelled : .transportUnreachable,
        node: request.description, found: "\(type(of: error))")
    }
    return TokenError(code(of: error, request), node: request.description, found: name(of: error))
  }

  private static func code(of error: URLError, _ request: HTTPRequest) -> TokenError.Code {
    switch error.code {
    // Cancelling the caller's task is a CancellationError; here the session ended.
    case .cancelled: .transportUnreachable
    case .timedOut: .transportTimeout
    case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed: .transportNoConnection
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
      .clientCertificateRejected, .clientCertificateRequired,
      .appTransportSecurityRequiresSecureConnection:
      .transportUntrustedServer
    case .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData:
      .transportMalformedResponse
    #if canImport(FoundationNetworking)
      // A response without an HTTP status line.
      case .unsupportedURL: .transportMalformedResponse
      case .unknown: code(ofWords: error.localizedDescription, request)
    #else
      case .badServerResponse: .transportMalformedResponse
    #endif
    default: .transportUnreachable
    }
  }

  #if canImport(FoundationNetworking)
    /// The code for a text of libcurl, where FoundationNetworking has no number for the failure.
    private static func code(ofWords text: String, _ request: HTTPRequest) -> TokenError.Code {
      // The host's name may contain any of these words.
      let text = text.replacing(request.url.origin.host, with: "")
      if ["SSL", "TLS", "certificate"].contains(where: text.contains) {
        return .transportUntrustedServer
      }
      return ["eader", "chunked-encoding", "Content-Length", "unencoding"].contains(
        where: text.contains) ? .transportMalformedResponse : .transportUnreachable
    }
  #endif

  private static func name(of error: URLError) -> String {
    switch error.code {
    case .cannotConnectToHost: "connection refused"
    case .cannotFindHost, .dnsLookupFailed: "unknown host"
    default: "URLError \(error.code.rawValue)"
    }
  }
}
