public import TokenBasics

/// A request to a server. Its description contains neither query, fields nor body: they may contain
/// secrets.
public struct HTTPRequest: Sendable, CustomStringConvertible, CustomReflectable {
  /// The request method.
  public var method: HTTPMethod
  /// The address, including its query.
  public var url: HTTPURL
  /// The header fields, sent in this order.
  public var fields: HTTPFields
  /// The body; empty for none.
  public var body: [UInt8]
  /// The maximum size of the response's body in octets; 1 MiB by default.
  public var maximumResponseBytes = 1 << 20
  /// The time limit for the whole exchange; 30 seconds by default.
  public var timeout = Duration.seconds(30)

  /// A request with the default limits.
  public init(
    _ method: HTTPMethod, _ url: HTTPURL, fields: HTTPFields = HTTPFields(), body: [UInt8] = []
  ) {
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
  }

  /// The method and the address without its query.
  public var description: String { "\(method.rawValue) \(url)" }

  /// Contains only the description.
  public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// A request method (RFC 9110, 9).
public enum HTTPMethod: String, Hashable, Sendable {
  /// `GET` (RFC 9110, 9.3.1).
  case get = "GET"
  /// `POST` (RFC 9110, 9.3.3).
  case post = "POST"
  /// `PUT` (RFC 9110, 9.3.4).
  case put = "PUT"
  /// `PATCH` (RFC 5789).
  case patch = "PATCH"
  /// `DELETE` (RFC 9110, 9.3.5).
  case delete = "DELETE"
}

/// Sends one request and returns its response. All network access goes through this protocol.
///
/// An implementation follows no redirect, stores no cookies, retries nothing, stops reading after
/// ``HTTPRequest/maximumResponseBytes`` (`transport.too-large`) and fails after
/// ``HTTPRequest/timeout`` (`transport.timeout`), headers and body together.
public protocol HTTPTransport: Sendable {
  /// The response, whatever its status.
  /// - Throws: `transport.no-connection` if nothing was sent; `.unreachable`, `.timeout`,
  ///   `.untrusted-server`, `.too-large`, `.malformed-response` or `.cancelled`.
  func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse
}

extension HTTPRequest {
  /// Runs an exchange and cancels it after ``timeout``.
  /// - Throws: `transport.timeout`, and errors of the exchange.
  package func withinTimeLimit(
    _ exchange: @escaping @Sendable () async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    // A clock traps beyond its range, so the limit is at most a year.
    let limit = min(max(timeout, .zero), .seconds(365 * 86_400))
    return try await withThrowingTaskGroup(of: HTTPResponse?.self) { group in
      group.addTask { try await exchange() }
      group.addTask {
        try await Task.sleep(for: limit)
        return nil
      }
      defer { group.cancelAll() }
      guard let first = try await group.next(), let response = first else {
        throw TokenError(
          .transportTimeout, node: description, expected: "an answer within \(timeout)")
      }
      return response
    }
  }
}
