/// What is asked of a server. Its description shows neither query, fields nor body: they may carry
/// secrets.
public struct HTTPRequest: Sendable, CustomStringConvertible, CustomReflectable {
  public var method: HTTPMethod
  public var url: HTTPURL
  public var fields: HTTPFields
  public var body: [UInt8]
  /// The most octets of an answer's body that are read: 1 MiB.
  public var maximumResponseBytes = 1 << 20
  /// Time for the whole exchange: 30 seconds.
  public var timeout = Duration.seconds(30)

  public init(
    _ method: HTTPMethod, _ url: HTTPURL, fields: HTTPFields = HTTPFields(), body: [UInt8] = []
  ) {
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
  }

  public var description: String { "\(method.rawValue) \(url)" }

  public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
