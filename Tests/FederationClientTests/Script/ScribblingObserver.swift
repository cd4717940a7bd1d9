import HTTPExchange
import Synchronization
import TestSupport
import TokenErrors

/// Records all activities.
final class ScribblingObserver: ActivityObserver {
  private let text = Mutex("")

  var heard: String { text.withLock { $0 } }

  func during<Value: Sendable>(
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

  func happened(_ activity: Activity) {
    Secrecy.see(line: "\(activity)")
    text.withLock { $0 += "\(activity)\n" }
  }

  func measured(_ activity: Activity, value: Double) {
    text.withLock { $0 += "\(activity) \(value)\n" }
  }
}
