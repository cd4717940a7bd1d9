import Octets

/// The trace that a request belongs to, as the proxy or the client names it (W3C Trace Context, 3.2).
public struct TraceContext: Hashable, Sendable {
  /// The identifier of the whole trace: 32 hexadecimal digits in lower case.
  public let traceID: String
  /// The identifier of the caller's part of it: 16 hexadecimal digits in lower case.
  public let parentID: String
  /// Whether the caller records it (3.2.2.5.1).
  public let isSampled: Bool

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
    isSampled =
      UInt8(String(decoding: parts[3], as: UTF8.self), radix: 16).map { $0 & 1 == 1 } ?? false
  }

  /// The value of `traceparent` in version 00, with the flag that it knows and no other (3.2.2.5.2).
  public var text: String { "00-\(traceID)-\(parentID)-\(isSampled ? "01" : "00")" }

  /// That of the request that is being answered, or of the span that was begun for it; nil for none. Requests that are sent
  /// meanwhile carry it on.
  @TaskLocal public static var current: Self?
}

extension WebRequest {
  /// Runs `body` in the trace that the request belongs to, where it names one.
  package func traced<Value: Sendable>(_ body: () async -> Value) async -> Value {
    guard let trace = TraceContext(fields) else { return await body() }
    return await TraceContext.$current.withValue(trace) { await body() }
  }
}

extension HTTPRequest {
  /// What a transport sends: the fields, and `traceparent` of the current trace unless there is one among them. `tracestate` is not
  /// handed on: what a proxy's vendor writes there is nothing for an identity provider.
  package var sentFields: HTTPFields {
    var sent = fields
    if let trace = TraceContext.current, sent.values("traceparent").isEmpty {
      try? sent.append("traceparent", trace.text)
    }
    return sent
  }
}
