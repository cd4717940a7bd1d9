public import HTTPExchange
import Synchronization
public import TokenBasics

/// Writes down everything that an observer hears.
public final class RecordingObserver: ActivityObserver {
  private let heard = Mutex<[String]>([])

  public init() {}

  public var lines: [String] { heard.withLock { $0 } }

  public func during<Value: Sendable>(
    _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
  ) async throws(TokenError) -> Value {
    note(activity, "begins")
    do throws(TokenError) {
      let value = try await body()
      note(activity, "ends")
      return value
    } catch {
      note(activity, "fails: \(error)")
      throw error
    }
  }

  public func happened(_ activity: Activity) { note(activity, "happened") }

  public func measured(_ activity: Activity, value: Double) { note(activity, "is \(value)") }

  private func note(_ activity: Activity, _ what: String) {
    let attributes = activity.attributes.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
    heard.withLock { $0.append("\(activity.name) \(attributes) \(what)") }
  }
}
