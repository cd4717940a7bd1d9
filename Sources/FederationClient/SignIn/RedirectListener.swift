public import HTTPExchange
public import TokenErrors

/// Listens on this machine's loopback for the browser that comes back from a sign-in.
///
/// An implementation listens on 127.0.0.1 or ::1 alone, on a port that the system chooses, and takes one
/// connection after the other.
public protocol RedirectListener: Sendable {
  /// Begins to listen.
  /// - Returns: `http://127.0.0.1:PORT/`.
  func open() async throws(TokenError) -> HTTPURL
  /// The next request and the value of its `Host` field.
  /// - Throws: `transport.cancelled` after ``close()``.
  func next() async throws(TokenError) -> (message: IncomingMessage, host: String?)
  /// Answers the request that ``next()`` returned last.
  func answer(_ response: HTTPResponse) async
  /// Stops.
  func close() async
}
