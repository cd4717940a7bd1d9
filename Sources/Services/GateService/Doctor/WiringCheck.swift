public import TokenErrors

/// One thing that the doctor examined.
public struct WiringCheck: Sendable {
  /// What was examined.
  public let title: String
  /// How many requests were sent for it.
  public internal(set) var requests = 0
  /// What is wrong; empty for nothing.
  public internal(set) var findings: [TokenError] = []
  /// Why nothing was examined; nil if it was.
  public internal(set) var omission: String?

  init(_ title: String) { self.title = title }
}
