public import HTTPExchange
public import TokenErrors

/// A transport that shows a service its credential, and renews it when the service answers 401.
///
/// The credential goes to ``origin`` alone: no other host, no other port, never from https to http. As
/// a transport follows no redirect, it follows none either. A request that was refused is sent once
/// more, with its body, after one renewal that all requests share; what the service then says is final.
public struct AuthorizedTransport: HTTPTransport {
  public let session: CurrentSession
  /// Where the service is.
  public let origin: HTTPOrigin
  /// Whether a 401 is answered by a renewal.
  public var renews = true
  /// What is added to the query of the request that is sent again (Mobile Services wants
  /// `bypass=true`).
  public var replayParameters: [(String, String)] = []
  private let transport: any HTTPTransport

  public init(_ transport: any HTTPTransport, session: CurrentSession, origin: HTTPOrigin) {
    self.transport = transport
    self.session = session
    self.origin = origin
  }

  /// The service's answer; one with status 401 was given to the second try.
  /// - Throws: `session.*`, what the renewal throws, and what the transport throws.
  public func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
    guard request.url.origin == origin else {
      throw TokenError(
        .sessionOtherOrigin, expected: origin.description,
        found: request.url.origin.description)
    }
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
