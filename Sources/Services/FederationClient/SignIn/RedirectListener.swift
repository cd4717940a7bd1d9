public import HTTPExchange
public import TokenErrors

/// Listens on loopback for the browser that returns from a sign-in.
///
/// An implementation listens on 127.0.0.1 or ::1 only, on a port that the system chooses, and accepts one
/// connection after the other.
public protocol RedirectListener: Sendable {
  /// Starts to listen.
  /// - Returns: `http://127.0.0.1:PORT/`.
  func open() async throws(TokenError) -> HTTPURL
  /// The next request and the value of its `Host` field.
  /// - Throws: `transport.cancelled` after ``close()``.
  func next() async throws(TokenError) -> (message: WebRequest, host: String?)
  /// Sends the response to the request that ``next()`` returned last.
  func answer(_ response: HTTPResponse) async
  /// Stops listening and closes all connections.
  func close() async
}
