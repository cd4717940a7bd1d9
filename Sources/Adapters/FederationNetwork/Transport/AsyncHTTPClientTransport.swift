#if Client
  import AsyncHTTPClient
  public import HTTPExchange
  import NIOCore
  import NIOHTTP1
  import NIOSSL
  public import TokenBasics

  /// A transport over AsyncHTTPClient: HTTP/1.1, TLS 1.2 or later.
  ///
  /// It follows no redirect, stores no cookie, decompresses nothing and retries nothing. It uses a proxy only
  /// from ``TransportConfiguration``, never from an environment variable. The server's certificate and name
  /// are always verified; that cannot be turned off.
  public final class AsyncHTTPClientTransport: HTTPTransport {
    private let client: HTTPClient

    /// A transport with a connection pool of its own.
    /// - Throws: `key.unreadable` for trust roots that are not PEM certificates.
    public init(_ configuration: TransportConfiguration = TransportConfiguration())
      throws(TokenError)
    {
      client = HTTPClient(
        eventLoopGroupProvider: .singleton, configuration: try configuration.clientConfiguration())
    }

    deinit { client.shutdown { _ in } }

    /// Closes all connections. Running requests fail.
    public func shutdown() async { try? await client.shutdown() }

    /// The response, whatever its status.
    /// - Throws: `transport.*`, as `HTTPTransport`.
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
      for (name, value) in request.sentFields.list {
        outgoing.headers.add(name: name, value: value)
      }
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
      // The body of a cancelled task ends without an error.
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
