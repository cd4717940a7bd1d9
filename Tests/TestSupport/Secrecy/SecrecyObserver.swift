public import HTTPExchange
public import TokenBasics

/// Records everything that observers receive.
public struct SecrecyObserver: ActivityObserver {
  public init() {}

  public func during<Value: Sendable>(
    _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
  ) async throws(TokenError) -> Value {
    happened(activity)
    do throws(TokenError) {
      return try await body()
    } catch {
      Secrecy.see(error: error)
      throw error
    }
  }

  public func happened(_ activity: Activity) {
    Secrecy.see(line: "\(activity.name) \(activity.attributes)")
    Secrecy.see(activity)
  }

  public func measured(_ activity: Activity, value: Double) { happened(activity) }
}
