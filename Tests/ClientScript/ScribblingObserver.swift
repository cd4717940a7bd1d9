package import HTTPExchange
import Synchronization
import TestSupport
package import TokenBasics

/// Writes down everything that observers are told.
package final class ScribblingObserver: ActivityObserver {
  private let text = Mutex("")

  package init() {}

  package var heard: String { text.withLock { $0 } }

  package func during<Value: Sendable>(
    _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
  ) async throws(TokenError) -> Value {
    happened(activity)
    do throws(TokenError) {
      return try await body()
    } catch {
      Secrecy.see(error: error)
      text.withLock { $0 += "\(error)\n" }
      throw error
    }
  }

  package func happened(_ activity: Activity) {
    Secrecy.see(line: "\(activity)")
    text.withLock { $0 += "\(activity)\n" }
  }

  package func measured(_ activity: Activity, value: Double) {
    text.withLock { $0 += "\(activity) \(value)\n" }
  }
}
