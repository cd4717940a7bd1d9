/// A request that a browser made to the relying party. Its description shows neither query nor body.
public struct IncomingMessage: Sendable, CustomStringConvertible, CustomReflectable {
  /// The method as it was written, such as `POST`.
  public var method: String
  /// The path, percent-encoded.
  public var path: String
  /// What follows the `?`, percent-encoded; nil without one.
  public var query: String?
  /// The media type, as received; nil for none.
  public var contentType: String?
  /// The content.
  public var body: [UInt8]

  /// A request that came in.
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

  /// Method, path and length; query and content may hold a token.
  public var description: String { "\(method) \(path), \(body.count) bytes" }

  /// No children, so that `dump` shows no token.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
