public import HTTPExchange
public import TokenBasics

/// A request as it arrived at the application, in whose place the doctor listens.
///
/// The answer to the request tells it: a line for method and target, and one for each header field.
public struct ArrivedRequest: Sendable {
  /// The method.
  public let method: String
  /// The request target.
  public let target: String
  /// The header fields.
  public let fields: HTTPFields

  /// A request with these parts.
  public init(method: String, target: String, fields: HTTPFields) {
    self.method = method
    self.target = target
    self.fields = fields
  }

  /// What an answer tells of the request; nil for an answer of anything else than the doctor's stand-in.
  public init?(_ response: HTTPResponse) {
    guard response.fields[Self.mark] != nil else { return nil }
    let lines = String(decoding: response.body, as: UTF8.self).split(separator: "\n")
    guard let first = lines.first?.split(separator: " "), first.count == 2 else { return nil }
    var fields = HTTPFields()
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      try? fields.append(String(parts[0]), String(parts[1]))
    }
    self.init(method: String(first[0]), target: String(first[1]), fields: fields)
  }

  /// The answer that tells of the request: 200, and 400 to a handshake of websocket, which it does not take (RFC 6455, 4.2.2).
  /// Envoy drops the content of a 200 to a handshake.
  public var response: HTTPResponse {
    var text = "\(method) \(target)\n"
    for (name, value) in fields.list { text += "\(name):\(value)\n" }
    let marks = try? HTTPFields([
      (Self.mark, "1"), ("Content-Type", "text/plain; charset=utf-8"),
      ("Cache-Control", "no-store"),
    ])
    let status = fields["Upgrade"] == nil ? 200 : 400
    return HTTPResponse(status: status, fields: marks ?? HTTPFields(), body: Array(text.utf8))
  }

  private static let mark = "Gate-Doctor-Arrived"
}

/// A request of the doctor.
public struct WiringRequest: Sendable {
  /// The method.
  public var method: String
  /// The request target, sent octet by octet.
  public var target: String
  /// The header fields beside `Host`.
  public var fields: HTTPFields
  /// The `Host`; nil for that of the origin that is examined.
  public var host: String?

  /// A request with these parts.
  public init(_ method: String, _ target: String, _ fields: HTTPFields = HTTPFields()) {
    self.method = method
    self.target = target
    self.fields = fields
  }
}

/// Sends requests to the proxy as they are, such as no browser sends.
public protocol WiringProbe: Sendable {
  /// The answer of the proxy. A redirect is an answer, and is not followed.
  ///
  /// - Throws: `transport.*`.
  func answer(to request: WiringRequest) async throws(TokenError) -> HTTPResponse
}
