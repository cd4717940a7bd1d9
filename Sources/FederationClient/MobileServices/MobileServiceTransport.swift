public import HTTPExchange
public import TokenErrors

/// The inner filter of a Mobile Service: adds the service's header fields and sends to its host only.
///
/// Filters are transports around transports: this one is the innermost, ``AuthorizedTransport`` wraps it, an
/// application's own wrap both. A request passes inwards, its response outwards.
public struct MobileServiceTransport: HTTPTransport {
  private let service: MobileService
  private let transport: any HTTPTransport

  /// Wraps `transport` for requests to `service`.
  public init(_ transport: any HTTPTransport, service: MobileService) {
    self.transport = transport
    self.service = service
  }

  /// The response to the request with the service's header fields.
  /// - Throws: `session.other-origin` for another origin, and errors of the transport.
  public func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
    try request.require(service.origin)
    return try await transport.response(to: try service.prepared(request))
  }
}
