package import TokenBasics

/// A response of a server. Its description contains only the status and the size of the body.
public struct HTTPResponse: Sendable, CustomStringConvertible, CustomReflectable {
  /// The status code (RFC 9110, 15).
  public var status: Int
  /// The header fields.
  public var fields: HTTPFields
  /// The whole body.
  public var body: [UInt8]

  /// A response with these parts.
  public init(status: Int, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// Whether the status is 2xx.
  public var isSuccess: Bool { (200..<300).contains(status) }

  /// Whether the status is 3xx other than 304, which is not a redirect.
  public var isRedirect: Bool { (300..<400).contains(status) && status != 304 }

  /// The status and the number of bytes of the body.
  public var description: String { "status \(status), \(body.count) bytes" }

  /// Contains only the description.
  public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}

extension HTTPResponse {
  /// Refuses a redirect, which an endpoint for programs has no reason to send and which is not followed.
  /// - Throws: `transport.redirect`.
  package func refuseRedirect(at node: String) throws(TokenError) {
    guard isRedirect else { return }
    throw TokenError(.transportRedirect, node: node, found: "status \(status)")
  }

  /// The error for a status that the endpoint's protocol does not define: `transport.status`.
  package func unexpected(at node: String) -> TokenError {
    TokenError(.transportStatus, node: node, found: "status \(status)")
  }
}
