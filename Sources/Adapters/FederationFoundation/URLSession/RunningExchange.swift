import Foundation
import HTTPExchange
import TokenBasics

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A running request: the octets received so far, and the waiting continuation.
struct RunningExchange {
  let task: URLSessionDataTask
  let continuation: CheckedContinuation<HTTPResponse, any Error>
  private let request: HTTPRequest
  private var body: [UInt8] = []

  init(
    _ request: HTTPRequest, _ task: URLSessionDataTask,
    _ continuation: CheckedContinuation<HTTPResponse, any Error>
  ) {
    self.request = request
    self.task = task
    self.continuation = continuation
  }

  /// Checks the head of a response.
  /// - Throws: `transport.too-large` for a Content-Length above the limit.
  func check(_ response: URLResponse) throws(TokenError) {
    let length = response.expectedContentLength
    let status = (response as? HTTPURLResponse)?.statusCode
    guard length > Int64(request.maximumResponseBytes), status != 304 else { return }
    throw tooLarge(found: "Content-Length \(length)")
  }

  /// - Throws: `transport.too-large`.
  mutating func append(_ data: Data) throws(TokenError) {
    guard data.count <= request.maximumResponseBytes - body.count else {
      throw tooLarge(found: "more")
    }
    body += data
  }

  /// The complete response.
  func answer(_ response: URLResponse?) throws(TokenError) -> HTTPResponse {
    guard let response = response as? HTTPURLResponse else {
      throw TokenError(
        .transportMalformedResponse, node: request.description, expected: "an answer of HTTP")
    }
    var answer = HTTPResponse(status: response.statusCode, body: body)
    // A dictionary is unordered; names that differ only in case are separate keys.
    let fields = response.allHeaderFields.compactMap { name, value in
      (name as? String).flatMap { name in (value as? String).map { (name, $0) } }
    }
    for (name, value) in fields.sorted(by: { $0.0 < $1.0 }) {
      try answer.fields.append(name, value)
    }
    // libcurl ignores a length that occurs twice or overflows.
    guard answer.fields.values("Content-Length").allSatisfy({ Int($0) ?? -1 >= 0 }) else {
      throw TokenError(
        .transportMalformedResponse, node: request.description, expected: "one Content-Length")
    }
    return answer
  }

  private func tooLarge(found: String) -> TokenError {
    TokenError(
      .transportTooLarge, node: request.description,
      expected: "at most \(request.maximumResponseBytes) bytes", found: found)
  }
}
