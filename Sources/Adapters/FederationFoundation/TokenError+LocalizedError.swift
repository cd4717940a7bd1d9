public import Federation

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The texts of an error for Foundation, in English.
extension TokenError: LocalizedError {
  /// The message, with the code.
  public var errorDescription: String? { "\(message) (\(code.rawValue))" }

  /// The place, what was expected, and what was found.
  public var failureReason: String? {
    let parts = [
      node.map { "at \($0)" }, expected.map { "expected \($0)" }, found.map { "found \($0)" },
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// The error's hint.
  public var recoverySuggestion: String? { hint }
}
