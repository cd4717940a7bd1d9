/// What a server answered. Its description shows the status and the size alone.
public struct HTTPResponse: Sendable, CustomStringConvertible, CustomReflectable {
  /// The status code (RFC 9110, 15).
  public var status: Int
  /// The header fields.
  public var fields: HTTPFields
  /// The content as received.
  public var body: [UInt8]

  /// A response.
  public init(status: Int, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// Whether the status is 2xx.
  public var isSuccess: Bool { (200..<300).contains(status) }

  /// Whether the status sends the client to another address (304 does not).
  public var isRedirect: Bool { (300..<400).contains(status) && status != 304 }

  /// The status and the length of the content.
  public var description: String { "status \(status), \(body.count) bytes" }

  /// The same as ``description``, so that `dump` shows no credential.
  public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}
