/// What is asked of a server. Its description shows neither query, fields nor body: they may carry
/// secrets.
public struct HTTPRequest: Sendable, CustomStringConvertible, CustomReflectable {
  /// The method.
  public var method: HTTPMethod
  /// The address, with its query.
  public var url: HTTPURL
  /// The header fields, without those that a transport sets itself.
  public var fields: HTTPFields
  /// The content; empty for none.
  public var body: [UInt8]
  /// The most octets of an answer's body that are read: 1 MiB.
  public var maximumResponseBytes = 1 << 20
  /// Time for the whole exchange: 30 seconds.
  public var timeout = Duration.seconds(30)

  /// A request.
  public init(
    _ method: HTTPMethod, _ url: HTTPURL, fields: HTTPFields = HTTPFields(), body: [UInt8] = []
  ) {
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
  }

  /// The method and the address without its query, which may hold a secret.
  public var description: String { "\(method.rawValue) \(url)" }

  /// The same as ``description``, so that `dump` shows no credential.
  public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
