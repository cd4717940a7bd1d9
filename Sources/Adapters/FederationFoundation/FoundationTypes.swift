public import Federation
public import HTTPExchange

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

extension VerificationKey {
  /// A certificate or public key in PEM or DER, and nothing beside it.
  ///
  /// - Throws: `key.unreadable`, `key.several`, `key.unsupported`, `key.weak`.
  public init(pemOrDER data: Data) throws(TokenError) { try self.init(pemOrDER: Array(data)) }
}

extension JSONWebKeySet {
  /// The keys of a JWK set (RFC 7517, 5), or a single key.
  ///
  /// - Throws: as ``init(parsing:allowsSecrets:)`` of octets.
  public init(parsing data: Data, allowsSecrets: Bool = false) throws(TokenError) {
    try self.init(parsing: Array(data), allowsSecrets: allowsSecrets)
  }
}

extension HTTPURL {
  /// The address of a `URL`.
  ///
  /// - Throws: `transport.malformed-address`, `transport.insecure-address`.
  public init(_ url: URL) throws(TokenError) { try self.init(url.absoluteString) }

  /// The address as a `URL`; nil for one that `URL` rejects.
  public var url: URL? { URL(string: text) }
}

extension Instant {
  /// The instant of a `Date`, rounded down to the microsecond and clamped to the years 1 to 9999. A
  /// date that is not a number is the first instant of year 1, at which no token is valid.
  public init(_ date: Date) {
    let time = date.timeIntervalSince1970
    let whole = time.rounded(.down)
    guard let seconds = Int64(exactly: whole) else {
      self.init(secondsSinceEpoch: time > 0 ? .max : .min)
      return
    }
    // The resolution of a current Date is between a nanosecond and a microsecond.
    let microseconds = Int32(((time - whole) * 1_000_000).rounded(.down))
    self.init(secondsSinceEpoch: seconds, nanoseconds: microseconds * 1000)
  }

  /// The instant as a `Date`.
  public var date: Date {
    Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1_000_000_000)
  }
}

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
