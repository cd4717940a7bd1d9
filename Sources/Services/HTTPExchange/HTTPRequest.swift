/// A request to a server. Its description contains neither query, fields nor body: they may contain
/// secrets.
public struct HTTPRequest: Sendable, CustomStringConvertible, CustomReflectable {
  /// The request method.
  public var method: HTTPMethod
  /// The address, including its query.
  public var url: HTTPURL
  /// The header fields, sent in this order.
  public var fields: HTTPFields
  /// The body; empty for none.
  public var body: [UInt8]
  /// The maximum size of the response's body in octets; 1 MiB by default.
  public var maximumResponseBytes = 1 << 20
  /// The time limit for the whole exchange; 30 seconds by default.
  public var timeout = Duration.seconds(30)

  /// A request with the default limits.
  public init(
    _ method: HTTPMethod, _ url: HTTPURL, fields: HTTPFields = HTTPFields(), body: [UInt8] = []
  ) {
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
  }

  /// The method and the address without its query.
  public var description: String { "\(method.rawValue) \(url)" }

  /// Contains only the description.
  public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
