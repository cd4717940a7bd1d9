import TokenErrors

extension HTTPRequest {
  /// Runs an exchange and cancels it after ``timeout``.
  /// - Throws: `transport.timeout`, and errors of the exchange.
  package func withinTimeLimit(
    _ exchange: @escaping @Sendable () async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    // A clock traps beyond its range, so the limit is at most a year.
    let limit = min(max(timeout, .zero), .seconds(365 * 86_400))
    return try await withThrowingTaskGroup(of: HTTPResponse?.self) { group in
      group.addTask { try await exchange() }
      group.addTask {
        try await Task.sleep(for: limit)
        return nil
      }
      defer { group.cancelAll() }
      guard let first = try await group.next(), let response = first else {
        throw TokenError(
          .transportTimeout, node: description, expected: "an answer within \(timeout)")
      }
      return response
    }
  }
}
