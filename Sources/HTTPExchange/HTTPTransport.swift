public import TokenErrors

/// Sends one request and brings back one answer: the only door to the network.
///
/// An implementation follows no redirect, keeps no cookies, retries nothing, stops reading after
/// ``HTTPRequest/maximumResponseBytes`` (`transport.too-large`) and gives up after
/// ``HTTPRequest/timeout`` (`transport.timeout`), headers and body together.
public protocol HTTPTransport: Sendable {
  /// The answer, whatever its status.
  /// - Throws: `transport.no-connection` where nothing was sent; `.unreachable`, `.timeout`,
  ///   `.untrusted-server`, `.too-large`, `.malformed-response` or `.cancelled`.
  func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse
}
