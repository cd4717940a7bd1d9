import Foundation
public import HTTPExchange
import Synchronization
public import TokenBasics

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport over Foundation's `URLSession`, for programs without a package for HTTP: an app, or a
/// service that links Foundation anyway.
///
/// It meets the requirements of `HTTPTransport`: it follows no redirect, stores no cookie, credential or
/// response, answers no challenge, retries nothing, and always verifies the certificate and name of the
/// server. It uses a proxy only with ``Proxies/system``.
///
/// Differences from `AsyncHTTPClientTransport`:
/// - It decompresses responses, although each request has `Accept-Encoding: identity`;
///   `HTTPRequest.maximumResponseBytes` counts decompressed octets.
/// - Fields of one name are joined by commas, and the body of a redirect is dropped.
/// - Dot segments of a path are resolved before the request is sent.
/// - It adds fields of its own, such as `Accept` and `User-Agent`.
///
/// On Linux, where `URLSession` is FoundationNetworking over libcurl, certificate authorities and minimum
/// TLS version cannot be set: both are those of the machine's libcurl. A failed handshake and a malformed
/// response have no error number there and are recognised by libcurl's texts; with unknown texts both are
/// `transport.unreachable`, and so is an unterminated header. Octets are buffered between libcurl's thread
/// and the check of the limit. On Linux prefer `AsyncHTTPClientTransport`.
///
/// It is compiled and tested on Linux; on Apple's platforms it has never run.
public final class URLSessionTransport: HTTPTransport {
  private let session: Mutex<URLSession?>
  private let exchanges = ExchangeDelegate()
  private let proxies: Proxies

  /// A transport with an ephemeral session of its own.
  public init(proxies: Proxies = .none) {
    self.proxies = proxies
    session = Mutex(
      URLSession(
        configuration: Self.configuration(proxies), delegate: exchanges, delegateQueue: nil))
  }

  // A session retains its delegate until it is invalidated.
  deinit { session.withLock { $0?.invalidateAndCancel() } }

  /// Closes all connections. Running and later requests fail with `transport.unreachable`.
  public func shutdown() {
    let session = session.withLock { session in
      defer { session = nil }
      return session
    }
    exchanges.endAll()
    session?.invalidateAndCancel()
  }

  /// The response, whatever its status.
  /// - Throws: As `HTTPTransport`; also `transport.malformed-address` for an address that `URL` changes,
  ///   and `transport.proxy` if an environment variable names a proxy with ``Proxies/none``.
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
    // Creating a task in an invalidated session traps, so both happen under the lock.
    let task = session.withLock { session in session?.dataTask(with: outgoing) }
    guard let task else {
      throw TokenError(
        .transportUnreachable, node: request.description, found: "the transport was shut down")
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        exchanges.begin(RunningExchange(request, task, continuation))
        // Cancelled before `begin`: the handler below found no exchange.
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
      // Nil would mean the system's proxy.
      if proxies == .none { configuration.connectionProxyDictionary = [:] }
      configuration.waitsForConnectivity = false
    #endif
    return configuration
  }
}

extension URLSessionTransport {
  /// Whether a proxy is used. A proxy sees the names of hosts, and plain http to loopback as a whole.
  public enum Proxies: Hashable, Sendable {
    /// No proxy. libcurl on Linux has no such option, so a request fails there (`transport.proxy`) while
    /// `http_proxy`, `https_proxy` or `all_proxy` names one for its scheme, unless `no_proxy` is `*`.
    case none
    /// The proxy of the system's settings; on Linux that of these variables.
    case system

    func check(_ request: HTTPRequest) throws(TokenError) {
      #if canImport(FoundationNetworking)
        guard self == .none else { return }
        let environment = ProcessInfo.processInfo.environment
        guard environment["no_proxy"] ?? environment["NO_PROXY"] != "*" else { return }
        // Like libcurl, which ignores HTTP_PROXY in capitals because CGI sets it.
        let names =
          request.url.origin.scheme == "https"
          ? ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
          : ["http_proxy", "all_proxy", "ALL_PROXY"]
        for name in names where environment[name]?.isEmpty == false {
          throw TokenError(
            .transportProxy, node: request.description,
            expected: "no proxy, or one that the program allows", found: name)
        }
      #endif
    }
  }
}

extension HTTPRequest {
  /// The request as Foundation's type.
  /// - Throws: `transport.malformed-address` for an address that `URL` changes.
  func urlRequest() throws(TokenError) -> URLRequest {
    guard let address = URL(string: url.text), address.absoluteString == url.text else {
      throw TokenError(
        .transportMalformedAddress, node: description,
        expected: "an address that URL takes as it is written")
    }
    var request = URLRequest(url: address)
    request.httpMethod = method.rawValue
    request.httpShouldHandleCookies = false
    // `withinTimeLimit` enforces the limit. This one has whole seconds, and overflows on Linux.
    let (seconds, _) = timeout.components
    request.timeoutInterval = TimeInterval(min(max(seconds, 1), 86_400) + 60)
    if fields.values("Accept-Encoding").isEmpty {
      request.addValue("identity", forHTTPHeaderField: "Accept-Encoding")
    }
    for (name, value) in sentFields.list { request.addValue(value, forHTTPHeaderField: name) }
    if !body.isEmpty || method != .get { request.httpBody = Data(body) }
    return request
  }
}
