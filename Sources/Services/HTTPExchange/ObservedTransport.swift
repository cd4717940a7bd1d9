public import TokenBasics

/// Sends requests through another transport, each as the activity `http.request` of an observer: a span of the request that is being
/// answered, and a line with the host.
public struct ObservedTransport: HTTPTransport {
  private let transport: any HTTPTransport
  private let observer: any ActivityObserver

  /// - Parameters:
  ///   - transport: Sends the requests.
  ///   - observer: Hears of each, with the server's host and the method; never of a path, a query or a field.
  public init(_ transport: any HTTPTransport, observer: any ActivityObserver) {
    self.transport = transport
    self.observer = observer
  }

  /// The response, whatever its status.
  /// - Throws: Errors of the transport.
  public func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
    let activity = Activity(
      "http.request", [("server", request.url.origin.host), ("method", request.method.rawValue)])
    return try await observer.during(activity) { () async throws(TokenError) in
      try await transport.response(to: request)
    }
  }
}
