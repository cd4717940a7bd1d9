/// The reason for which a strict server rejects a request, for the test's output.
public struct Refusal: Error, Sendable, CustomStringConvertible {
  public let status: Int
  public let reason: String

  public init(_ status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  public var description: String { "\(status): \(reason)" }
}
