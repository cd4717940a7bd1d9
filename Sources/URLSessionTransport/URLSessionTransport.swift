import Foundation
public import HTTPExchange
import Synchronization
public import TokenErrors

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The network through Foundation's `URLSession`, for programs that fetch no package for it: an app, or a
/// service that has Foundation anyway.
///
/// It keeps the promises of ``HTTPTransport``: no redirect is followed, no cookie, credential or answer is
/// kept, no challenge is answered, nothing is tried twice, and the certificate and name of the server are
/// always checked. A proxy is used only where ``Proxies/system`` allows it.
///
/// What `URLSession` does in its own way, where `AsyncHTTPClientTransport` differs:
/// - It inflates what a server compresses, although each request asks for `identity`;
///   ``HTTPRequest/maximumResponseBytes`` counts inflated octets.
/// - Fields of one name come as one, joined by commas, and the body of a redirect is dropped.
/// - Dot segments of a path are resolved before they are sent.
/// - It adds fields of its own, such as `Accept` and `User-Agent`.
///
/// On Linux, where `URLSession` is FoundationNetworking over libcurl, it cannot choose certificate
/// authorities or the lowest version of TLS: both are those of the machine's libcurl. A failed handshake and
/// a malformed answer have no number of their own there and are known by libcurl's words; where those are
/// unknown, both are `transport.unreachable`, and so is a header that does not end. Octets wait in memory
/// between libcurl's thread and the check of the limit. A service on Linux that has the choice takes
/// `AsyncHTTPClientTransport`.
///
/// It is compiled and tested on Linux; on Apple's platforms it has never run.
public final class URLSessionTransport: HTTPTransport {
  private let session: Mutex<URLSession?>
  private let exchanges = ExchangeDelegate()
  private let proxies: Proxies

  /// A transport.
  public init(proxies: Proxies = .none) {
    self.proxies = proxies
    session = Mutex(
      URLSession(
        configuration: Self.configuration(proxies), delegate: exchanges, delegateQueue: nil))
  }

  // A session keeps its delegate until it is told that it ends.
  deinit { session.withLock { $0?.invalidateAndCancel() } }

  /// Closes the connections. Requests under way and later ones fail with `transport.unreachable`.
  public func shutdown() {
    let session = session.withLock { session in
      defer { session = nil }
      return session
    }
    exchanges.endAll()
    session?.invalidateAndCancel()
  }

  /// - Throws: Also `transport.malformed-address` for an address that `URL` would write otherwise, and
  ///   `transport.proxy` where the environment names a proxy that nobody allowed.
  public func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
    try proxies.check(request)
    let outgoing = try request.urlRequest()
    do {
      return try await request.withinTimeLimit { try await self.exchange(request, outgoing) }
    } catch {
      throw URLSessionFailure.error(error, at: request)
    }
  }

  private func exchange(
    _ request: HTTPRequest, _ outgoing: URLRequest
  ) async throws -> HTTPResponse {
    // A session that has ended traps when it is asked for a task, so both happen under the lock.
    let task = session.withLock { session in session?.dataTask(with: outgoing) }
    guard let task else {
      throw TokenError(
        .transportUnreachable, node: request.description, found: "the transport was shut down")
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        exchanges.begin(RunningExchange(request, task, continuation))
        // Cancelled before it began: the handler below found nothing to end.
        if Task.isCancelled { exchanges.end(task, with: .failure(CancellationError())) }
        task.resume()
      }
    } onCancel: {
      exchanges.end(task, with: .failure(CancellationError()))
    }
  }

  private static func configuration(_ proxies: Proxies) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCredentialStorage = nil
    #if !canImport(FoundationNetworking)
      configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
      // Not nil, which is the system's.
      if proxies == .none { configuration.connectionProxyDictionary = [:] }
      configuration.waitsForConnectivity = false
    #endif
    return configuration
  }
}
