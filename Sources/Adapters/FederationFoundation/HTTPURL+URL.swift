public import Federation
public import HTTPExchange

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension HTTPURL {
  /// The address of a `URL`.
  ///
  /// - Throws: `transport.malformed-address`, `transport.insecure-address`.
  public init(_ url: URL) throws(TokenError) { try self.init(url.absoluteString) }

  /// The address as a `URL`; nil for one that `URL` rejects.
  public var url: URL? { URL(string: text) }
}
