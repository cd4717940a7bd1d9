#if Client
  import HTTPExchange
  import HTTPTypes
  import Hummingbird
  import NIOCore
  import SimulatedService
  import Synchronization
  import TestSupport

  /// The simulator behind the port, which is known before the simulator is.
  final class Started: Sendable {
    private let simulator = Mutex<(any Simulator)?>(nil)

    func begin(_ simulator: any Simulator) { self.simulator.withLock { $0 = simulator } }

    var current: (any Simulator)? { simulator.withLock { $0 } }
  }

  /// Converts Hummingbird's requests to a simulator's, and its responses back.
  struct Responder: HTTPResponder {
    let started: Started
    let journal: Journal

    func respond(
      to request: Request, context: BasicRequestContext
    ) async throws -> Response {
      guard let simulator = started.current else { return Response(status: .serviceUnavailable) }
      var fields = HTTPExchange.HTTPFields()
      for field in request.headers { try? fields.append(field.name.rawName, field.value) }
      if let authority = request.head.authority { try? fields.append("Host", authority) }
      let body = try await request.body.collect(upTo: 8 << 20)
      let parts = (request.head.path ?? "/")
        .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      let asked = ServerRequest(
        method: request.method.rawValue, path: String(parts[0]),
        query: parts.count == 2 ? String(parts[1]) : nil, fields: fields,
        body: Array(body.readableBytesView))
      journal.note(asked)
      Secrecy.harvest(asked.fields.list, query: asked.query, body: asked.body)
      do throws(Refusal) {
        let answer = try simulator.answer(asked)
        Secrecy.harvest(answer.fields.list, query: nil, body: answer.body)
        return Self.response(answer)
      } catch {
        Secrecy.see(error: error)
        journal.note(refused: "\(asked.method) \(asked.path): \(error)")
        return Self.response(
          .answer(error.status, [("Content-Type", "text/plain")], error.reason))
      }
    }

    private static func response(_ answer: HTTPExchange.HTTPResponse) -> Response {
      var headers = HTTPTypes.HTTPFields()
      for (name, value) in answer.fields.list {
        guard let name = HTTPField.Name(name) else { continue }
        headers.append(HTTPField(name: name, value: value))
      }
      return Response(
        status: .init(code: answer.status), headers: headers,
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
    }
  }
#endif
