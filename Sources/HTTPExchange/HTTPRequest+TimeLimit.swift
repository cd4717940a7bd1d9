import TokenErrors

extension HTTPRequest {
  /// Runs an exchange for no longer than ``timeout``, and cancels it then.
  /// - Throws: `transport.timeout`, and what the exchange throws.
  package func withinTimeLimit(
    _ exchange: @escaping @Sendable () async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    // A clock traps beyond its range; nobody waits for a year.
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
