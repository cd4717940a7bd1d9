import Foundation
import HTTPExchange
import Synchronization
import TestSupport
import TokenErrors

/// A server in memory: responds with a closure and records the requests.
final class ScriptedServer: HTTPTransport {
  typealias Handler =
    @Sendable (_ request: HTTPRequest, _ number: Int) async throws(TokenError) -> HTTPResponse

  private let handler: Handler
  private let received = Mutex<[HTTPRequest]>([])

  init(_ handler: @escaping Handler) { self.handler = handler }

  /// Sends these responses, one after the other, and then repeats the last one.
  convenience init(_ answers: HTTPResponse...) {
    self.init { _, number in answers[min(number, answers.count - 1)] }
  }

  var requests: [HTTPRequest] { received.withLock { $0 } }

  func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
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

extension HTTPResponse {
  static func json(
    _ text: String, status: Int = 200, _ fields: [(String, String)] = []
  ) -> HTTPResponse {
    var all = HTTPFields()
    try? all.append("Content-Type", "application/json; charset=utf-8")
    for (name, value) in fields { try? all.append(name, value) }
    return HTTPResponse(status: status, fields: all, body: Array(text.utf8))
  }

  static func html(_ text: String = "<html>Sign in</html>", status: Int = 200) -> HTTPResponse {
    var fields = HTTPFields()
    try? fields.append("Content-Type", "text/html")
    return HTTPResponse(status: status, fields: fields, body: Array(text.utf8))
  }

  static func empty(_ status: Int, _ fields: [(String, String)] = []) -> HTTPResponse {
    var all = HTTPFields()
    for (name, value) in fields { try? all.append(name, value) }
    return HTTPResponse(status: status, fields: all)
  }
}

extension HTTPRequest {
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The fields of a form body, decoded as a server decodes them.
  var form: [String: String] { Self.pairs(text) }

  /// The parameters of the query, likewise.
  var query: [String: String] { Self.pairs(url.query ?? "") }

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
