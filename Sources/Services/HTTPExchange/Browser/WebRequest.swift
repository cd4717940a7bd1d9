import Octets
import Synchronization
package import TokenBasics

/// A request to a service, as any framework has it. Its description contains no secret.
///
/// Its query, its form and its cookies are each parsed once, when they are first asked for; copies of a request share what was
/// parsed.
public struct WebRequest: Sendable, CustomStringConvertible, CustomReflectable {
  /// The method as received, such as `POST`.
  public var method: String
  /// The path, percent-encoded.
  public var path: String
  /// What follows the `?`, percent-encoded; nil without one.
  public var query: String? { didSet { parsed = ParsedParts() } }
  /// The header fields.
  public var fields: HTTPFields { didSet { parsed = ParsedParts() } }
  /// The body as received.
  public var body: [UInt8] { didSet { parsed = ParsedParts() } }
  /// The network address of the sender, of IPv6 the first 64 bits; nil where it is not known.
  public var peer: String?
  private var parsed = ParsedParts()

  /// A request with these parts.
  public init(
    method: String, path: String = "/", query: String? = nil, fields: HTTPFields = HTTPFields(),
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.fields = fields
    self.body = body
  }

  /// A request of which no field but `Content-Type` is known. A value that HTTP does not allow counts as none.
  public init(
    method: String, path: String = "/", query: String? = nil, contentType: String?,
    body: [UInt8] = []
  ) {
    self.init(method: method, path: path, query: query, body: body)
    if let contentType { try? fields.append("Content-Type", contentType) }
  }

  /// The value of `Content-Type`; nil where there is none, or several.
  public var contentType: String? { fields["Content-Type"] }

  /// The cookies of all `Cookie` fields (RFC 6265, 4.2).
  public var cookies: CookieJar { parsed.cookies(fields.values("Cookie")) }

  /// The parameters of the query; none without a query.
  ///
  /// - Throws: `client.duplicate-parameter`, `client.malformed-form`, `input.too-large`.
  package var parameters: FormReader {
    get throws(TokenError) { try parameters(passingOver: .nothing) }
  }

  /// The parameters of the query, as ``parameters``.
  package func parameters(passingOver passed: FormReader.PassedOver) throws(TokenError)
    -> FormReader
  {
    try parsed.form(.query, passed) { [query] () throws(TokenError) in
      try FormReader((query ?? "").utf8, passingOver: passed)
    }
  }

  /// Whether it brings a form in its body.
  package var hasForm: Bool {
    method.hasSameBytes(as: "POST") && FormReader.isForm(contentType)
  }

  /// The parameters of the posted form.
  ///
  /// - Throws: `client.content-type` for a request that brings none; `client.duplicate-parameter`, `client.malformed-form`,
  ///   `input.too-large`.
  package var form: FormReader {
    get throws(TokenError) { try form(passingOver: .nothing) }
  }

  /// The parameters of the posted form, as ``form``.
  package func form(passingOver passed: FormReader.PassedOver) throws(TokenError) -> FormReader {
    guard hasForm else {
      throw TokenError(
        .clientContentType, expected: "POST of \(FormReader.mediaType)",
        found: TokenError.excerpt(method))
    }
    return try parsed.form(.body, passed) { [body] () throws(TokenError) in
      try FormReader(body, passingOver: passed)
    }
  }

  /// Whether a browser asks for a page: by `Sec-Fetch-Mode` (Fetch Metadata, 2.2), else by `Accept`. Scripts and
  /// upgrades do not.
  public var wantsDocument: Bool {
    guard method == "GET", fields.values("Upgrade").isEmpty else { return false }
    if let mode = fields["Sec-Fetch-Mode"] { return mode == "navigate" }
    return fields.values("Accept").contains { $0.utf8.span.hasPart("text/html") }
  }

  /// Method, path and size of the body.
  public var description: String { "\(method) \(path), \(body.count) bytes" }

  /// Has no children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// What was parsed of one request, shared by its copies.
private final class ParsedParts: Sendable {
  enum Place { case query, body }

  private struct Key: Hashable {
    let place: Place
    let passed: FormReader.PassedOver
  }

  private let forms = Mutex<[Key: Result<FormReader, TokenError>]>([:])
  private let jar = Mutex<CookieJar?>(nil)

  func form(
    _ place: Place, _ passed: FormReader.PassedOver, _ parse: () throws(TokenError) -> FormReader
  ) throws(TokenError) -> FormReader {
    let key = Key(place: place, passed: passed)
    if let known = forms.withLock({ $0[key] }) { return try known.get() }
    let result: Result<FormReader, TokenError>
    do throws(TokenError) {
      result = .success(try parse())
    } catch {
      result = .failure(error)
    }
    forms.withLock { $0[key] = result }
    return try result.get()
  }

  func cookies(_ fields: [String]) -> CookieJar {
    jar.withLock { jar in
      if let jar { return jar }
      let parsed = CookieJar(fields: fields)
      jar = parsed
      return parsed
    }
  }
}
