public import HTTPExchange

/// A request as text, every secret masked, for a dry run.
public struct RequestPreview: Hashable, Sendable, CustomStringConvertible {
  /// Method and address, such as `POST https://graph.example.org/v23.0/1/feed`.
  public let line: String
  /// The header fields, in the order in which they are sent.
  public let fields: [Field]
  /// The body; for an image or multipart its number of bytes in parentheses.
  public let body: String

  /// One header field.
  public struct Field: Hashable, Sendable {
    /// The field's name as sent.
    public let name: String
    /// The field's value, masked.
    public let value: String
  }

  /// The request with these secrets masked, and with the whole credential of `Authorization` and the like.
  public init(_ request: HTTPRequest, hiding secrets: [Secret]) {
    let redaction = Redaction(secrets)
    line = request.method.rawValue + " " + redaction.mask(request.url.text)
    fields = request.fields.list.map { name, value in
      Field(name: name, value: Self.shown(name, value, redaction))
    }
    let type = request.fields["Content-Type"] ?? ""
    if type.hasPrefix("multipart/") || type.hasPrefix("image/") {
      body = request.body.isEmpty ? "" : "(\(request.body.count) bytes)"
    } else {
      body = redaction.mask(request.body)
    }
  }

  /// The request line, the fields, an empty line and the body, separated by line feeds.
  public var description: String {
    ([line] + fields.map { "\($0.name): \($0.value)" } + ["", body]).joined(separator: "\n")
  }

  /// Masks a credential but keeps its scheme.
  private static func shown(_ name: String, _ value: String, _ redaction: Redaction) -> String {
    let isCredential = ["authorization", "x-zumo-auth", "cookie"].contains {
      $0.utf8.elementsEqual(name.utf8.map { $0 | 0x20 })
    }
    guard isCredential else { return redaction.mask(value) }
    return value.contains(" ") ? value.prefix { $0 != " " } + " ***" : "***"
  }
}
