public import Federation
public import HTTPExchange
import Synchronization
import Foundation

/// A transport without a network: a closure returns the responses, and requests are stored.
public final class ScriptedTransport: HTTPTransport {
  public typealias Answer = @Sendable (HTTPRequest) async throws(TokenError) -> HTTPResponse

  private let answer: Answer
  private let asked = Mutex<[HTTPRequest]>([])

  /// The closure returns the response to every request.
  public init(_ answer: @escaping Answer) { self.answer = answer }

  /// Returns these responses in turn; one more request throws `transport.unreachable`.
  public convenience init(_ answers: [HTTPResponse]) {
    let rest = Mutexed(answers[...])
    self.init { (_) throws(TokenError) in
      guard let next = rest.withLock({ $0.popFirst() }) else {
        throw TokenError(.transportUnreachable)
      }
      return next
    }
  }

  /// The requests so far, in order.
  public var requests: [HTTPRequest] { asked.withLock { $0 } }

  public func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
    asked.withLock { $0.append(request) }
    Secrecy.see(request)
    do throws(TokenError) {
      let response = try await answer(request)
      Secrecy.see(response)
      return response
    } catch {
      Secrecy.see(error: error)
      throw error
    }
  }
}

/// A value that several closures share.
public final class Mutexed<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  public init(_ value: Value) { mutex = Mutex(value) }

  public var current: Value { mutex.withLock { $0 } }

  public func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { body(&$0) }
  }
}

extension HTTPResponse {
  /// A response with that type of content.
  public static func of(
    _ status: Int = 200, _ contentType: String? = nil, _ body: String = ""
  ) -> HTTPResponse {
    var response = HTTPResponse(status: status, body: Array(body.utf8))
    if let contentType { try? response.fields.append("Content-Type", contentType) }
    return response
  }

  public static func json(_ body: String, status: Int = 200) -> HTTPResponse {
    of(status, "application/json; charset=utf-8", body)
  }

  public static func form(_ body: String, status: Int = 200) -> HTTPResponse {
    of(status, "application/x-www-form-urlencoded", body)
  }
}

extension HTTPRequest {
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The pairs of a form body or, without a body, of the query, each decoded once.
  public var parameters: [(name: String, value: String)] {
    let text = body.isEmpty ? url.query ?? "" : text
    return text.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let decoded = parts.map {
        $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? String($0)
      }
      return (decoded[0], decoded.count > 1 ? decoded[1] : "")
    }
  }

  /// The value of a parameter that occurs once.
  public func parameter(_ name: String) -> String? {
    let values = parameters.filter { $0.name == name }.map(\.value)
    return values.count == 1 ? values[0] : nil
  }
}
