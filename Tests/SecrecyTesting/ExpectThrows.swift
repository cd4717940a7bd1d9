import TestSupport
public import Testing

// As `#expect(throws:)`, and the error is noted for the search of the whole run.

/// Expects exactly that error.
@discardableResult
public func expect<Failure: Error & Equatable, Value>(
  throws failure: Failure, _ comment: @autoclosure () -> Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Value
) -> Failure? {
  #expect(throws: failure, comment(), sourceLocation: sourceLocation) {
    do {
      _ = try body()
    } catch {
      Secrecy.see(error: error)
      throw error
    }
  }
}

/// Expects an error of that type.
@discardableResult
public func expect<Failure: Error, Value>(
  throws type: Failure.Type, _ comment: @autoclosure () -> Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Value
) -> Failure? {
  #expect(throws: type, comment(), sourceLocation: sourceLocation) {
    do {
      _ = try body()
    } catch {
      Secrecy.see(error: error)
      throw error
    }
  }
}

/// Expects exactly that error.
@discardableResult
public func expect<Failure: Error & Equatable, Value>(
  throws failure: Failure, _ comment: @autoclosure () -> Comment? = nil,
  isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async -> Failure? {
  await #expect(throws: failure, comment(), sourceLocation: sourceLocation) {
    do {
      _ = try await body()
    } catch {
      Secrecy.see(error: error)
      throw error
    }
  }
}

/// Expects an error of that type.
@discardableResult
public func expect<Failure: Error, Value>(
  throws type: Failure.Type, _ comment: @autoclosure () -> Comment? = nil,
  isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async -> Failure? {
  await #expect(throws: type, comment(), sourceLocation: sourceLocation) {
    do {
      _ = try await body()
    } catch {
      Secrecy.see(error: error)
      throw error
    }
  }
}
