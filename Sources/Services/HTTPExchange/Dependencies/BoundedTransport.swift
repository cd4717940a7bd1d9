package import TokenBasics

/// The boundary around one dependency: sends its requests within its limits, and counts them.
package struct BoundedTransport: HTTPTransport {
  private let transport: any HTTPTransport
  private let gate: CallGate
  private let clock: any TimeSource
  private let isForDocuments: Bool

  init(
    _ transport: any HTTPTransport, _ gate: CallGate, _ clock: any TimeSource,
    isForDocuments: Bool = false
  ) {
    self.transport = transport
    self.gate = gate
    self.clock = clock
    self.isForDocuments = isForDocuments
  }

  /// The same boundary for large documents, whose requests say themselves how long they may take.
  package var forDocuments: Self { Self(transport, gate, clock, isForDocuments: true) }

  /// The response, whatever its status.
  /// - Throws: `transport.busy` and `transport.paused` at once, and errors of the transport.
  package func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
    let limit = isForDocuments ? request.timeout : min(request.timeout, gate.limits.time)
    let start = clock.uptime
    try await gate.enter(upTo: limit)
    let begun = clock.uptime
    var bounded = request
    bounded.timeout = max(.milliseconds(1), limit - (begun - start))
    let response: HTTPResponse
    do throws(TokenError) {
      response = try await transport.response(to: bounded)
    } catch {
      gate.leave(.failed(error.code), took: (clock.uptime - begun) / .seconds(1))
      throw error
    }
    gate.leave(.answered(status: response.status), took: (clock.uptime - begun) / .seconds(1))
    return response
  }
}
