public import Federation

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AnyToken {
  /// As ``init(reading:as:limits:)`` of octets.
  ///
  /// - Throws: `input.*`, `xml.*`, `response.*`, and `signature.*` for a malformed MAC.
  public init(
    reading data: Data, as pinned: PinnedFormat? = nil, limits: Limits = Limits()
  ) throws(TokenError) {
    try self.init(reading: Array(data), as: pinned, limits: limits)
  }
}
