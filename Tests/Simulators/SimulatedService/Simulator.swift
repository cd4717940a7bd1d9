public import HTTPExchange
import Synchronization

/// A service without a network: maps a request to a response.
public protocol Simulator: Sendable {
  /// - Throws: ``Refusal`` for a request that breaks the protocol, as opposed to one that
  ///   gets an error response of the service.
  func answer(_ request: ServerRequest) throws(Refusal) -> HTTPResponse
}

/// The requests of a service, and those that it rejected as violations of the protocol.
public final class Journal: Sendable {
  private let content = Mutex<(requests: [ServerRequest], refusals: [String])>(([], []))

  public init() {}

  public var requests: [ServerRequest] { content.withLock { $0.requests } }
  /// Requests that no client of the protocol would send.
  public var refusals: [String] { content.withLock { $0.refusals } }

  public func note(_ request: ServerRequest) {
    content.withLock { $0.requests.append(request) }
  }

  public func note(refused reason: String) {
    content.withLock { $0.refusals.append(reason) }
  }

  /// The number of requests for a path.
  public func count(_ method: String, _ path: String) -> Int {
    requests.count { $0.method == method && $0.path == path }
  }

  /// Whether a request contains a text: in its path, query, fields or body.
  public func hasSeen(_ text: String) -> Bool {
    requests.contains { request in
      request.path.contains(text) || request.query?.contains(text) == true
        || request.fields.list.contains { $0.value.contains(text) }
        || String(decoding: request.body, as: UTF8.self).contains(text)
    }
  }
}
