public import HTTPExchange
public import TokenErrors

/// Sends requests to the proxy as they are, such as no browser sends.
public protocol WiringProbe: Sendable {
  /// The answer of the proxy. A redirect is an answer, and is not followed.
  ///
  /// - Throws: `transport.*`.
  func answer(to request: WiringRequest) async throws(TokenError) -> HTTPResponse
}
