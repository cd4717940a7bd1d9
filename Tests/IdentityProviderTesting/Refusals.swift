package import Federation
import Testing

/// The code of the error that `body` throws; nil if it throws none.
package func refusalCode(_ body: () throws -> Void) -> TokenError.Code? {
  do {
    try body()
    return nil
  } catch { return code(of: error) }
}

/// The code of the error that `body` throws; nil if it throws none.
package func refusalCode(_ body: () async throws -> Void) async -> TokenError.Code? {
  do {
    try await body()
    return nil
  } catch { return code(of: error) }
}

private func code(of error: any Error) -> TokenError.Code? {
  if let error = error as? TokenError { return error.code }
  Issue.record(error)
  return nil
}
