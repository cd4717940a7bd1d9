import HTTPExchange
import SimulatedService
import Synchronization
import TokenErrors

/// A simulator without a socket, and a closure that changes requests on the way.
final class SimulatorTransport: HTTPTransport {
  private let simulator: any Simulator
  private let change: @Sendable (inout ServerRequest) -> Void
  private let seen = Mutex<[ServerRequest]>([])

  init(
    _ simulator: any Simulator, changing change: @escaping @Sendable (inout ServerRequest) -> Void
  ) {
    self.simulator = simulator
    self.change = change
  }

  var requests: [ServerRequest] { seen.withLock { $0 } }

  func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
    var asked = ServerRequest(
      method: request.method.rawValue, path: request.url.path, query: request.url.query,
      fields: request.fields, body: request.body)
    change(&asked)
    seen.withLock { $0.append(asked) }
    do throws(Refusal) {
      return try simulator.answer(asked)
    } catch {
      return .answer(error.status, [("Content-Type", "text/plain")], error.reason)
    }
  }
}
