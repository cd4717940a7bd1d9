import Octets
public import SingleSignOn

/// A request of a browser, as any framework has it. Its description contains no secret.
public struct SiteRequest: Sendable, CustomStringConvertible, CustomReflectable {
  /// The method as received.
  public var method: String
  /// The path, percent-encoded.
  public var path: String
  /// What follows the `?`; nil without one.
  public var query: String?
  /// The header fields.
  public var fields: HTTPFields
  /// The body as received.
  public var body: [UInt8]
  /// The network address of the sender, of IPv6 the first 64 bits; nil where it is not known.
  public var peer: String?

  /// A request with these parts.
  public init(
    method: String, path: String, query: String? = nil, fields: HTTPFields = HTTPFields(),
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.fields = fields
    self.body = body
  }

  /// The cookies of all `Cookie` fields (RFC 6265, 4.2).
  public var cookies: CookieJar {
    var cookies: [(name: String, value: String)] = []
    for field in fields.values("Cookie") {
      for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
        guard let equals = pair.firstIndex(of: ASCII.equals) else { continue }
        let name = pair[..<equals].drop(while: ASCII.isWhiteSpace)
        cookies.append(
          (String(Substring(name)), String(Substring(pair[pair.index(after: equals)...]))))
      }
    }
    return CookieJar(cookies)
  }

  /// The parts that the protocols read.
  public var message: IncomingMessage {
    IncomingMessage(
      method: method, path: path, query: query, contentType: fields["Content-Type"], body: body)
  }

  /// Whether a browser asks for a page: by `Sec-Fetch-Mode` (Fetch Metadata, 2.2), else by `Accept`. Scripts and
  /// upgrades do not.
  public var wantsDocument: Bool {
    guard method == "GET", fields.values("Upgrade").isEmpty else { return false }
    if let mode = fields["Sec-Fetch-Mode"] { return mode == "navigate" }
    return fields.values("Accept").contains { $0.firstRange(of: "text/html") != nil }
  }

  /// Method, path and size of the body.
  public var description: String { "\(method) \(path), \(body.count) bytes" }

  /// Has no children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
