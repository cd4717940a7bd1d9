import Octets

/// The trace that a request belongs to, as the proxy or the client names it (W3C Trace Context, 3.2).
public struct TraceContext: Hashable, Sendable {
  /// The identifier of the whole trace: 32 hexadecimal digits in lower case.
  public let traceID: String
  /// The identifier of the caller's part of it: 16 hexadecimal digits in lower case.
  public let parentID: String

  /// Reads the value of `traceparent`; nil for none, two, or what is malformed, which starts no trace (3.2.2.5).
  public init?(_ fields: HTTPFields) {
    let values = fields.values("traceparent")
    guard values.count == 1, let value = values.first else { return nil }
    let parts = value.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count >= 4, parts.count == 4 || !parts[0].elementsEqual("00".utf8),
      zip(parts, [2, 32, 16, 2]).allSatisfy({ part, length in
        part.count == length && part.allSatisfy(Hex.isLowercaseDigit)
      }), !parts[0].elementsEqual("ff".utf8),
      // Zeros are no identifier.
      parts[1].contains(where: { $0 != UInt8(ascii: "0") }),
      parts[2].contains(where: { $0 != UInt8(ascii: "0") })
    else { return nil }
    traceID = String(decoding: parts[1], as: UTF8.self)
    parentID = String(decoding: parts[2], as: UTF8.self)
  }

  /// That of the request that is being answered; nil for none.
  @TaskLocal public static var current: Self?
}
