public import HTTPExchange
public import TokenErrors

/// The inner filter of a Mobile Service: adds the service's own header fields, to its own host alone.
///
/// Filters are transports around transports: this one innermost, ``AuthorizedTransport`` around it, an
/// application's own around both. A request goes inwards, the answer comes outwards.
public struct MobileServiceTransport: HTTPTransport {
  private let service: MobileService
  private let transport: any HTTPTransport

  public init(_ transport: any HTTPTransport, service: MobileService) {
    self.transport = transport
    self.service = service
  }

  /// - Throws: `session.other-origin` for another host, and what the transport throws.
  public func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
    guard request.url.origin == service.origin else {
      throw TokenError(
        .sessionOtherOrigin, expected: service.origin.description,
        found: request.url.origin.description)
    }
    return try await transport.response(to: try service.prepared(request))
  }
}
