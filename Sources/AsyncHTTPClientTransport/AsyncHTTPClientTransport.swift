#if Client
  import AsyncHTTPClient
  public import HTTPExchange
  import NIOCore
  import NIOHTTP1
  import NIOSSL
  public import TokenErrors

  /// The network through AsyncHTTPClient: HTTP/1.1, TLS 1.2 or later.
  ///
  /// No redirect is followed, no cookie kept, nothing inflated, nothing tried twice; a proxy is used
  /// only when it is named here, never because an environment variable names one. The server's
  /// certificate and name are always checked, and there is no switch for that.
  public final class AsyncHTTPClientTransport: HTTPTransport {
    private let client: HTTPClient

    /// A transport.
    /// // - Throws: `key.unreadable` for trust roots that cannot be read.
    public init(_ configuration: TransportConfiguration = TransportConfiguration())
      throws(TokenError)
    {
      client = HTTPClient(
        eventLoopGroupProvider: .singleton, configuration: try configuration.clientConfiguration())
    }

    deinit { client.shutdown { _ in } }

    /// Closes the connections. Requests under way fail.
    public func shutdown() async { try? await client.shutdown() }

    /// Sends the request and reads the response within its limits.
    /// // - Throws: `transport.*`.
    public func response(
      to request: HTTPExchange.HTTPRequest
    ) async throws(TokenError) -> HTTPExchange.HTTPResponse {
      do {
        return try await request.withinTimeLimit { try await self.exchange(request) }
      } catch {
        throw TransportFailure.error(error, at: request)
      }
    }

    private func exchange(
      _ request: HTTPExchange.HTTPRequest
    ) async throws -> HTTPExchange.HTTPResponse {
      var outgoing = HTTPClientRequest(url: request.url.text)
      outgoing.method = NIOHTTP1.HTTPMethod(rawValue: request.method.rawValue)
      for (name, value) in request.fields.list { outgoing.headers.add(name: name, value: value) }
      if !request.body.isEmpty || request.method != .get { outgoing.body = .bytes(request.body) }
      let deadline = NIODeadline.now() + TimeAmount(request.timeout)
      let incoming = try await client.execute(outgoing, deadline: deadline)
      let limit = request.maximumResponseBytes
      let length = incoming.headers.first(name: "Content-Length").flatMap { Int($0) }
      if let length, length > limit, incoming.status != .notModified {
        throw tooLarge(request, found: "Content-Length \(length)")
      }
      var body: [UInt8] = []
      for try await part in incoming.body {
        guard part.readableBytes <= limit - body.count else {
          throw tooLarge(request, found: "more")
        }
        body += part.readableBytesView
      }
      // A cancelled body ends as if it were complete.
      try Task.checkCancellation()
      var response = HTTPExchange.HTTPResponse(status: Int(incoming.status.code), body: body)
      for (name, value) in incoming.headers { try response.fields.append(name, value) }
      return response
    }

    private func tooLarge(_ request: HTTPExchange.HTTPRequest, found: String) -> TokenError {
      TokenError(
        .transportTooLarge, node: request.description,
        expected: "at most \(request.maximumResponseBytes) bytes", found: found)
    }
  }
#endif
