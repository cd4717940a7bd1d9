public import FederationClient
public import HTTPExchange

/// A request as text, every secret masked, for a dry run.
public struct RequestPreview: Hashable, Sendable, CustomStringConvertible {
  /// `POST https://graph.example.org/v23.0/1/feed`.
  public let line: String
  /// Name and value.
  public let fields: [Field]
  /// The body, if it is text; what it is otherwise.
  public let body: String

  /// One header field.
  public struct Field: Hashable, Sendable {
    public let name: String
    public let value: String
  }

  /// The request without these secrets. The credential of `Authorization` and the like is masked whole.
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

  public var description: String {
    ([line] + fields.map { "\($0.name): \($0.value)" } + ["", body]).joined(separator: "\n")
  }

  /// The scheme stays, what follows it goes.
  private static func shown(_ name: String, _ value: String, _ redaction: Redaction) -> String {
    let isCredential = ["authorization", "x-zumo-auth", "cookie"].contains {
      $0.utf8.elementsEqual(name.utf8.map { $0 | 0x20 })
    }
    guard isCredential else { return redaction.mask(value) }
    return value.contains(" ") ? value.prefix { $0 != " " } + " ***" : "***"
  }
}
