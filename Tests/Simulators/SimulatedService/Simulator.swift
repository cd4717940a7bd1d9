public import HTTPExchange
import Synchronization

/// A service without a network: a request in, an answer out.
public protocol Simulator: Sendable {
  /// - Throws: ``Refusal`` for a request that breaks the protocol, which is not the same as one that
  ///   the service answers with an error of its own.
  func answer(_ request: ServerRequest) throws(Refusal) -> HTTPResponse
}

/// What a service was asked, and what it refused as against the protocol.
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

  /// How often a path was asked for.
  public func count(_ method: String, _ path: String) -> Int {
    requests.count { $0.method == method && $0.path == path }
  }

  /// Whether a text stands anywhere in what came: path, query, fields, body.
  public func hasSeen(_ text: String) -> Bool {
    requests.contains { request in
      request.path.contains(text) || request.query?.contains(text) == true
        || request.fields.list.contains { $0.value.contains(text) }
        || String(decoding: request.body, as: UTF8.self).contains(text)
    }
  }
}
