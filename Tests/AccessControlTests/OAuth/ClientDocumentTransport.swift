import HTTPExchange
import Synchronization

/// A network in which some addresses have a document, and that counts what is asked.
final class ClientDocumentTransport: HTTPTransport {
  private let documents = Mutex<[String: HTTPExchange.HTTPResponse]>([:])
  private let asked = Mutex<[String]>([])

  /// The addresses that were asked for, in order.
  var addresses: [String] { asked.withLock { $0 } }

  func publish(
    _ text: String, at address: String, status: Int = 200, _ fields: [(String, String)] = []
  ) throws {
    let response = HTTPExchange.HTTPResponse(
      status: status, fields: try HTTPFields([("Content-Type", "application/json")] + fields),
      body: Array(text.utf8))
    documents.withLock { $0[address] = response }
  }

  func response(
    to request: HTTPRequest
  ) async throws(TokenError) -> HTTPExchange.HTTPResponse {
    asked.withLock { $0.append(request.url.text) }
    guard let response = documents.withLock({ $0[request.url.text] }) else {
      throw TokenError(.transportUnreachable)
    }
    return response
  }
}
