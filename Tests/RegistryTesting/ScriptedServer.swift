public import HTTPExchange
import Synchronization
public import TokenBasics

/// A server and the network before it, without either.
public final class ScriptedServer: MetadataServer, HTTPTransport {
  private let state = Mutex((served: ServedMetadata.down, conditions: [String]()))
  public let url: HTTPURL

  public init() throws { url = try HTTPURL("https://idp.example/metadata?token=hidden") }

  public func serve(_ served: ServedMetadata) { state.withLock { $0.served = served } }

  public var conditions: [String] { state.withLock { $0.conditions } }

  public func response(
    to request: HTTPRequest
  ) async throws(TokenError) -> HTTPResponse {
    let served = state.withLock { state in
      state.conditions.append(request.fields["If-None-Match"] ?? "")
      return state.served
    }
    // What an HTTPTransport promises to find out, it finds out.
    switch served {
    case .down: throw TokenError(.transportNoConnection)
    case .truncated: throw TokenError(.transportUnreachable)
    case .slow: throw TokenError(.transportTimeout)
    case .huge, .hugeUndeclared: throw TokenError(.transportTooLarge)
    case .badFields: throw TokenError(.transportMalformedResponse)
    case .serverError: return HTTPResponse(status: 500)
    case .redirect:
      return HTTPResponse(
        status: 302, fields: try HTTPFields([("Location", "https://evil.example/metadata")]))
    case .notModified: return HTTPResponse(status: 304, body: served.document)
    case .bomb:
      return HTTPResponse(
        status: 200, fields: try HTTPFields([("Content-Encoding", "gzip")]), body: [0x1F, 0x8B])
    case .truncatedSilently:
      return HTTPResponse(status: 200, body: Array(served.document.dropLast(100)))
    default:
      var response = HTTPResponse(status: 200, body: served.document)
      // A content type proves nothing, so a wrong one harms nothing.
      try response.fields.append("Content-Type", "text/plain")
      if let tag = served.entityTag { try response.fields.append("ETag", tag) }
      return response
    }
  }
}
