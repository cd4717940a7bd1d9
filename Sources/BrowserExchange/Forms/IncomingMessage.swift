/// A request of a browser to the relying party. Its description contains neither query nor body.
public struct IncomingMessage: Sendable, CustomStringConvertible, CustomReflectable {
  /// The method as received, such as `POST`.
  public var method: String
  /// The path, percent-encoded.
  public var path: String
  /// What follows the `?`, percent-encoded; nil without one.
  public var query: String?
  /// The value of `Content-Type`, if any.
  public var contentType: String?
  /// The body as received.
  public var body: [UInt8]

  /// A request with these parts.
  public init(
    method: String, path: String = "/", query: String? = nil, contentType: String? = nil,
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.contentType = contentType
    self.body = body
  }

  /// The method, the path and the size of the body.
  public var description: String { "\(method) \(path), \(body.count) bytes" }

  /// Has no children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
