public import HTTPExchange
public import TokenBasics

/// A transport that adds the session's credential to each request and renews it after a 401.
///
/// The credential is sent to ``origin`` only: to no other host or port, and never over http instead of
/// https. Redirects are not followed. After a 401 the request is sent once more, with its body, after one
/// renewal that all requests share; the second response is final.
public struct AuthorizedTransport: HTTPTransport {
  /// The session whose credential is sent.
  public let session: CurrentSession
  /// The only origin to which requests are sent.
  public let origin: HTTPOrigin
  /// Whether a 401 starts a renewal.
  public var renews = true
  /// Parameters added to the query of the repeated request (Mobile Services expects
  /// `bypass=true`).
  public var replayParameters: [(String, String)] = []
  private let transport: any HTTPTransport

  /// Wraps `transport` for requests to `origin`.
  public init(_ transport: any HTTPTransport, session: CurrentSession, origin: HTTPOrigin) {
    self.transport = transport
    self.session = session
    self.origin = origin
  }

  /// The service's response; one with status 401 is that to the second attempt.
  /// - Throws: `session.other-origin`, other `session.*`, errors of the renewal and of the transport.
  public func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
    try request.require(origin)
    let lease = try await session.lease()
    let response = try await send(request, with: lease)
    guard response.status == 401, renews, !lease.isRenewed else { return response }
    let renewed = try await session.renewed(after: lease)
    var replay = request
    if !replayParameters.isEmpty { replay.url = request.url.adding(replayParameters) }
    return try await send(replay, with: renewed)
  }

  private func send(
    _ request: HTTPRequest, with lease: CurrentSession.Lease
  ) async throws(TokenError) -> HTTPResponse {
    var authorized = request
    try lease.session.credential.attach(to: &authorized)
    return try await transport.response(to: authorized)
  }
}

extension HTTPRequest {
  /// Refuses an address outside the origin that a credential is for.
  /// - Throws: `session.other-origin`.
  func require(_ origin: HTTPOrigin) throws(TokenError) {
    guard url.origin == origin else {
      throw TokenError(
        .sessionOtherOrigin, expected: origin.description, found: url.origin.description)
    }
  }
}
