import Foundation
package import HTTPExchange
@_exported public import SimulatedService
import Synchronization
import TestSupport
package import TokenBasics

/// A server in memory: answers by a function and remembers what it was asked.
package final class ScriptedServer: HTTPTransport {
  package typealias Handler =
    @Sendable (_ request: HTTPRequest, _ number: Int) async throws(TokenError) -> HTTPResponse

  private let handler: Handler
  private let received = Mutex<[HTTPRequest]>([])

  package init(_ handler: @escaping Handler) { self.handler = handler }

  /// Gives these answers, one after the other; the last one for ever.
  package convenience init(_ answers: HTTPResponse...) {
    self.init { _, number in answers[min(number, answers.count - 1)] }
  }

  /// Answers as a simulator does, without a socket. What breaks the protocol gets the status of the ``Refusal``.
  /// - Parameter change: Changes requests on the way.
  package convenience init(
    _ simulator: any Simulator,
    changing change: @escaping @Sendable (inout ServerRequest) -> Void = { _ in }
  ) {
    self.init { request, _ in
      var asked = ServerRequest(
        method: request.method.rawValue, path: request.url.path, query: request.url.query,
        fields: request.fields, body: request.body)
      change(&asked)
      do throws(Refusal) {
        return try simulator.answer(asked)
      } catch {
        return .answer(error.status, [("Content-Type", "text/plain")], error.reason)
      }
    }
  }

  package var requests: [HTTPRequest] { received.withLock { $0 } }

  package func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
    let number = received.withLock { requests in
      requests.append(request)
      return requests.count - 1
    }
    Secrecy.see(request)
    let response = try await handler(request, number)
    Secrecy.see(response)
    return response
  }
}

extension HTTPRequest {
  package var bodyText: String { String(decoding: body, as: UTF8.self) }

  /// The fields of a form body, decoded as a server decodes them.
  package var form: [String: String] { Self.pairs(bodyText) }

  /// The parameters of the query, likewise.
  package var query: [String: String] { Self.pairs(url.query ?? "") }

  private static func pairs(_ text: String) -> [String: String] {
    var pairs: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count == 2 ? parts[1] : ""
      pairs[decode(parts[0])] = decode(value)
    }
    return pairs
  }

  private static func decode(_ text: Substring) -> String {
    let plain = String(text.replacing("+", with: " "))
    return plain.removingPercentEncoding ?? plain
  }
}
