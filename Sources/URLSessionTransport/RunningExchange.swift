import Foundation
import HTTPExchange
import TokenErrors

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request under way: what came so far, and who waits for it.
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

  /// The beginning of an answer.
  /// - Throws: `transport.too-large` for one that announces more than is wanted.
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

  /// The answer, once it is complete.
  func answer(_ response: URLResponse?) throws(TokenError) -> HTTPResponse {
    guard let response = response as? HTTPURLResponse else {
      throw TokenError(
        .transportMalformedResponse, node: request.description, expected: "an answer of HTTP")
    }
    var answer = HTTPResponse(status: response.statusCode, body: body)
    // A dictionary has no order of its own; names that differ in case alone are there twice.
    let fields = response.allHeaderFields.compactMap { name, value in
      (name as? String).flatMap { name in (value as? String).map { (name, $0) } }
    }
    for (name, value) in fields.sorted(by: { $0.0 < $1.0 }) {
      try answer.fields.append(name, value)
    }
    // libcurl takes a length that is written twice, and one beyond all bounds for none.
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
