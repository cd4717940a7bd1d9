public import TokenErrors

/// Sends one request and returns its response. All network access goes through this protocol.
///
/// An implementation follows no redirect, stores no cookies, retries nothing, stops reading after
/// ``HTTPRequest/maximumResponseBytes`` (`transport.too-large`) and fails after
/// ``HTTPRequest/timeout`` (`transport.timeout`), headers and body together.
public protocol HTTPTransport: Sendable {
  /// The response, whatever its status.
  /// - Throws: `transport.no-connection` if nothing was sent; `.unreachable`, `.timeout`,
  ///   `.untrusted-server`, `.too-large`, `.malformed-response` or `.cancelled`.
  func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse
}
