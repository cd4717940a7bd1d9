public import HTTPExchange

/// A request of the doctor.
public struct WiringRequest: Sendable {
  /// The method.
  public var method: String
  /// The request target, sent octet by octet.
  public var target: String
  /// The header fields beside `Host`.
  public var fields: HTTPFields

  /// A request with these parts.
  public init(_ method: String, _ target: String, _ fields: HTTPFields = HTTPFields()) {
    self.method = method
    self.target = target
    self.fields = fields
  }
}
